// Sparse operations, one text for every place: every bit as the oracle says or, for numbers that
// QD does not treat, as on the host, however the work is cut.
#include "support/operands.hpp"
#include "support/oracle.hpp"
#include "support/place.hpp"
#include "support/shapes.hpp"

#include "ddla/error.hpp"
#include "ddla/generate.hpp"
#include "ddla/stream.hpp"

using ddla::column_t;
using ddla::csr_matrix;
using dd = ddla::dd_real;  // QD has a ::dd_real
using ddla::index_t;
using test::dd_dd;
using test::dd_double;
using test::double_double;
using test::operand;
using test::place_under_test;

namespace {

/// A x, alpha A x, alpha A x + beta y and y - A x.
template <class T>
struct products {
    ddla::vector<T> plain, scaled, full, residual;
};

template <class T, class V>
products<T> products_of_oracle(const csr_matrix<V>& a, const ddla::vector<T>& x,
                               const ddla::vector<T>& y, T alpha, T beta)
{
    products<T> all{y, y, y, y};
    const auto ax = oracle::product(a, oracle::to(x));
    for (index_t i = 0; i < a.rows(); ++i) {
        const auto sum = ax[std::size_t(i)], q = oracle::to(T(y[i]));
        const auto scaled = oracle::to(alpha) * sum;
        all.plain.set(i, oracle::from(sum));
        all.scaled.set(i, oracle::from(scaled));
        all.full.set(i, oracle::from(scaled + oracle::to(beta) * q));
        all.residual.set(i, oracle::from(q - sum));
    }
    return all;
}

template <class T, class V>
products<T> products_on_host(const csr_matrix<V>& a, const ddla::vector<T>& x,
                             const ddla::vector<T>& y, T alpha, T beta)
{
    products<T> all{y, y, y, y};
    ddla::spmv(T(1), a, x, T(0), all.plain);
    ddla::spmv(alpha, a, x, T(0), all.scaled);
    ddla::spmv(alpha, a, x, beta, all.full);
    ddla::residual(a, x, y, all.residual);
    return all;
}

/// What is expected: of the oracle or, for numbers that QD does not treat, of the host.
enum class truth { oracle, host };

/// spmv, residual and true_residual; y is b of the residuals.
template <class T, class V>
void check_products(const csr_matrix<V>& a_here, const ddla::vector<T>& x_here,
                    const ddla::vector<T>& y_here, truth expect = truth::oracle)
{
    INFO(a_here.rows() << " x " << a_here.columns() << ", " << a_here.nonzeros() << " entries");
    const auto scalars = test::random_vector<T>(2, 13);
    const T alpha = scalars[0], beta = scalars[1];
    const auto expected = expect == truth::oracle
                              ? products_of_oracle(a_here, x_here, y_here, alpha, beta)
                              : products_on_host(a_here, x_here, y_here, alpha, beta);
    const auto norms = ddla::true_residual(a_here, x_here, y_here);
    const auto a = a_here.to(place_under_test());
    const auto x = x_here.to(place_under_test()), y = y_here.to(place_under_test());
    const auto under = expect == truth::oracle ? test::under_every_cut : test::under_few_cuts;
    under([&] {
        ddla::vector<T> z(a.rows(), T(std::nan("")), place_under_test());
        ddla::spmv(T(1), a, x, T(0), z);
        CHECK(same_bits(z, expected.plain));
        ddla::spmv(alpha, a, x, T(0), z);
        CHECK(same_bits(z, expected.scaled));
        z = y;
        ddla::spmv(alpha, a, x, beta, z);
        CHECK(same_bits(z, expected.full));
        ddla::residual(a, x, y, z);
        CHECK(same_bits(z, expected.residual));
    });
    test::under_few_cuts([&] { CHECK(same_bits(ddla::true_residual(a, x, y), norms)); });
}

/// y = A x in double there.
ddla::vector<double> product_there(const csr_matrix<double>& a, const ddla::vector<double>& x)
{
    ddla::vector<double> y(a.rows(), place_under_test());
    ddla::spmv(1.0, a.to(place_under_test()), x.to(place_under_test()), 0.0, y);
    return y.to(ddla::host);
}

/// The transpose by hand: column j in row order.
template <class V>
csr_matrix<V> transposed(const csr_matrix<V>& a)
{
    std::vector<index_t> begin{0};
    std::vector<column_t> column;
    std::vector<V> value;
    const auto m = a.view();
    for (index_t j = 0; j < a.columns(); ++j) {
        for (index_t i = 0; i < a.rows(); ++i)
            for (index_t k = m.row_begin[i]; k < m.row_begin[i + 1]; ++k)
                if (m.column[k] == j) {
                    column.push_back(column_t(i));
                    value.push_back(m.value.get(k));
                }
        begin.push_back(index_t(column.size()));
    }
    ddla::vector<V> values(index_t(value.size()));
    for (index_t k = 0; k < values.size(); ++k) values.set(k, value[std::size_t(k)]);
    return {a.columns(), a.rows(), begin, column, values};
}

}  // namespace

