// Transposes, one text for every place: made where the matrix is, with the arrays of the host, and
// kept with the matrix.
#include "support/place.hpp"
#include "support/same_bits.hpp"
#include "support/shapes.hpp"

#include "ddla/generate.hpp"
#include "ddla/solve.hpp"
#include "ddla/sparse_format.hpp"

#include <thread>

using ddla::csr_matrix;
using ddla::index_t;
using test::place_under_test;
using test::same_bits;

namespace {

/// Entry by entry: rows in their order, each entry to the end of its column.
template <class V>
csr_matrix<V> transposed_by_hand(const csr_matrix<V>& a)
{
    const auto m = a.view();
    std::vector<std::vector<std::pair<ddla::column_t, V>>> rows(std::size_t(a.columns()));
    for (index_t i = 0; i < a.rows(); ++i)
        for (index_t k = m.row_begin[i]; k < m.row_begin[i + 1]; ++k)
            rows[std::size_t(m.column[k])].push_back({ddla::column_t(i), m.value.get(k)});
    std::vector<index_t> row_begin{0};
    std::vector<ddla::column_t> columns;
    ddla::vector<V> values(a.nonzeros());
    for (const auto& row : rows) {
        for (const auto& [column, value] : row) {
            values.set(index_t(columns.size()), value);
            columns.push_back(column);
        }
        row_begin.push_back(index_t(columns.size()));
    }
    return {a.columns(), a.rows(), std::move(row_begin), std::move(columns), std::move(values)};
}

template <class V>
void check_transpose(const csr_matrix<V>& here)
{
    INFO(here.rows() << " x " << here.columns() << ", " << here.nonzeros() << " entries");
    const csr_matrix<V> wanted = transposed_by_hand(here);
    const csr_matrix<V> there = ddla::transpose(here.to(place_under_test()));
    CHECK(there.where() == place_under_test());
    CHECK(same_bits(there, wanted));
    const csr_matrix<V> t = there.to(ddla::host);
    // What is known of its rows.
    const auto found = t.view(), known = wanted.view();
    CHECK(found.longest_row == known.longest_row);
    CHECK(found.long_rows.count == known.long_rows.count);
    CHECK(found.long_rows.tiles == known.long_rows.tiles);
}

/// Fails if the transpose has not been made.
template <class V>
std::shared_ptr<const csr_matrix<V>> kept_by(const csr_matrix<V>& a)
{
    bool is_kept = true;
    auto kept = a.kept().get([&] {
        is_kept = false;
        return csr_matrix<V>();
    });
    CHECK(is_kept);
    return kept;
}

}  // namespace

TEMPLATE_TEST_CASE("transposes of every shape", "[transposes]", double, ddla::dd_real)
{
    for (const auto& a : test::shapes<TestType>()) check_transpose(a);
    const auto none = [](index_t) { return index_t(0); };
    check_transpose(test::random_matrix<TestType>(0, 7, 1, none));
    check_transpose(test::random_matrix<TestType>(7, 0, 1, none));
    check_transpose(test::random_matrix<TestType>(5, 1, 2, [](index_t i) { return i % 3; }));
    // Empty rows and columns everywhere; all in one row, all in one column of many.
    check_transpose(test::random_matrix<TestType>(3000, 5000, 3, [](index_t i) -> index_t {
        return i % 7 == 3 || i < 4 || i > 2990 ? 0 : i % 2;
    }));
    check_transpose(test::random_matrix<TestType>(
        3, 70000, 4, [](index_t i) -> index_t { return i == 1 ? 70000 : 0; }));
    check_transpose(test::random_matrix<TestType>(70000, 1, 5, [](index_t) { return index_t(1); }));
    // Columns that need 17 bits, and the last one.
    const csr_matrix<TestType> wide(2, 65538, {0, 3, 4}, {65537, 0, 65536, 65537},
                                    {TestType(1), TestType(2), TestType(3), TestType(4)});
    check_transpose(wide);
    // Stored in another format, too.
    csr_matrix<TestType> grid = test::with_values<TestType>(ddla::generate::poisson3d(9, 8, 7));
    ddla::set_format<TestType>(grid, {.format = ddla::sparse_format::slices});
    check_transpose(grid);
}

