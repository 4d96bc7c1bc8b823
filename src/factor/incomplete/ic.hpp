// IC(0): A ~ L L^T on the pattern of A's lower half.
//
// Entry (i, j) starts as the scaled a_ij and becomes entry - l_ip l_jp for each p < j whose two
// entries are in the pattern, ascending; then l_ij = entry / l_jj, and l_ii the square root.  Where
// that has none, A + s diag(A) is factored, s = 2^-10, 2^-9, … (Manteuffel, Math. Comp. 34, 1980).
#pragma once

#include "row_factors.hpp"

namespace ddla::factor::detail {

/// Row i of L; returns what its pivot is the root of.
template <scalar F>
F ic_row(const sparse_rows<F>& a, column_t i, double shift, working_row<F>& w, row_factors<F>& f)
{
    w.start(i);
    F diagonal(0);
    const index_t begin = a.begin[at(i)], end = a.begin[at(i) + 1];
    for (index_t k = begin; k < end && a.column[at(k)] < i; ++k)
        w.add(a.column[at(k)], a.value.get(k));
    for (index_t k = begin; k < end && a.column[at(k)] <= i; ++k) {
        const column_t j = a.column[at(k)];
        if (j == i) {
            diagonal = a.value.get(k) + a.value.get(k) * F(shift);
            continue;
        }
        for (index_t e = f.lower.begin[at(j)]; e < f.lower.begin[at(j) + 1]; ++e) {
            const column_t p = f.lower.column[at(e)];
            if (!w.has(p)) continue;
            w[j] = w[j] - w[p] * f.lower.value.get(e);
            ++f.operations;
        }
        append(f.lower, j, divide_by_pivot(w, j, f));
    }
    for (index_t e = f.lower.begin[at(i)]; e < f.lower.entries(); ++e) {
        const F l = f.lower.value.get(e);
        diagonal = diagonal - l * l;
        ++f.operations;
    }
    return diagonal;
}

template <scalar F>
row_factors<F> ic_of_shifted(const sparse_rows<F>& a, double shift, incomplete_options o)
{
    o.pivots = bad_pivots::refuse;
    row_factors<F> f;
    f.reserve(a.rows(), a.entries() / 2, 0);
    working_row<F> w(a.rows());
    each_row(a.rows(), [&](column_t i) {
        const F square = ic_row(a, i, shift, w, f);
        const double largest = largest_of_row(a, i);
        const bool has_root = word<0>(square) > o.tiny * largest;
        const F pivot = has_root || !isfinite(square) ? sqrt(square) : F(0);
        const bool goes_on = f.finish_row(pivot, 0, a.rows(), o);
        if (f.end == incomplete_end::bad_pivot && largest > 0)
            f.bad_part = word<0>(square) / largest;
        return goes_on;
    });
    return f;
}

/// Sets `shift` to that of the diagonal.
template <scalar F>
row_factors<F> ic(const sparse_rows<F>& a, const incomplete_options& o, double& shift)
{
    constexpr double first_shift = 0x1p-10, last_shift = 0x1p10;
    shift = 0;
    row_factors<F> f = ic_of_shifted(a, shift, o);
    const column_t bad_row = f.bad_row;
    const double bad_part = f.bad_part;
    index_t shifts = 0;
    while (f.end == incomplete_end::bad_pivot && o.pivots == bad_pivots::shift &&
           shift < last_shift) {
        shift = shift == 0 ? first_shift : 2 * shift;
        const double operations = f.operations;
        incomplete_options left = o;
        left.most_operations -= operations;
        f = ic_of_shifted(a, shift, left);
        f.operations += operations;
        ++shifts;
    }
    f.shifts = shifts;
    f.bad_row = bad_row;
    f.bad_part = bad_part;
    return f;
}

}  // namespace ddla::factor::detail
