// Products of ranks have the bits of one rank with all rows.
#include "support/ranks.hpp"

#include "ddla/generate.hpp"
#include "ddla/linalg.hpp"

using namespace test;

namespace {

template <class T, class V>
std::string wrong_products(const ddla::csr_matrix<V>& a, const cuts& begin, index_t alignment = 256)
{
    const auto x = random_vector<T>(a.columns(), 3), of_rows = random_vector<T>(a.rows(), 4);
    ddla::vector<T> y(a.rows()), z(a.columns());
    ddla::spmv(T(1), a, x, T(0), y);
    ddla::spmv_transposed(T(1), a, of_rows, T(0), z);
    whole_vector<T> products(a.rows()), transposed(a.columns());
    run_ranks(static_cast<int>(begin.size()) - 1, [&](auto ranks) {
        const auto mine = part_of(a, begin, ranks, alignment);
        ddla::vector<T> own_y(mine.local_rows(), mine.where()),
            own_z(mine.local_columns(), mine.where());
        for (int times = 0; times < 2; ++times) {
            mine.multiply(columns_of(x, mine), own_y);
            mine.multiply_transposed(rows_of(of_rows, mine), own_z);
        }
        products.put(own_y, mine.first_row());
        transposed.put(own_z, mine.first_column());
    });
    return std::string(same_bits(products.get(), y) ? "" : "A x") +
           (same_bits(transposed.get(), z) ? "" : "A^T x");
}

}  // namespace

TEMPLATE_TEST_CASE("products of ranks", "[ranks]", double_double, dd_double, dd_dd)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    const auto square = random_matrix<V>(3001, 3001, 5, [](index_t i) { return i % 7; });
    const auto wide = random_matrix<V>(700, 2900, 6, [](index_t i) { return i % 5; });
    const auto tall = random_matrix<V>(2900, 700, 6, [](index_t i) { return i % 5; });
    for (const int ranks : rank_counts())
        for (const auto* a : {&square, &wide, &tall})
            for (const cuts& begin :
                 {even_cuts(a->rows(), ranks), random_cuts(a->rows(), ranks, 9)}) {
                INFO(a->rows() << " x " << a->columns() << ", ranks begin at " << text_of(begin));
                CHECK(wrong_products<T>(*a, begin) == "");
                CHECK(wrong_products<T>(*a, begin, 512) == "");
            }
}

TEST_CASE("a dense row, a dense column, and a grid", "[ranks]")
{
    const index_t n = 5000;
    ddla::coordinates<double> entries{n, n, {}, {}, {}};
    for (index_t i = 0; i < n; ++i) {
        entries.add(i, i, 2 + 1.0 / double(i + 1));
        entries.add(1234, i, 1.0 / double(i + 3));
        entries.add(i, 4321, 1.0 / double(i + 7));
    }
    const ddla::csr_matrix<double> arrow(entries);
    for (const int ranks : rank_counts())
        for (const auto& a : {arrow, ddla::generate::poisson3d(17, 19, 23)}) {
            INFO(ranks << " ranks");
            CHECK(wrong_products<ddla::dd_real>(a, even_cuts(a.rows(), ranks)) == "");
        }
}
