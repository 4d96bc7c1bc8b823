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

namespace detail {

/// The triangle from columns whose mirror images have the same bits; threads share its columns.
template <scalar F, scalar V>
class triangle_of_columns {
public:
    triangle_of_columns(const sparse_columns<V>& a, const std::vector<column_t>& order,
                        const std::vector<column_t>& place, const std::vector<int>& exponent)
        : a_(a), order_(order), place_(place), exponent_(exponent)
    {
    }

    sparse_columns<F> run(const chunk_runner& run)
    {
        const index_t n = a_.columns, piece = std::max<index_t>(1, run.work() / 8);
        sparse_columns<F> to{n, n, {}, {}, {}};
        to.begin.assign(as_size(n) + 1, 0);
        run_pieces(run, n, piece, [&](index_t begin, index_t end) {
            for (index_t k = begin; k < end; ++k) to.begin[as_size(k) + 1] = entries_of(k);
        });
        std::partial_sum(to.begin.begin(), to.begin.end(), to.begin.begin());
        to.row.resize(as_size(to.begin.back()));
        to.value.resize_unfilled(to.begin.back());
        run_pieces(run, n, piece, [&](index_t begin, index_t end) {
            std::vector<std::pair<column_t, index_t>> column;  // places and entries
            for (index_t k = begin; k < end; ++k) fill(k, to, column);
        });
        return to;
    }

private:
    index_t entries_of(index_t k) const
    {
        const std::size_t j = as_size(order_[as_size(k)]);
        count_work(2 * (a_.begin[j + 1] - a_.begin[j]));
        return std::count_if(a_.row.begin() + a_.begin[j], a_.row.begin() + a_.begin[j + 1],
                             [&](column_t i) { return place_[as_size(i)] >= k; });
    }
    void fill(index_t k, sparse_columns<F>& to,
              std::vector<std::pair<column_t, index_t>>& column) const
    {
        const std::size_t j = as_size(order_[as_size(k)]);
        column.clear();
        count_work(20 * (a_.begin[j + 1] - a_.begin[j]));
        for (index_t e = a_.begin[j]; e < a_.begin[j + 1]; ++e)
            if (const column_t p = place_[as_size(a_.row[as_size(e)])]; p >= k)
                column.push_back({p, e});
        std::sort(column.begin(), column.end());
        index_t at = to.begin[as_size(k)];
        for (const auto& [p, e] : column) {
            to.row[as_size(at)] = p;
            to.value.set(at++, scaled(rounded<F>(a_.value.get(e)),
                                      exponent_[as_size(a_.row[as_size(e)])] + exponent_[j]));
        }
    }

    const sparse_columns<V>& a_;
    const std::vector<column_t>&order_, &place_;
    const std::vector<int>& exponent_;
};

}  // namespace detail

/// The lower triangle of the scaled matrix in this order: entry (i, j) of A becomes
/// a_ij 2^(exponent[i] + exponent[j]).
template <scalar F, scalar V>
sparse_columns<F> lower_triangle(const sparse_columns<V>& a, const std::vector<column_t>& order,
                                 const std::vector<int>& exponent, const chunk_runner& run = {})
{
    const index_t n = a.columns;
    std::vector<column_t> place(as_size(n));
    for (index_t k = 0; k < n; ++k) place[as_size(order[as_size(k)])] = static_cast<column_t>(k);
    // In double-double mirror images may differ in the sign of a zero.
    if constexpr (words_of<V> == 1)
        return detail::triangle_of_columns<F, V>(a, order, place, exponent).run(run);
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