TEMPLATE_TEST_CASE("products and residuals", "[operations]", double_double, dd_double, dd_dd)
{
    using T = typename TestType::scalar;
    for (const auto& a : test::shapes<typename TestType::value>())
        check_products<T>(a, test::random_vector<T>(a.columns(), 11),
                          test::random_vector<T>(a.rows(), 12));
}

TEMPLATE_TEST_CASE("products of every size", "[operations]", DDLA_PAIRS_OF_MANY)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    for (const index_t n : test::sizes()) {
        const auto x = test::random_vector<T>(n, 14), y = test::random_vector<T>(n, 15);
        // Short rows, one in six of them empty; and rows of very different lengths.
        check_products<T>(test::random_matrix<V>(n, n, 16, [](index_t i) { return i % 6; }), x, y);
        check_products<T>(
            test::random_matrix<V>(n, n, 17, [](index_t i) { return i % 1000 == 7 ? 700 : 1; }), x,
            y);
    }
}

TEMPLATE_TEST_CASE("products of a large grid", "[operations][large]", double_double, dd_double,
                   dd_dd)
{
    using T = typename TestType::scalar;
    const index_t side = test::sizes().back() > 1000000 ? 101 : 31;
    const auto a = test::with_values<typename TestType::value>(
        ddla::generate::convection_diffusion(side, side + 2, side));
    check_products<T>(a, test::random_vector<T>(a.rows(), 18),
                      test::random_vector<T>(a.rows(), 19));
}

TEMPLATE_TEST_CASE("rows of 100000 entries", "[operations]", double_double, dd_double, dd_dd)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    for (const index_t rows : {index_t(1), index_t(257), test::three_levels}) {
        const auto a = test::random_matrix<V>(rows, 5000, 18, [&](index_t i) {
            return i == rows / 2 || i == rows - 1 ? 100000 + i : i % 3;
        });
        check_products<T>(a, test::random_vector<T>(5000, 19), test::random_vector<T>(rows, 20));
    }
}

TEMPLATE_TEST_CASE("products of every kind of number", "[operations][repeats]", double_double,
                   dd_double, dd_dd)
{
    using T = typename TestType::scalar;
    for (const auto& a : test::shapes<typename TestType::value>()) {
        if (a.rows() > 1000) continue;
        for (const operand kind : test::all_operands) {
            INFO(test::name_of(kind));
            const auto x = test::operands<T>(kind, a.columns(), 21);
            check_products<T>(a, x, test::operands<T>(kind, a.rows(), 22), truth::host);
            check_products<T>(a, x, test::operands<T>(operand::ordinary, a.rows(), 23),
                              truth::host);
        }
    }
}

TEMPLATE_TEST_CASE("transposed products", "[operations]", double_double, dd_double, dd_dd)
{
    using T = typename TestType::scalar;
    const auto a =
        test::random_matrix<typename TestType::value>(70, 90, 16, [](index_t i) { return i % 13; });
    const auto there = a.to(place_under_test());
    const auto x = test::random_vector<T>(70, 17), x_there = x.to(place_under_test());
    const auto expected = oracle::product(transposed(a), oracle::to(x));
    ddla::vector<T> y(90, place_under_test());
    ddla::spmv_transposed(T(1), there, x_there, T(0), y);
    CHECK(same_bits(y.to(ddla::host), expected));
    ddla::spmv(T(1), ddla::transpose(a).to(place_under_test()), x_there, T(0), y);
    CHECK(same_bits(y.to(ddla::host), expected));
}

TEMPLATE_TEST_CASE("terms that are -0 or not finite", "[operations]", double, dd)
{
    const double inf = std::numeric_limits<double>::infinity();
    const csr_matrix<double> a(3, 3, {0, 1, 3, 3}, {0, 0, 1}, ddla::vector<double>{-1, 1, 1});
    for (const double special : {0.0, -0.0, inf, -inf})
        check_products<TestType>(a, {TestType(special), TestType(1), TestType(2)},
                                 {TestType(1), TestType(special), TestType(3)}, truth::host);
}

