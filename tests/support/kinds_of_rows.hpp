// Rows that look alike but for their place: made, and counted one by one.
#pragma once

#include "random.hpp"

#include "ddla/csr_matrix.hpp"
#include "ddla/sparse_format.hpp"

#include <bit>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace test {

/// How many kinds of rows A, on the host, has by the distances of their columns from the diagonal
/// and, if these count, the bits of their values; it stops at 257.
template <class V>
ddla::index_t kinds_of_rows(const ddla::csr_matrix<V>& a, bool by_values = true)
{
    const ddla::csr<V> m = a.view();
    std::set<std::vector<std::uint64_t>> kinds;
    for (ddla::index_t i = 0; i < m.rows && kinds.size() <= 256; ++i) {
        std::vector<std::uint64_t> row;
        for (ddla::index_t k = m.row_begin[i]; k < m.row_begin[i + 1]; ++k) {
            row.push_back(static_cast<std::uint64_t>(m.column[k] - i));
            for (int w = 0; by_values && w < ddla::words_of<V>; ++w)
                row.push_back(std::bit_cast<std::uint64_t>(m.value.word(w)[k]));
        }
        kinds.insert(row);
    }
    return static_cast<ddla::index_t>(kinds.size());
}

/// What the refusal of `patterns` says of A, on the host; empty if it is no reason to refuse.
template <class V>
std::string why_no_patterns(const ddla::csr_matrix<V>& a)
{
    if (a.view().longest_row > 256)
        return "a row of " + std::to_string(a.view().longest_row) +
               " entries is too long for patterns";
    if (kinds_of_rows(a, false) > 256)
        return std::to_string(a.rows()) + " rows have more than 256 different column patterns";
    return "";
}

/// All formats but `patterns` where A, on the host, has none, and `crs_t`: that is crs_vector with
/// the fastest number of threads a row, which takes long to find and has tests of its own.
template <class V>
std::vector<ddla::sparse_format> formats_for(const ddla::csr_matrix<V>& a)
{
    std::vector<ddla::sparse_format> all;
    for (const ddla::sparse_format f : ddla::all_sparse_formats())
        if (f != ddla::sparse_format::crs_t &&
            (f != ddla::sparse_format::patterns || why_no_patterns(a).empty()))
            all.push_back(f);
    return all;
}

/// Rows of up to `length` entries, of 10 kinds: so many rows of one kind follow on one another.  Or
/// that is so of their columns, and no two values are equal.
template <class V>
ddla::csr_matrix<V> few_kinds(ddla::index_t n, ddla::index_t length, ddla::index_t apart,
                              bool of_values)
{
    const auto values = test::random_vector<V>(10, static_cast<std::uint64_t>(length));
    std::vector<ddla::index_t> row_begin{0};
    std::vector<ddla::column_t> column;
    std::vector<V> value;
    for (ddla::index_t i = 0; i < n; ++i) {
        const ddla::index_t kind = i / apart % 10;
        const ddla::index_t count = kind < 5 ? length : kind * length / 10 - kind % 2;
        for (ddla::index_t k = 0; k < count; ++k) {
            column.push_back(static_cast<ddla::column_t>(i + k * (kind % 3 + 1)));
            value.push_back(values.view().get((k + kind) % 10));
        }
        row_begin.push_back(static_cast<ddla::index_t>(column.size()));
    }
    ddla::vector<V> all(static_cast<ddla::index_t>(value.size()));
    for (ddla::index_t k = 0; k < all.size(); ++k) all.set(k, value[std::size_t(k)]);
    if (!of_values) all = test::random_vector<V>(all.size(), 99);
    return {n, n + 3 * length, row_begin, column, all};
}

}  // namespace test
