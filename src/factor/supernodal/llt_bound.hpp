// How far L L^T is from the matrix that was factored.
#pragma once

#include "llt_values.hpp"

#include "ddla/watched_scope.hpp"

#include <algorithm>
#include <cmath>

namespace ddla::factor {

namespace detail {

/// see(i, j, |l_ij|) of all that is stored, by columns; magnitudes by high words.  `rows`: those
/// below supernodes, by pivots.
template <scalar F, class See>
void each_magnitude(const supernodes& s, const column_t* rows, const llt_values<F>& l,
                    const See& see)
{
    for (column_t q = 0; q < s.size(); ++q) {
        const index_t first = s.first[as_size(q)], w = s.width(q), below = s.below(q);
        count_work(2 * w * (w + below));
        for (index_t j = 0; j < w; ++j) {
            for (index_t i = j; i < w; ++i) see(first + i, first + j, magnitude(l.get(s, q, i, j)));
            for (index_t r = 0; r < below; ++r)
                see(index_t{rows[s.row_begin[as_size(q)] + r]}, first + j,
                    magnitude(l.get(s, q, w + r, j)));
        }
    }
}

/// Entries of L in the row that has the most, zeros included.
inline index_t most_entries_of_row(const supernodes& s, const column_t* rows)
{
    std::vector<index_t> entries(as_size(s.columns()), 0);
    for (column_t q = 0; q < s.size(); ++q) {
        for (column_t j = 0; j < s.width(q); ++j)
            entries[as_size(s.first[as_size(q)] + j)] += j + 1;
        for (column_t r = 0; r < s.below(q); ++r)
            entries[as_size(rows[s.row_begin[as_size(q)] + r])] += s.width(q);
    }
    return entries.empty() ? 0 : *std::max_element(entries.begin(), entries.end());
}

/// That part of the largest row sum; infinite if one is not moderate.
inline double bound_of_rows(double part, const std::vector<double>& sums)
{
    double most = 0;
    for (const double sum : sums) {
        if (!(sum <= 0x1p100)) return HUGE_VAL;
        most = std::max(most, sum);
    }
    constexpr double upward = 1.1;  // for terms of higher order, and the roundings of these sums
    constexpr double underflow = 0x1p-900;
    return upward * part * most + underflow;
}

}  // namespace detail

/// At least || A - L L^T ||_2, by the largest row sum of |L| |L|^T; infinite if a number is not
/// finite.  docs/certify.md has the proof.  Cost: two passes over L.
template <scalar F>
double backward_error_bound(const supernodes& s, const llt_values<F>& l)
{
    if (s.columns() >= 1 << 30) return HUGE_VAL;
    std::vector<double> column(as_size(s.columns()), 0), row(as_size(s.columns()), 0);
    const column_t* const rows = s.row.data();
    detail::each_magnitude(s, rows, l,
                           [&](index_t, index_t j, double m) { column[as_size(j)] += m; });
    detail::each_magnitude(s, rows, l, [&](index_t i, index_t j, double m) {
        row[as_size(i)] += m * column[as_size(j)];
    });
    const auto updates = static_cast<double>(detail::most_entries_of_row(s, rows));
    return detail::bound_of_rows(
        words_of<F> == 1 ? 0x1p-53 * (updates + 2) : 0x1p-106 * (4 * updates + 60), row);
}

}  // namespace ddla::factor