TEST_CASE("absent terms of short rows are not added, not even as +0", "[operations]")
{
    // Rows of one entry beside rows of five: the one product is -0, and -0 + 0 would be +0.
    const auto a = test::random_matrix<double>(8, 40, 20, [](index_t i) { return i % 2 ? 5 : 1; });
    ddla::vector<double> x(40);
    for (index_t i = 0; i < 8; i += 2) {
        const index_t k = a.view().row_begin[i];
        x.set(a.view().column[k], a.view().value.get(k) > 0 ? -0.0 : 0.0);
    }
    const auto y = product_there(a, x);
    CHECK(same_bits(y, oracle::product(a, oracle::to(x))));
    CHECK(std::signbit(y[0]));
}

TEST_CASE("absent terms of short rows of unlike lengths change nothing", "[operations]")
{
    // Every second row is of terms -0 only, the one beside it of one that is infinite.  The first
    // 64 rows are short.
    constexpr index_t few[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33};
    constexpr index_t many[] = {63, 64, 65, 127, 128, 129, 255, 256, 257, 513, 2047, 2048, 2049};
    std::vector<index_t> offset{0};
    std::vector<column_t> column;
    const index_t rows = 300;
    for (index_t i = 0; i < rows; ++i) {
        const bool infinite = i % 2 > 0;
        const index_t n = infinite ? 1 : i % 256 < 64 ? few[i / 2 % 16] : many[i / 2 % 13];
        column.insert(column.end(), std::size_t(n), infinite ? 1 : 0);
        offset.push_back(offset.back() + n);
    }
    ddla::vector<double> value(offset.back(), 2.5);
    const csr_matrix<double> a(rows, 2, offset, column, value);
    ddla::vector<double> x(2);
    x.set(0, -0.0);
    x.set(1, HUGE_VAL);
    test::under_every_cut([&] {
        const auto y = product_there(a, x);
        for (index_t i = 0; i < rows; ++i) {
            INFO("row " << i << " of " << offset[std::size_t(i + 1)] - offset[std::size_t(i)]);
            if (i % 2 > 0)
                CHECK(y[i] == HUGE_VAL);
            else
                CHECK((y[i] == 0 && std::signbit(y[i]) ==
                                        (offset[std::size_t(i)] < offset[std::size_t(i + 1)])));
        }
    });
}

TEMPLATE_TEST_CASE("rows that are known to be short", "[operations]", double_double, dd_double)
{
    using T = typename TestType::scalar;
    ddla::stream on(place_under_test());
    for (const index_t rows : {index_t(1), index_t(31), index_t(32), index_t(33), index_t(257),
                               index_t(70000), test::sizes().back()}) {
        const auto a_here = test::random_matrix<double>(rows, rows, 41, [](index_t i) {
            return i % 97 == 0 ? 0 : i % 11 == 0 ? i % 7 : 7;
        });
        REQUIRE(a_here.view().longest_row <= 7);
        const auto x_here = test::random_vector<T>(rows, 42),
                   b_here = test::random_vector<T>(rows, 43);
        const auto expected = products_of_oracle(a_here, x_here, b_here, T(1), T(1)).residual;
        const auto a = a_here.to(place_under_test());
        const auto x = x_here.to(place_under_test()), b = b_here.to(place_under_test());
        ddla::csr<double> known = a.view(), unknown = known;
        CHECK(known.longest_row == a_here.view().longest_row);
        unknown.longest_row = INT64_MAX;
        test::under_every_cut([&] {
            for (const auto& view : {known, unknown}) {
                ddla::vector<T> r(rows, T(std::nan("")), place_under_test());
                ddla::residual(on, view, x.view(), b.view(), r.view());
                on.wait();
                CHECK(same_bits(r, expected));
            }
        });
    }
}

TEST_CASE("operands that do not fit a matrix are refused", "[operations]")
{
    const auto a = csr_matrix<double>(2, 3, {0, 1, 2}, {0, 2}, {1.0, 2.0}).to(place_under_test());
    ddla::vector<double> x(3, place_under_test()), y(2, place_under_test()),
        wrong(4, place_under_test());
    CHECK_THROWS_WITH(ddla::spmv(1.0, a, wrong, 0.0, y), "spmv: x has 4 elements, A has 3 columns");
    CHECK_THROWS_WITH(ddla::spmv(1.0, a, x, 0.0, wrong), "spmv: y has 4 elements, A has 2 rows");
    CHECK_THROWS_AS(ddla::residual(a, x, y, wrong), ddla::input_error);
    CHECK_THROWS_AS(ddla::residual(a, x, wrong, y), ddla::input_error);
    const auto square =
        csr_matrix<double>(2, 2, {0, 1, 2}, {0, 1}, {1.0, 2.0}).to(place_under_test());
    CHECK_THROWS_AS(ddla::spmv(1.0, square, y, 0.0, y), ddla::input_error);
    CHECK_THROWS_AS(ddla::residual(square, y, y, y), ddla::input_error);
}
