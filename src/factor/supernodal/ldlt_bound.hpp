// How far L D L^T is from the matrix that was factored.
#pragma once

#include "ldlt.hpp"
#include "llt_bound.hpp"

namespace ddla::factor {

namespace detail {

/// Whether |a c| is below 0.42 b^2 in all blocks of two, [a b; b c], which Bunch and Kaufman's rule
/// gives, and a / b and c / b are moderate: what the bound of dividing by them needs.
template <scalar F>
bool has_good_pairs(const block_diagonal<F>& d)
{
    for (index_t k = 0; k < d.size(); ++k)
        if (d.starts_pair(k)) {
            const double b = magnitude(d.beside.get(k)), p = magnitude(d.diagonal.get(k)) / b,
                         q = magnitude(d.diagonal.get(k + 1)) / b;
            if (!(p * q < 0.42 && p <= 0x1p100 && q <= 0x1p100)) return false;
        }
    return true;
}

/// v becomes |D| v.
template <scalar F>
void times_magnitudes(const block_diagonal<F>& d, std::vector<double>& v)
{
    for (index_t k = 0; k < d.size(); ++k) {
        const double own = v[as_size(k)] * magnitude(d.diagonal.get(k));
        if (!d.starts_pair(k)) {
            v[as_size(k)] = own;
            continue;
        }
        const double b = magnitude(d.beside.get(k)), next = v[as_size(k) + 1];
        v[as_size(k) + 1] = b * v[as_size(k)] + magnitude(d.diagonal.get(k + 1)) * next;
        v[as_size(k)] = own + b * next;
        ++k;
    }
}

}  // namespace detail

/// At least || A - L D L^T ||_2, if no pivot was replaced, by the largest row sum of |L| |D| |L|^T;
/// infinite if a number is not finite.  `rows`: those below supernodes, by pivots.
/// docs/certify.md has the proof for double-double; in double the same steps give (m + 18) 2^-53,
/// m the most entries of a row.  Cost: two passes over L.
template <scalar F>
double backward_error_bound(const supernodes& s, const column_t* rows, const ldlt_values<F>& f)
{
    if (s.columns() >= 1 << 30 || !detail::has_good_pairs(f.d)) return HUGE_VAL;
    std::vector<double> column(as_size(s.columns()), 0), row(as_size(s.columns()), 0);
    detail::each_magnitude(s, rows, f.l,
                           [&](index_t, index_t j, double m) { column[as_size(j)] += m; });
    detail::times_magnitudes(f.d, column);
    detail::each_magnitude(s, rows, f.l, [&](index_t i, index_t j, double m) {
        row[as_size(i)] += m * column[as_size(j)];
    });
    const auto updates = static_cast<double>(detail::most_entries_of_row(s, rows));
    return detail::bound_of_rows(
        words_of<F> == 1 ? 0x1p-53 * (updates + 70) : 0x1p-106 * (4 * updates + 320), row);
}

}  // namespace ddla::factor
