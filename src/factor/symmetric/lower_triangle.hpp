// A symmetric matrix as its factorisations take it.
#pragma once

#include "factor/columns.hpp"

namespace ddla::factor {

/// Whether each entry is that at its mirror image, bit for bit.  Cost: a transpose.
template <scalar V>
bool is_symmetric(const sparse_columns<V>& a)
{
    const sparse_columns<V> t = transposed(a);
    if (t.begin != a.begin || t.row != a.row) return false;
    for (index_t k = 0; k < a.entries(); ++k)
        if (!(t.value.get(k) == a.value.get(k))) return false;
    return true;
}

/// The lower triangle of the scaled matrix in this order: entry (i, j) of A becomes
/// a_ij 2^(exponent[i] + exponent[j]).
template <scalar F, scalar V>
sparse_columns<F> lower_triangle(const sparse_columns<V>& a, const std::vector<column_t>& order,
                                 const std::vector<int>& exponent)
{
    const index_t n = a.columns;
    std::vector<column_t> place(as_size(n));
    for (index_t k = 0; k < n; ++k) place[as_size(order[as_size(k)])] = static_cast<column_t>(k);
    sparse_columns<F> rows{n, n, {0}, {}, {}};
    for (index_t k = 0; k < n; ++k) {
        const column_t j = order[as_size(k)];
        for (index_t e = a.begin[as_size(j)]; e < a.begin[as_size(j) + 1]; ++e) {
            const column_t i = a.row[as_size(e)];
            if (place[as_size(i)] > k) continue;
            rows.row.push_back(place[as_size(i)]);
            rows.value.push_back(
                scaled(rounded<F>(a.value.get(e)), exponent[as_size(i)] + exponent[as_size(j)]));
        }
        rows.begin.push_back(rows.entries());
    }
    return transposed(rows);
}

}  // namespace ddla::factor
