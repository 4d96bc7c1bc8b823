// A row of up to 256 entries, by one thread or by m threads that take every m-th entry each.
#pragma once

#include "short_rows.cuh"

namespace ddla::device_backend {

inline constexpr int leaf_size = 8;

/// Levels of the tree above its leaves for a thread with `n` entries.
__device__ __forceinline__ int levels_above_leaves(int n)
{
    return n > leaf_size ? 32 - __clz((n + leaf_size - 1) / leaf_size - 1) : 0;
}

/// Partial sums that remember which of them have terms, for carry(): to find that out again from
/// the row's length takes registers that spill.
template <class Value, int Levels>
struct partial_sums_with_terms : partial_sums_in_registers<Value, Levels> {
    using base = partial_sums_in_registers<Value, Levels>;
    unsigned there = 0;    ///< bit l: that of level l has terms
    bool exists = false;   ///< the part at hand has terms; so had it ...
    bool existed = false;  ///< ... before its left neighbour was got

    __device__ __forceinline__ void put(int level, const Value& x)
    {
        base::put(level, x);
        there = exists ? there | 1u << level : there & ~(1u << level);
    }
    __device__ __forceinline__ Value get(int level)
    {
        existed = exists;
        exists = there >> level & 1;
        return base::get(level);
    }
};

/// The sum of a thread's entries 0, 1, ..., n - 1, which are every m-th entry of a row, 0 <= n <= 8
/// * 2^depth.  The whole warp calls this with one `depth` <= Levels.
///
/// A leaf of the summation tree is the fold of up to eight entries: c', c' + 2^depth, ... where c'
/// is the leaf's number c with its bits reversed.  load(first, depth, n, columns, values) loads the
/// n entries of a leaf.
template <int Levels, class V, class Terms, class X, class Load>
__device__ __forceinline__ auto sum_strided(const Terms& terms, const X& x, int n, int depth,
                                            const Load& load)
{
    using value = typename Terms::value;
    partial_sums_with_terms<value, Levels> partial;
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
        partial.exists = count > 0;
        carry(partial, c, sum, [&](int) { return partial.existed; });
    }
    return sum;
}

}  // namespace ddla::device_backend
