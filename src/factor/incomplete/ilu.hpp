// ILU on a given pattern.
//
// Entry (i, j) of the pattern starts as the scaled a_ij and becomes entry - l_ip u_pj for each
// pivot p < min(i, j) whose two entries are in the pattern, ascending, a rounded product and a
// rounded difference each; then l_ij = entry / pivot.  With a pattern that holds all fill, these
// are the bits of the LU factors with the same pivots.
#pragma once

#include "fill_levels.hpp"

namespace ddla::factor::detail {

/// Row i of the pattern, updated by the rows before it.
template <scalar F>
void eliminate_row(const sparse_rows<F>& a, const fill_pattern& p, column_t i, working_row<F>& w,
                   row_factors<F>& f)
{
    w.start(i);
    for (index_t k = p.begin[at(i)]; k < p.begin[at(i) + 1]; ++k) w.add(p.column[at(k)], F(0));
    for (index_t k = a.begin[at(i)]; k < a.begin[at(i) + 1]; ++k)
        w[a.column[at(k)]] = a.value.get(k);
    for (index_t s = p.begin[at(i)]; s < p.diagonal[at(i)]; ++s) {
        const column_t k = p.column[at(s)];
        const F l = divide_by_pivot(w, k, f);
        append(f.lower, k, l);
        for (index_t e = f.upper.begin[at(k)]; e < f.upper.begin[at(k) + 1]; ++e) {
            const column_t j = f.upper.column[at(e)];
            if (!w.has(j)) continue;
            w[j] = w[j] - l * f.upper.value.get(e);
            ++f.operations;
        }
    }
    for (index_t s = p.diagonal[at(i)] + 1; s < p.begin[at(i) + 1]; ++s)
        append(f.upper, p.column[at(s)], w[p.column[at(s)]]);
}

/// Arrays that grow are copied, and their pages are touched twice.
template <scalar F>
void reserve(const fill_pattern& p, index_t n, row_factors<F>& f)
{
    index_t lower = 0;
    for (index_t i = 0; i < n; ++i) lower += p.diagonal[at(i)] - p.begin[at(i)];
    f.reserve(n, lower, static_cast<index_t>(p.column.size()) - n - lower);
}

template <scalar F>
row_factors<F> ilu(const sparse_rows<F>& a, const incomplete_options& o)
{
    const index_t n = a.rows();
    row_factors<F> f;
    const auto entry = static_cast<std::int64_t>(sizeof(F) + sizeof(column_t));
    const fill_pattern p = fill_levels(n, o).run(a, o.most_bytes / entry);
    f.end = p.end;
    if (f.end != incomplete_end::complete) return f;
    f.steps_before = n;
    reserve(p, n, f);
    working_row<F> w(n);
    each_row(n, [&](column_t i) {
        eliminate_row(a, p, i, w, f);
        return f.finish_row(w[i], largest_of_row(a, i), n, o);
    });
    return f;
}

}  // namespace ddla::factor::detail
