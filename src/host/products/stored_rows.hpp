// Row sums of A x in formats without a host kernel: row by row, as stored.  For the same results
// everywhere, not for speed.  Patterns have a kernel of their own: pattern_tile.hpp.
#pragma once

#include "formats/storage.hpp"
#include "rows.hpp"

namespace ddla::host_backend {

/// Row sums that were computed before the step.
template <class T>
struct known_sums {
    using results = lanes<T>;
    vec<const T> sum;

    void operator()(index_t begin, index_t end, results& ax) const
    {
        for (index_t i = begin; i < end; ++i) ax.set(i - begin, sum.get(i));
    }
};

template <class T, class V>
class stored_rows {
public:
    /// of_tile: room for tiles_of_long_rows() sums.
    stored_rows(const csr<V>& a, vec<const T> x, vec<T> of_tile) : a_(a), x_(x), of_tile_(of_tile)
    {
    }
    /// Those that are stored in slices.
    static index_t tiles_of_long_rows(const csr<V>& a)
    {
        return a.storage->slices.of_long > 0 ? a.long_rows.tiles : 0;
    }

    /// Independent pieces of the work: each slice of rows, and all long rows together.
    index_t pieces() const { return list().count - list().of_long + 1; }
    void sum_piece(index_t k, vec<T> ax) const
    {
        k += list().of_long;
        if (k < list().count) return sum_slice(list().slices[k], ax);
        sum_long_rows(ax);
    }

private:
    const formats::slice_list<V>& list() const { return a_.storage->slices; }

    T product(column_t column, V a) const { return x_.get(column) * a; }

    /// The sum of n <= 256 terms.
    template <class Term>
    static T sum_of(index_t n, const Term& term)
    {
        lanes<T> terms;
        terms.set(0, T(0));
        for (index_t k = 0; k < n; ++k) terms.set(k, term(static_cast<int>(k)));
        fold(terms, n);
        return terms.get(0);
    }

    /// Entry k of row r of a slice, times x.
    T in_slice(const formats::slice& s, int r, int k) const
    {
        const int j = k >> s.log2_lanes, lane = (r << s.log2_lanes) + (k & (s.lanes() - 1));
        const formats::leaf_of_slice leaf = formats::leaf_with(s, j);
        const int slot = j >> s.log2_leaves;
        column_t column = list().column(leaf, slot, lane);
        if (s.listed) column = a_.storage->lists.column_of(s, column);
        return product(column, list().value(leaf, slot, lane));
    }
    void sum_slice(const formats::slice& s, vec<T> ax) const
    {
        for (int r = 0; r < s.rows; ++r) {
            const int n = list().length(s, r);
            if (n == formats::left_out) continue;
            ax.set(list().row(s, r), sum_of(n, [&](int k) { return in_slice(s, r, k); }));
        }
    }
    void sum_long_rows(vec<T> ax) const
    {
        const long_row_list& long_rows = a_.long_rows;
        if (list().of_long > 0) return sum_tiles(long_rows, ax);
        for (index_t k = 0; k < long_rows.count; ++k)
            ax.set(long_rows.row[k], sum_row(a_, x_, long_rows.row[k]));
    }
    /// Long rows from their tiles, whose slices are in another order.
    void sum_tiles(const long_row_list& long_rows, vec<T> ax) const
    {
        for (index_t k = 0; k < list().of_long; ++k) {
            const formats::slice& s = list().slices[k];
            for (int r = 0; r < s.rows; ++r)
                of_tile_.set(list().row(s, r),
                             sum_of(list().length(s, r), [&](int e) { return in_slice(s, r, e); }));
        }
        for (index_t k = 0; k < long_rows.count; ++k) {
            running_sum<T> sum;
            for (index_t t = long_rows.first_tile[k]; t < long_rows.first_tile[k + 1]; ++t)
                sum.add(of_tile_.get(t));
            ax.set(long_rows.row[k], sum.sum(T(0)));
        }
    }

    csr<V> a_;
    vec<const T> x_;
    vec<T> of_tile_;
};

}  // namespace ddla::host_backend
