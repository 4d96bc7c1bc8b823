// A row of up to 256 entries by one thread, or by some that have every m-th entry each.
#pragma once

#include "short_rows.cuh"

namespace ddla::device_backend {

inline constexpr int leaf_size = 8;

/// Levels of the tree above its leaves for rows of `n` entries a thread.
__device__ __forceinline__ int levels_above_leaves(int n)
{
    return n > leaf_size ? 32 - __clz((n + leaf_size - 1) / leaf_size - 1) : 0;
}

/// The sum of a thread's entries 0, 1, ..., n - 1, those of one row that are m apart, 0 <= n <=
/// 8 * 2^depth.  The whole warp calls this with one `depth` <= Levels.
///
/// A leaf of the tree of the rule is the fold of eight entries: of c', c' + 2^depth, ... for c' the
/// reversal of the leaf's number c.  load(first, stride, n, columns, values) loads those of a leaf.
template <int Levels, class V, class Terms, class X, class Load>
__device__ __forceinline__ auto sum_strided(const Terms& terms, const X& x, int n, int depth,
                                            const Load& load)
{
    using value = typename Terms::value;
    partial_sums_in_registers<value, Levels> partial;
    value sum = Terms::none();
    const auto first = [=](int c) { return reversed_bits(c, depth); };
#pragma unroll 1
    for (int c = 0; c < 1 << depth; ++c) {
        const int count = (n - first(c) + (1 << depth) - 1) >> depth;
        column_t column[leaf_size];
        V a[leaf_size];
        load(first(c), depth, count, column, a);
        sum = sum_short_row<leaf_size, 2>(
            terms, x, count, [&](int r) { return column[r]; }, [&](int r) { return a[r]; }, [] {});
        if (depth == 0) return sum;
        carry(partial, c, sum, [&](int k) { return first(k) < n; });
    }
    return sum;
}

}  // namespace ddla::device_backend