TEMPLATE_TEST_CASE("a matrix keeps its transpose", "[transposes]", test::double_double,
                   test::dd_double, test::dd_dd)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    const auto here = test::random_matrix<V>(70, 90, 16, [](index_t i) { return i % 13; });
    const auto other = test::random_matrix<V>(70, 90, 17, [](index_t i) { return i % 11; });
    auto a = here.to(place_under_test());
    const auto x = test::random_vector<T>(70, 17).to(place_under_test());
    const auto product = [&](const csr_matrix<V>& of) {
        ddla::vector<T> y(90, place_under_test());
        ddla::spmv_transposed(T(1), of, x, T(0), y);
        return y;
    };
    const auto wanted = [&](const csr_matrix<V>& of) {
        ddla::vector<T> y(90, place_under_test());
        ddla::spmv(T(1), ddla::transpose(of).to(place_under_test()), x, T(0), y);
        return y;
    };
    CHECK(same_bits(product(a), wanted(here)));
    const auto kept = kept_by(a);
    CHECK(kept->where() == place_under_test());
    CHECK(same_bits(product(a), wanted(here)));
    CHECK(kept_by(a) == kept);
    // Another format is another way to store the same rows.
    ddla::set_format<T>(a, {.format = ddla::sparse_format::slices});
    CHECK(kept_by(a) == kept);
    const csr_matrix<V> copy = a;
    CHECK(kept_by(copy) == kept);
    // What is assigned has other rows.
    a = other.to(place_under_test());
    CHECK(same_bits(product(a), wanted(other)));
    CHECK(kept_by(a) != kept);
    CHECK(kept_by(copy) == kept);
    const csr_matrix<V> moved = std::move(a);
    CHECK(same_bits(product(moved), wanted(other)));
    a = copy;
    CHECK(kept_by(a) == kept);
    CHECK(same_bits(product(a), wanted(here)));
}

TEMPLATE_TEST_CASE("solves by LSMR keep the transpose", "[transposes]", double, ddla::dd_real)
{
    const auto here = test::random_matrix<double>(90, 70, 18, [](index_t i) { return 1 + i % 5; });
    const auto a = here.to(place_under_test());
    const auto b = test::random_vector<TestType>(90, 19, 0).to(place_under_test());
    const auto solve = [&] {
        ddla::vector<TestType> x(70, place_under_test());
        return ddla::solve(a, b, x,
                           {.method = ddla::method::lsmr, .tolerance = 0.0, .max_iterations = 5});
    };
    const auto first = solve();
    const auto kept = kept_by(a);
    const auto second = solve();
    CHECK(kept_by(a) == kept);
    CHECK(first.solution_hash == second.solution_hash);
    CHECK(first.bytes_per_iteration == second.bytes_per_iteration);
    CHECK(first.normal_residual == second.normal_residual);
}

TEST_CASE("threads that ask at once share one transpose", "[transposes]")
{
    const auto a = ddla::generate::poisson3d(12, 11, 10).to(place_under_test());
    const auto x = test::random_vector<double>(a.rows(), 20, 0).to(place_under_test());
    constexpr std::size_t count = 6;
    std::vector<ddla::vector<double>> y(count, ddla::vector<double>(a.columns(), a.where()));
    std::vector<std::shared_ptr<const csr_matrix<double>>> kept(count);
    {
        std::vector<std::jthread> threads;
        for (std::size_t j = 0; j < count; ++j)
            threads.emplace_back([&, j] {
                ddla::spmv_transposed(1.0, a, x, 0.0, y[j]);
                kept[j] = a.kept().get([] { return csr_matrix<double>(); });
            });
    }
    for (std::size_t j = 0; j < count; ++j) {
        CHECK(kept[j] == kept[0]);
        CHECK(kept[j]->rows() == a.columns());
        CHECK(same_bits(y[j], y[0]));
    }
}
