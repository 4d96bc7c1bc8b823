// Row sums of A x as straight-line code for each length: a row, eight adjacent rows, or eight terms
// of a longer row at a time.
#pragma once

#include "host/simd/simd8.hpp"

#include <bit>

namespace ddla::host_backend {

/// What rows are summed by: code for each number of entries, or loops over any number.
enum row_code { straight_line, in_loops };

/// One row of N entries from `first` on.
template <int N, class T, class V>
[[gnu::always_inline]] inline T alone(const csr<V>& a, vec<const T> x, index_t first)
{
    index_t column[N + 1];
    unrolled<N / 2>([&](auto pair) __attribute__((always_inline)) {
        two_columns(a.column + first + 2 * pair, column + 2 * pair);
    });
    if constexpr (N % 2 == 1) column[N - 1] = a.column[first + N - 1];
    T term[N];
    unrolled<N>([&](auto k) __attribute__((always_inline)) {
        term[k] = x.get(column[k]) * a.value.get(first + k);
    });
    fold_unrolled<N, 2 * eight>([&](int i, int j) __attribute__((always_inline)) {
        term[i] = term[i] + term[j];
    });
    return term[0];
}

/// Whether, in eight rows of N entries, each column is one more than in the previous row, as in the
/// interior of a grid.
template <int N>
[[gnu::always_inline]] inline bool on_diagonals(const column_t* column)
{
    column_t differs = 0;
    for (int k = 0; k < (eight - 1) * N; ++k) differs |= (column[k + N] - column[k]) ^ 1;
    return differs == 0;
}

/// Eight adjacent rows of N entries; `first` is the first entry of the first row.
template <int N, class T, class V>
[[gnu::always_inline]] inline void neighbours(const csr<V>& a, vec<const T> x, index_t first,
                                              eight_of<T>& sum)
{
    const entries<V> from(a, first);  // all offsets from here are constants
    eight_of<T> term[N];
    const bool diagonals = on_diagonals<N>(from.column);
    unrolled<N>([&](auto k) __attribute__((always_inline)) {
        const auto at = [&](int l) __attribute__((always_inline))
        {
            return l * N + k;
        };
        if (diagonals)
            products_on_diagonal(from, x, at, term[k]);
        else
            products(from, x, at, term[k]);
    });
    fold_unrolled<N, eight>([&](int i, int j)
                                __attribute__((always_inline)) { add(term[i], term[j]); });
    assign(term[0], sum);
}

/// Eight rows of 1 to N entries, n_l from begin_l on.  Shorter rows read and ignore what follows
/// them: begin_l + N must be at most the number of entries.
template <int N, class T, class V>
[[gnu::always_inline]] inline void side_by_side(const csr<V>& a, vec<const T> x,
                                                const index_t* begin, const double* n,
                                                eight_of<T>& sum)
{
    const entries<V> from(a);
    eight_of<T> term[N];
    unrolled<N>([&](auto k) __attribute__((always_inline)) {
        products(
            from, x, [&](int l) __attribute__((always_inline)) { return begin[l] + k; }, term[k]);
    });
    fold_unrolled<N, eight>([&](int i, int j) __attribute__((always_inline)) {
        alignas(64) double k[eight];
        fill(j, k);
        add_where_less(k, n, term[i], term[j]);
    });
    assign(term[0], sum);
}

/// Adds blocks R, R + S, ... below B, of eight terms each, until eight terms are left.  Of the last
/// block B - 1, only lanes below `present` have terms.
template <int B, int R, int S, class T, class V>
[[gnu::always_inline]] inline void fold_blocks(const entries<V>& from, vec<const T> x,
                                               const double* present, eight_of<T>& sum)
{
    if constexpr (S >= B) {
        products_of_neighbours(from, x, eight * R, sum);
    } else {
        fold_blocks<B, R, 2 * S>(from, x, present, sum);
        if constexpr (R + S < B) {
            eight_of<T> right;
            fold_blocks<B, R + S, 2 * S>(from, x, present, right);
            if constexpr (R + S == B - 1)
                add_where_less(lane_number, present, sum, right);
            else
                add(sum, right);
        }
    }
}

/// A row of more than 8 (B - 1) and up to 8 B entries, B > 1, eight terms at a time, folded until
/// eight are left.  Reads and ignores what follows the row: begin + 8 B must be at most the number
/// of entries.
template <int B, class T, class V>
[[gnu::always_inline]] inline void fold_to_eight(const csr<V>& a, vec<const T> x, index_t begin,
                                                 index_t n, eight_of<T>& sum)
{
    alignas(64) double present[eight];
    fill(static_cast<double>(n - eight * (B - 1)), present);
    fold_blocks<B, 0, 1>(entries<V>(a, begin), x, present, sum);
}

/// The same for more than 16 Q and up to 32 Q entries.
template <int Q, class T, class V>
[[gnu::always_inline]] inline void fold_quarters(const csr<V>& a, vec<const T> x, index_t begin,
                                                 index_t n, eight_of<T>& sum)
{
    const entries<V> from(a, begin);
    const index_t last = (n - 1) / eight;
    alignas(64) double present[eight];
    fill(static_cast<double>(n - eight * last), present);
    const auto add_block = [&](index_t block, eight_of<T> & to) __attribute__((always_inline))
    {
        eight_of<T> more;
        products_of_neighbours(from, x, eight * block, more);
        if (block == last)
            add_where_less(lane_number, present, to, more);
        else
            add(to, more);
    };
    eight_of<T> term[Q];
    for (index_t b = 0; b < Q; b = opaque(b + 1)) {
        eight_of<T> left, right;
        products_of_neighbours(from, x, eight * b, left);
        if (b + 2 * Q <= last) add_block(b + 2 * Q, left);
        products_of_neighbours(from, x, eight * (b + Q), right);
        if (b + 3 * Q <= last) add_block(b + 3 * Q, right);
        add(left, right, term[b]);
    }
    for (int h = Q / 2; h > 1; h /= 2)
        for (int b = 0; b < h; ++b) add(term[b], term[b + h]);
    add(term[0], term[1], sum);
}

/// The same for 9 to 256 entries, without reading beyond the row.
template <class T, class V>
[[gnu::always_inline]] inline void fold_to_eight(const csr<V>& a, vec<const T> x, index_t begin,
                                                 index_t n, eight_of<T>& sum)
{
    const entries<V> from(a, begin);
    eight_of<T> term[tile_size / eight];
    const index_t whole = n / eight, blocks = (n + eight - 1) / eight;
    for (index_t b = 0; b < whole; b = opaque(b + 1))
        products_of_neighbours(from, x, eight * b, term[b]);
    auto h = static_cast<index_t>(std::bit_floor(static_cast<std::size_t>(blocks - 1)));
    if (whole < blocks) {
        // Lanes without a term repeat the last one.
        products(
            from, x,
            [&](int l)
                __attribute__((always_inline)) { return std::min(eight * whole + l, n - 1); },
            term[whole]);
        alignas(64) double present[eight];
        fill(static_cast<double>(n - eight * whole), present);
        add_where_less(lane_number, present, term[whole - h], term[whole]);
    }
    for (index_t pairs = whole - h; h > 0; h /= 2, pairs = h)
        for (index_t b = 0; b < pairs; b = opaque(b + 1)) add(term[b], term[b + h]);
    assign(term[0], sum);
}

}  // namespace ddla::host_backend
