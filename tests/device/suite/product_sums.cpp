// Products of a solve that leave the sums of their tiles to the step that they belong to.
#include "solves.hpp"
#include "support/kinds_of_rows.hpp"
#include "support/shapes.hpp"

#include "ddla/generate.hpp"

using ddla::index_t;
using ddla::method;
using ddla::preconditioning;
using ddla::sparse_format;
using test::dd_dd;
using test::dd_double;
using test::double_double;
using test::with_values;

namespace {

/// Each step in a kernel, or all between two products, with the sums of products and without.
std::vector<test::way> ways_of_products()
{
    std::vector<test::way> all;
    for (const int sums : {0, -1})
        for (const auto& [most, blocks, check_every] : {std::tuple{index_t(0), 0, 0},
                                                        {INT64_MAX, 0, 2},
                                                        {INT64_MAX, 3, 1},
                                                        {index_t(-1), 0, 3}})
            all.push_back({{.resident_tiles = -1,
                            .sequence_tiles = most,
                            .sequence_blocks = blocks,
                            .product_sums = sums},
                           check_every});
    return all;
}

template <class T, class V>
void compare_products(const ddla::csr_matrix<V>& a, std::int64_t count, sparse_format stored,
                      const std::vector<preconditioning>& all = {preconditioning::none,
                                                                 preconditioning::jacobi})
{
    const auto b = test::random_vector<T>(a.rows(), 101, 0);
    const auto guess = test::random_vector<T>(a.rows(), 102, 0);
    for (const method m : {method::bicgstab, method::cg})
        for (const preconditioning p : all) {
            INFO(to_string(m) << ", " << to_string(p) << ", " << to_string(stored) << ", "
                              << a.rows() << " rows");
            test::compare_solve<T, V>(
                a, b, guess, {.method = m, .precond = p, .tolerance = 0, .max_iterations = count},
                ways_of_products(), stored);
        }
}

/// An entry a row, of so many values in turn: on the diagonal, or the further from it the later.
ddla::csr_matrix<double> single_entries(index_t n, int values, index_t far)
{
    ddla::coordinates<double> c{.rows = n, .columns = n};
    for (index_t i = 0; i < n; ++i)
        c.add(i, (i * far + i) % n, 1 + static_cast<double>(i % values) / 512);
    return ddla::csr_matrix<double>(c);
}

/// A diagonal, but for some rows at the beginning, in the middle and near the end: there slices of
/// a tile have fewer rows, so that there are more of them.
ddla::csr_matrix<double> diagonal_with_gaps(index_t n)
{
    ddla::coordinates<double> c{.rows = n, .columns = n};
    for (index_t i = 0; i < n; ++i) {
        const bool gap = i < 31 || (i >= n / 2 && i < n / 2 + 16) || (i >= n - 40 && i < n - 20);
        if (!gap) c.add(i, i, 1 + static_cast<double>(i % 3) / 512);
    }
    return ddla::csr_matrix<double>(c);
}

/// How many products of five iterations leave sums.
template <class T, class V>
std::int64_t products(const ddla::csr_matrix<double>& a, sparse_format stored)
{
    auto there = with_values<V>(a).to(test::gpu);
    ddla::set_format(there, {.format = stored});
    const ddla::vector<T> b(a.rows(), T(1), test::gpu);
    ddla::vector<T> x(a.rows(), test::gpu);
    const std::int64_t before = ddla::device_backend::products_with_sums();
    ddla::solve(there, b, x, {.method = method::cg, .max_iterations = 5});
    return ddla::device_backend::products_with_sums() - before;
}

}  // namespace

// The last tile of a block, and of all, may be one row; values in patterns, and beside them.
TEMPLATE_TEST_CASE("sums within products around tiles", "[device]", double_double, dd_double, dd_dd)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    for (const index_t tiles : {1, 2, 3, 9, 24, 25, 257})
        for (const index_t more : {-1, 0, 1}) {
            const index_t n = 256 * tiles + more;
            const auto line = ddla::generate::poisson2d(n, 1);
            compare_products<T>(with_values<V>(line), 3, sparse_format::patterns);
            compare_products<T>(with_values<V>(test::with_uneven_diagonal(line)), 3,
                                sparse_format::patterns);
        }
}

// Blocks have up to eight tiles, in double-double four, where there are millions of rows.
TEMPLATE_TEST_CASE("sums within products of many rows", "[device]", double_double, dd_double)
{
    using T = typename TestType::scalar;
    for (const index_t n : {70001, 600007, 800003, 2300009}) {
        const auto line = ddla::generate::poisson2d(n, 1);
        compare_products<T>(line, 2, sparse_format::patterns);
    }
    const auto line = ddla::generate::poisson2d(5300009, 1);
    const auto b = test::random_vector<T>(line.rows(), 104, 0);
    for (const auto& a : {line, test::with_uneven_diagonal(line)})
        test::compare_solve<T, double>(
            a, b, ddla::vector<T>(b.size()),
            {.method = ddla::method::bicgstab, .tolerance = 0, .max_iterations = 2}, {{{}, 0}},
            sparse_format::patterns);
    // Rows of several leaves, and values beside.
    const auto cube = test::few_kinds<double>(530001, 20, 64, false);
    ddla::coordinates<double> c{.rows = cube.rows(), .columns = cube.rows()};
    const auto m = cube.view();
    for (index_t i = 0; i < m.rows; ++i)
        for (index_t k = m.row_begin[i]; k < m.row_begin[i + 1]; ++k)
            if (m.column[k] < m.rows) c.add(i, m.column[k], m.value.get(k));
    compare_products<T>(ddla::csr_matrix<double>(c), 2, sparse_format::patterns);
}

TEMPLATE_TEST_CASE("which products leave sums", "[device]", double_double, dd_double, dd_dd)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    const auto line = ddla::generate::poisson2d(1000, 1), diagonal = single_entries(1000, 3, 0);
    const auto counted = [](const auto& a, sparse_format f) { return products<T, V>(a, f); };
    const std::int64_t all = std::is_same_v<V, double> ? 5 : 0;
    test::under({.resident_tiles = -1}, [&] {
        CHECK(counted(line, sparse_format::patterns) == all);
        CHECK(counted(diagonal, sparse_format::patterns) == all);
        CHECK(counted(diagonal, sparse_format::slices) == 0);
        CHECK(counted(line, sparse_format::slices) == 0);
        CHECK(counted(line, sparse_format::tiles) == 0);
        CHECK(counted(line, sparse_format::csr) == 0);
    });
    test::under({.resident_tiles = -1, .product_sums = -1},
                [&] { CHECK(counted(line, sparse_format::patterns) == 0); });
}

TEMPLATE_TEST_CASE("single entries in solves in every format", "[device]", double_double, dd_double,
                   dd_dd)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    for (const auto& some : {single_entries(1000, 3, 0), diagonal_with_gaps(1000)}) {
        const auto a = with_values<V>(some);
        for (const auto stored : test::formats_for(a))
            compare_products<T>(a, 4, stored, {preconditioning::none});
    }
}

// Where columns are far from each other, the operand is put word beside word before.
TEMPLATE_TEST_CASE("solves whose products gather from far", "[device]", double_double, dd_double,
                   dd_dd)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    for (const index_t n : {300, 4097, 70000}) {
        const auto a = with_values<V>(single_entries(n, 257, 97));
        compare_products<T>(a, 5, sparse_format::slices, {preconditioning::none});  // no diagonal
    }
}
