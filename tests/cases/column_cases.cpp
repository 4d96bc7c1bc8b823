// Products and solves with several vectors, one text for every place: each vector has the bits that
// it has alone.
#include "support/kinds_of_rows.hpp"
#include "support/near_rows.hpp"
#include "support/operands.hpp"
#include "support/place.hpp"
#include "support/same_bits.hpp"
#include "support/shapes.hpp"

#include "ddla/error.hpp"
#include "ddla/generate.hpp"

using ddla::csr_matrix;
using ddla::index_t;
using test::dd_dd;
using test::dd_double;
using test::double_double;
using test::place_under_test;
using test::same_bits;

namespace {

template <class T>
using vectors = std::vector<ddla::vector<T>>;

/// So many vectors of unlike numbers.
template <class T>
vectors<T> random_vectors(std::size_t count, index_t n, std::uint64_t seed)
{
    vectors<T> all;
    for (std::size_t j = 0; j < count; ++j)
        all.push_back(test::random_vector<T>(n, seed + j).to(place_under_test()));
    return all;
}

/// y_j = alpha A x_j + beta y_j, together and alone.
template <class T, class V>
void check_products(const csr_matrix<V>& a, const vectors<T>& x, const vectors<T>& y, T alpha,
                    T beta)
{
    vectors<T> together = y;
    ddla::spmv(alpha, a, x, beta, together);
    for (std::size_t j = 0; j < x.size(); ++j) {
        ddla::vector<T> alone = y[j];
        ddla::spmv(alpha, a, x[j], beta, alone);
        INFO("vector " << j << " of " << x.size());
        CHECK(same_bits(together[j], alone));
    }
}

/// Of a matrix at the place under test, in the format that it has there.
template <class T, class V>
void check_products(const csr_matrix<V>& a, std::size_t count)
{
    INFO(a.rows() << " x " << a.columns() << ", " << a.nonzeros() << " entries");
    REQUIRE(a.where() == place_under_test());  // to() would give compressed rows
    const auto x = random_vectors<T>(count, a.columns(), 51);
    const auto y = random_vectors<T>(count, a.rows(), 81);
    const auto scalars = test::random_vector<T>(2, 33);
    check_products(a, x, y, T(1), T(0));
    check_products(a, x, y, T(scalars[0]), T(scalars[1]));
}

constexpr std::size_t counts[] = {0, 1, 2, 3, 7, 8, 9, 17};

}  // namespace

TEMPLATE_TEST_CASE("products with several vectors", "[columns]", double_double, dd_double, dd_dd)
{
    using T = typename TestType::scalar;
    for (const auto& a : test::shapes<typename TestType::value>())
        test::under_few_cuts([&] { check_products<T>(a.to(place_under_test()), 8); });
}

TEMPLATE_TEST_CASE("products with every number of vectors", "[columns]", double_double, dd_double,
                   dd_dd)
{
    using T = typename TestType::scalar;
    const auto a = test::random_matrix<typename TestType::value>(600, 700, 61, [](index_t i) {
                       return i == 3 ? 400 : i % 23;
                   }).to(place_under_test());
    for (const std::size_t count : counts)
        test::under_every_cut([&] { check_products<T>(a, count); });
}

TEMPLATE_TEST_CASE("products with two to nine vectors in every format", "[columns]",
                   DDLA_PAIRS_OF_MANY)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    // As compressed rows on a device: a thread a row, then a group of threads, each with up to two
    // leaves, with four, and with more than two vectors at once have registers for.
    const auto near = [](index_t most, index_t others) {
        return test::near_rows(600, [=](index_t i) { return i % 9 == 0 ? most : others; });
    };
    for (const auto& a :
         {ddla::generate::poisson3d(7, 11, 5), near(40, 20), near(240, 50), near(140, 22)}) {
        const auto here = test::with_values<V>(a);
        for (const ddla::sparse_format f : test::formats_for(here)) {
            csr_matrix<V> there = here.to(place_under_test());
            ddla::set_format<T>(there, {.format = f});
            INFO(to_string(f));
            for (std::size_t count = 2; count < 10; ++count) check_products<T>(there, count);
        }
    }
}

TEMPLATE_TEST_CASE("products with several vectors in every format", "[columns]", double_double,
                   dd_double, dd_dd)
{
    using T = typename TestType::scalar;
    for (const auto& here :
         {test::with_values<typename TestType::value>(ddla::generate::poisson3d(20, 11, 6)),
          test::random_matrix<typename TestType::value>(600, 600, 62,
                                                        [](index_t i) { return i % 7; }),
          test::random_matrix<typename TestType::value>(
              600, 600, 64, [](index_t i) { return i % 50 == 3 ? 500 : i % 9; }),
          test::random_matrix<typename TestType::value>(1500, 2000, 65,
                                                        [](index_t) { return 16; })})
        for (const ddla::sparse_format f : test::formats_for(here)) {
            csr_matrix<typename TestType::value> a = here.to(place_under_test());
            ddla::set_format<T>(a, {.format = f});
            INFO(to_string(f));
            if (f != ddla::sparse_format::automatic) CHECK(ddla::format_of(a).format == f);
            check_products<T>(a, 9);
        }
}

TEMPLATE_TEST_CASE("products with several vectors of numbers of every kind", "[columns]",
                   double_double, dd_double, dd_dd)
{
    using T = typename TestType::scalar;
    const auto a = test::random_matrix<typename TestType::value>(300, 300, 63, [](index_t i) {
                       return i % 40;
                   }).to(place_under_test());
    vectors<T> x, y;
    for (const test::operand kind : test::all_operands) {
        x.push_back(test::operands<T>(kind, a.columns(), 21).to(a.where()));
        y.push_back(test::operands<T>(kind, a.rows(), 22).to(a.where()));
    }
    check_products(a, x, y, T(1), T(0));
    check_products(a, x, y, T(3), T(-2));
}

TEST_CASE("several vectors that do not fit are refused", "[columns]")
{
    const auto a = csr_matrix<double>(2, 2, {0, 1, 2}, {0, 1}, {1.0, 2.0}).to(place_under_test());
    auto x = random_vectors<double>(3, 2, 1), y = random_vectors<double>(2, 2, 2);
    CHECK_THROWS_WITH(ddla::spmv(1.0, a, x, 0.0, y), "spmv: 3 vectors x, but 2 vectors y");
    y = random_vectors<double>(3, 2, 2);
    y[2] = ddla::vector<double>(5, place_under_test());
    CHECK_THROWS_WITH(ddla::spmv(1.0, a, x, 0.0, y), "spmv: y has 5 elements, A has 2 rows");
    CHECK_THROWS_AS(ddla::spmv(1.0, a, x, 0.0, x), ddla::input_error);
}
