// Rows that share their columns with those beside them.
#pragma once

#include "random.hpp"

#include <algorithm>

namespace test {

/// Row i has length(i) columns side by side; blocks of six rows begin with one column, up to 306
/// behind their first row: in so many ways that rows have no patterns.
template <class Length>
ddla::csr_matrix<double> near_rows(ddla::index_t n, const Length& length)
{
    std::vector<ddla::index_t> row_begin{0};
    std::vector<ddla::column_t> column;
    for (ddla::index_t i = 0; i < n; ++i) {
        const ddla::index_t count = length(i), behind = i / 6 * 101 % 307;
        const ddla::index_t first = std::min(i / 6 * 6 + behind, n - count);
        for (ddla::index_t k = 0; k < count; ++k)
            column.push_back(static_cast<ddla::column_t>(first + k));
        row_begin.push_back(static_cast<ddla::index_t>(column.size()));
    }
    const auto entries = static_cast<ddla::index_t>(column.size());
    return {n, n, std::move(row_begin), std::move(column), random_vector<double>(entries, 98)};
}

}  // namespace test
