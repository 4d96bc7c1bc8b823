// Matrices for what decides how formats store rows.
#pragma once

#include "random.hpp"

#include "ddla/csr_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

namespace test {

/// Columns near the diagonal or `far`, values of which `distinct` differ.
inline ddla::csr_matrix<double> banded(ddla::index_t n, ddla::index_t length, ddla::index_t far,
                                       int distinct)
{
    random_numbers random(static_cast<std::uint64_t>(n + length));
    std::vector<ddla::index_t> row_begin{0};
    std::vector<ddla::column_t> column;
    std::vector<double> value;
    for (ddla::index_t i = 0; i < n; ++i) {
        const ddla::index_t count =
            std::max<ddla::index_t>(1, length - (i % 7 == 0) - (i % 50 == 0));
        for (ddla::index_t k = 0; k < count; ++k) {
            column.push_back(static_cast<ddla::column_t>((i + k * k * far) % n));
            value.push_back(std::ldexp(1.0 + double(random.below(distinct)), -3));
        }
        row_begin.push_back(static_cast<ddla::index_t>(column.size()));
    }
    ddla::vector<double> values(static_cast<ddla::index_t>(value.size()));
    for (ddla::index_t k = 0; k < values.size(); ++k) values.set(k, value[std::size_t(k)]);
    return {n, n, row_begin, column, values};
}

/// Rows of which each 256 have all columns.
template <class V>
ddla::csr_matrix<V> all_columns(ddla::index_t rows, ddla::index_t columns)
{
    std::vector<ddla::index_t> row_begin{0};
    std::vector<ddla::column_t> column;
    for (ddla::index_t i = 0; i < rows; ++i) {
        for (ddla::index_t j = i % 256; j < columns; j += 256)
            column.push_back(static_cast<ddla::column_t>(j));
        row_begin.push_back(static_cast<ddla::index_t>(column.size()));
    }
    const auto n = static_cast<ddla::index_t>(column.size());
    return {rows, columns, std::move(row_begin), std::move(column),
            random_vector<V>(n, static_cast<std::uint64_t>(columns))};
}

/// Of the rows that are not longer than a tile, the most different columns of 256 that follow on
/// one another from a multiple of 256 on.
template <class V>
ddla::index_t most_different_columns(const ddla::csr_matrix<V>& a)
{
    const ddla::csr<V> rows = a.view();
    std::size_t most = 0;
    std::set<ddla::column_t> columns;
    for (ddla::index_t i = 0; i < rows.rows; ++i) {
        if (i % 256 == 0) columns.clear();
        if (rows.row_length(i) > 256) continue;
        columns.insert(rows.column + rows.row_begin[i], rows.column + rows.row_begin[i + 1]);
        most = std::max(most, columns.size());
    }
    return static_cast<ddla::index_t>(most);
}

/// An entry a row, but for 32 rows, or all, of which one has one: a slice without entries has rows
/// of several lanes each.
template <class V>
ddla::csr_matrix<V> sparse_group(ddla::index_t n)
{
    return random_matrix<V>(n, n, 26, [](ddla::index_t i) { return i < 32 && i != 18 ? 0 : 1; });
}

}  // namespace test
