// Matrices that several tests share.
#pragma once

#include "random.hpp"

#include "ddla/generate.hpp"

#include <vector>

namespace test {

/// Rows of n entries on n diagonals, but for an entry of row 19 and the last of row 47.
template <class V>
ddla::csr_matrix<V> diagonals(ddla::index_t n)
{
    const ddla::index_t rows = 96;
    std::vector<ddla::index_t> offset{0};
    std::vector<ddla::column_t> column;
    for (ddla::index_t i = 0; i < rows; ++i) {
        for (ddla::index_t k = 0; k < n; ++k) {
            const bool astray = (i == 19 && k == 0) || (i == 47 && k == n - 1);
            column.push_back(static_cast<ddla::column_t>(i + 5 * k + (astray ? 1 : 0)));
        }
        offset.push_back(offset.back() + n);
    }
    return {rows, rows + 5 * n, std::move(offset), std::move(column),
            random_vector<V>(rows * n, 14 + static_cast<std::uint64_t>(n))};
}

/// Shapes that reach every path of a row sum.
template <class V>
std::vector<ddla::csr_matrix<V>> shapes()
{
    const auto constant = [](ddla::index_t n) { return [n](ddla::index_t) { return n; }; };
    std::vector<ddla::csr_matrix<V>> all;
    all.push_back(test::random_matrix<V>(0, 0, 1, constant(0)));
    all.push_back(test::random_matrix<V>(1, 1, 2, constant(1)));
    all.push_back(test::random_matrix<V>(300, 17, 3, constant(0)));
    all.push_back(test::random_matrix<V>(257, 400, 4, constant(7)));
    all.push_back(test::random_matrix<V>(1000, 1000, 5, [](ddla::index_t i) { return i % 5; }));
    all.push_back(test::random_matrix<V>(515, 600, 6, [](ddla::index_t i) { return i % 34; }));
    all.push_back(
        test::random_matrix<V>(64, 70, 7, [](ddla::index_t i) { return i % 9 == 3 ? 600 : 2; }));
    all.push_back(test::random_matrix<V>(12, 900, 8, [](ddla::index_t i) { return 253 + i; }));
    all.push_back(
        test::random_matrix<V>(3, 900, 9, [](ddla::index_t i) { return i == 1 ? 100000 : i; }));
    all.push_back(
        test::random_matrix<V>(20000, 20000, 10, [](ddla::index_t i) { return 1 + i % 4; }));
    all.push_back(test::random_matrix<V>(530, 900, 11, [](ddla::index_t i) { return i; }));
    all.push_back(test::random_matrix<V>(257, 900, 30, [](ddla::index_t i) { return 256 - i; }));
    all.push_back(test::random_matrix<V>(40, 900, 31, [](ddla::index_t i) { return 257 + 9 * i; }));
    // Short rows of all lengths, among them some of a tile, of several, of more than 2048 entries.
    all.push_back(test::random_matrix<V>(600, 900, 32, [](ddla::index_t i) -> ddla::index_t {
        constexpr ddla::index_t few[] = {33,  64,  65,   100,  128,  129,  200,  255, 256,
                                         257, 300, 1500, 2047, 2048, 2049, 2304, 5000};
        return i % 256 < 64 || i % 4 > 0 ? i * 5 % 17 : few[i / 4 % 17];
    }));
    // Sixteen neighbours of each length, and neighbours that are one entry apart.
    all.push_back(test::random_matrix<V>(1200, 900, 12, [](ddla::index_t i) { return i / 16; }));
    all.push_back(test::random_matrix<V>(
        600, 900, 13, [](ddla::index_t i) { return 2 + i / 40 - (i % 11 == 3); }));
    for (const ddla::index_t n : {1, 2, 7, 8}) all.push_back(diagonals<V>(n));
    return all;
}

/// A dense matrix, zeros left out.
template <class V>
ddla::csr_matrix<V> matrix_in(const std::vector<std::vector<V>>& rows)
{
    const std::size_t columns = rows.empty() ? 0 : rows.front().size();
    ddla::coordinates<V> c{.rows = static_cast<ddla::index_t>(rows.size()),
                           .columns = static_cast<ddla::index_t>(columns)};
    for (ddla::index_t i = 0; i < c.rows; ++i)
        for (ddla::index_t j = 0; j < c.columns; ++j)
            if (const V v = rows[std::size_t(i)][std::size_t(j)]; !(v == V(0))) c.add(i, j, v);
    return ddla::csr_matrix<V>(c);
}
inline ddla::csr_matrix<double> matrix_of(const std::vector<std::vector<double>>& rows)
{
    return matrix_in(rows);
}
/// The way back.
template <class V>
std::vector<std::vector<V>> rows_of(const ddla::csr_matrix<V>& a)
{
    const auto size = [](ddla::index_t n) { return static_cast<std::size_t>(n); };
    std::vector<std::vector<V>> rows(size(a.rows()), std::vector<V>(size(a.columns()), V(0)));
    const auto m = a.view();
    for (ddla::index_t i = 0; i < m.rows; ++i)
        for (ddla::index_t e = m.row_begin[i]; e < m.row_begin[i + 1]; ++e)
            rows[size(i)][size(m.column[e])] = m.value.get(e);
    return rows;
}

/// The pattern of A with other values.
template <class V>
ddla::csr_matrix<V> with_same_pattern(const ddla::csr_matrix<double>& a,
                                      const ddla::vector<V>& value)
{
    const auto m = a.view();
    const ddla::index_t* const offsets = m.row_begin.wide();  // of a csr_matrix: always wide
    return {a.rows(), a.columns(), std::vector<ddla::index_t>(offsets, offsets + a.rows() + 1),
            std::vector<ddla::column_t>(m.column, m.column + a.nonzeros()), value};
}

/// A itself or, in double-double, A / 3: a matrix whose low words are not zero.
template <class V>
ddla::csr_matrix<V> with_values(const ddla::csr_matrix<double>& a)
{
    if constexpr (std::is_same_v<V, double>) {
        return a;
    } else {
        const V third = V(1) / V(3);
        ddla::vector<V> value(a.nonzeros());
        for (ddla::index_t k = 0; k < a.nonzeros(); ++k)
            value.set(k, third * a.view().value.get(k));
        return with_same_pattern(a, value);
    }
}

/// A plus a diagonal of five values in turn: Jacobi does something.
inline ddla::csr_matrix<double> with_uneven_diagonal(const ddla::csr_matrix<double>& a)
{
    const auto m = a.view();
    ddla::vector<double> value(a.nonzeros());
    for (ddla::index_t i = 0; i < a.rows(); ++i)
        for (ddla::index_t k = m.row_begin[i]; k < m.row_begin[i + 1]; ++k)
            value.set(k, m.value.get(k) + (m.column[k] == i ? double(i % 5) : 0.0));
    return with_same_pattern(a, value);
}

/// Poisson's matrix less a number between its eigenvalues: symmetric, not definite.
inline ddla::csr_matrix<double> indefinite_grid(ddla::index_t nx, ddla::index_t ny)
{
    const auto a = ddla::generate::poisson2d(nx, ny);
    ddla::coordinates<double> c{.rows = a.rows(), .columns = a.columns()};
    for (ddla::index_t i = 0; i < a.rows(); ++i)
        for (ddla::index_t k = a.view().row_begin[i]; k < a.view().row_begin[i + 1]; ++k) {
            const ddla::index_t j = a.view().column[k];
            c.add(i, j, a.view().value.get(k) - (i == j ? 0.7 : 0.0));
        }
    return ddla::csr_matrix<double>(c);
}

/// Symmetric, positive definite and well conditioned, with a dense first row and column.
inline ddla::csr_matrix<double> arrow_matrix(ddla::index_t n)
{
    const double head = 0.5 / std::sqrt(static_cast<double>(n));
    ddla::coordinates<double> c{.rows = n, .columns = n};
    for (ddla::index_t i = 0; i < n; ++i) {
        c.add(i, i, 2 + static_cast<double>(i % 3));
        if (i > 0) c.add(0, i, head), c.add(i, 0, head);
    }
    return ddla::csr_matrix<double>(c);
}

/// Tridiagonal rows, every fifth one empty: a singular system.
inline ddla::csr_matrix<double> with_empty_rows(ddla::index_t n)
{
    ddla::coordinates<double> c{.rows = n, .columns = n};
    for (ddla::index_t i = 0; i < n; ++i) {
        if (i % 5 == 3) continue;
        c.add(i, i, 4);
        if (i > 0) c.add(i, i - 1, -1);
        if (i + 1 < n) c.add(i, i + 1, -1.5);
    }
    return ddla::csr_matrix<double>(c);
}

}  // namespace test
