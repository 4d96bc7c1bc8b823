// y = A x where rows are stored as pattern numbers: a warp takes 32 rows at a time, one a thread.
//
// A row has of its own only its pattern number, one byte, and its values if these are stored
// separately.  The rest comes from L1, where most lanes of a warp read the same address.
#pragma once

#include "columns.cuh"
#include "device/core/async_copy.cuh"
#include "device/core/fold.cuh"
#include "device/core/launch.cuh"
#include "formats/storage.hpp"
#include "product_sums.cuh"

#include <algorithm>
#include <type_traits>

namespace ddla::device_backend {

/// Levels: of the tree above leaves of eight entries.  Beside: values are stored separately from
/// the patterns.
template <class Terms, class X, class V, int Levels, bool Beside>
class pattern_sums {
public:
    using value = typename Terms::value;
    static constexpr int threads = block_size, levels = Levels;
    /// In double, with values in the patterns and rows of one leaf, a thread has registers for two
    /// rows at a time.
    static constexpr bool takes_two = words_of<value> == 1 && Levels == 0 && !Beside;
    static constexpr int blocks = tuning::blocks_of_patterns(words_of<value>, takes_two, Beside);

    pattern_sums(const Terms& terms, const formats::row_patterns<V>& a, index_t rows, const X& x)
        : terms_(terms), a_(a), rows_(static_cast<int>(rows)), x_(x)
    {
    }

    /// For several products: see sums_for().
    __device__ __forceinline__ const X& x() const { return x_; }
    __device__ __forceinline__ void take(const X& x, int) { x_ = x; }

    /// The pattern number of row i, or -1 beyond the last row.
    __device__ __forceinline__ int pattern_of(int i) const
    {
        return i < rows_ ? __ldcs(a_.of_row + i) : -1;
    }

    __device__ __forceinline__ bool has(int i) const { return i < rows_; }

    /// The sum of row i, by a warp with one row a lane.  The row of lane 0 must exist.
    __device__ __forceinline__ value operator()(int i, int pattern) const
    {
        const int number = pattern < 0 ? 0 : pattern;
        lane mine{i, a_.leaf + (number << log2_leaves()), nullptr};
        if constexpr (Beside)
            mine.value = a_.beside.word(0) +
                         index_t(__ldg(a_.first_slot + i / warp_size)) * warp_size + i % warp_size;
        const int length = __ldg(a_.length + number);
        if (__all_sync(whole_warp, pattern == __shfl_sync(whole_warp, number, 0)))
            return sum_of<true>(mine, length, length);
        const int n = pattern < 0 ? 0 : length;
        return sum_of<false>(mine, n, largest_of_warp(n));
    }

    /// Whether all rows of a warp, two a lane, exist and have the same pattern.
    __device__ __forceinline__ bool are_alike(int pattern, int other) const
    {
        const int first = __shfl_sync(whole_warp, pattern, 0);
        return __all_sync(whole_warp, first >= 0 && pattern == first && other == first);
    }
    /// The sums of rows i and i + apart, if are_alike().
    __device__ __forceinline__ void sum_two(int i, int apart, int pattern, value (&sum)[2]) const
    {
        static_assert(takes_two);
        const leaf_of_pattern* const from = a_.leaf + pattern;
        const double* const x = x_.word(0) + i;
        with_width(__ldg(a_.length + pattern), [&](auto width) {
            constexpr int n = decltype(width)::value;
            int offset[slots_each];
            load_offsets<n, 0, 1>(from, offset);
            double one[n], two[n];
#pragma unroll
            for (int k = 0; k < n; ++k) {
                const double* const at = x + offset[leaf_of_pattern::place(k)];
                one[k] = at[0];
                two[k] = at[apart];
            }
            const auto fold = [&](const double* all) {
                return fold_all<slots_each, n>(
                    [&](int k) {
                        return terms_(all[k], __ldg(from->word[0] + leaf_of_pattern::place(k)));
                    },
                    [](int) { return true; });
            };
            sum[0] = fold(one);
            sum[1] = fold(two);
        });
    }

private:
    using leaf_of_pattern = formats::pattern_leaf<V>;
    static constexpr int slots_each = formats::slots_of_leaf;

    __device__ __forceinline__ int log2_leaves() const
    {
        return Levels == 0 ? 0 : a_.log2_leaves;
    }
    __device__ __forceinline__ int first_of_leaf(int c) const
    {
        return reversed_bits(c, log2_leaves());
    }
    __device__ __forceinline__ int slots_of_leaf(int n, int c) const
    {
        return (n - first_of_leaf(c) + (1 << log2_leaves()) - 1) >> log2_leaves();
    }

    /// The state of a lane: its row, its next leaf, and the separate values of that leaf, if any.
    struct lane {
        int row;
        const leaf_of_pattern* leaf;
        const double* value;
    };

    /// Alike: all lanes have the same pattern.
    template <bool Alike>
    __device__ __forceinline__ value sum_of(lane mine, int n, int most) const
    {
        if constexpr (Levels == 0) {
            const value sum = leaf<Alike>(mine, most, n);
            return n > 0 ? sum : Terms::none();
        } else {
            value sum;
#pragma unroll 1
            for (int c = 0;; ++c) {
                const int slots = slots_of_leaf(most, c);
                sum = leaf<Alike>(mine, slots, slots_of_leaf(n, c));
                ++mine.leaf;
                if (Beside) mine.value += slots * warp_size;
                carry(sums_of_levels(), c, sum, [&](int k) { return first_of_leaf(k) < n; });
                if ((c + 1) >> log2_leaves()) break;
            }
            return n > 0 ? sum : Terms::none();
        }
    }
    __device__ static __forceinline__ auto& sums_of_levels()
    {
        __shared__ partial_sums<value, (Levels > 0 ? Levels : 1), threads> all;
        return all;
    }

    /// f(std::integral_constant<int, slots>); nothing for 0 slots.
    template <class F>
    __device__ static __forceinline__ void with_width(int slots, const F& f)
    {
        if (slots == 7) return f(number<7>{});
        if (slots == 8) return f(number<8>{});
        if (slots == 6) return f(number<6>{});
        if (slots == 5) return f(number<5>{});
        if (slots == 4) return f(number<4>{});
        if (slots == 3) return f(number<3>{});
        if (slots == 2) return f(number<2>{});
        if (slots == 1) return f(number<1>{});
    }
    template <int N>
    using number = std::integral_constant<int, N>;

    /// The fold of a leaf of `wide` slots, of which this lane has `count`.
    template <bool Alike>
    __device__ __forceinline__ value leaf(const lane& mine, int wide, int count) const
    {
        value sum = Terms::none();
        with_width(wide,
                   [&](auto width) { sum = leaf_of<Alike, decltype(width)::value>(mine, count); });
        return sum;
    }
    /// Even slots, then odd ones: double-double has registers for x of one half only.
    template <bool Alike, int W>
    __device__ __forceinline__ value leaf_of(const lane& mine, int count) const
    {
        if constexpr (words_of<value> == 1) {
            return part_of_leaf<Alike, W, 0, 1>(mine, count);
        } else {
            const value sum = part_of_leaf<Alike, W, 0, 2>(mine, count);
            if constexpr (W == 1) return sum;
            const value both = sum + part_of_leaf<Alike, W, 1, 2>(mine, count);
            return Alike || 1 < count ? both : sum;
        }
    }
    template <bool Alike, int W, int First, int Apart>
    __device__ __forceinline__ value part_of_leaf(const lane& mine, int count) const
    {
        constexpr int n = (W - First + Apart - 1) / Apart;
        if constexpr (n > 0) {
            const auto exists = [=](int r) { return Alike || First + r * Apart < count; };
            const auto place = [](int r) { return leaf_of_pattern::place(First + r * Apart); };
            int offset[slots_each];
            load_offsets<W, First, Apart>(mine.leaf, offset);
            decltype(x_.get(0)) x[n];
#pragma unroll
            for (int r = 0; r < n; ++r) {
                x[r] = 0.0;
                if (exists(r)) x[r] = x_.get(mine.row + offset[place(r)]);
            }
            return fold_all<slots_each / Apart, n>(
                [&](int r) { return terms_(x[r], value_at(mine, First + r * Apart)); }, exists);
        } else {
            return Terms::none();
        }
    }
    /// Loads the offsets of slots First, First + Apart, ... below W to their places; four a load.
    template <int W, int First, int Apart>
    __device__ static __forceinline__ void load_offsets(const leaf_of_pattern* from,
                                                        int (&offset)[slots_each])
    {
        constexpr bool even = First == 0, odd = W > 1 && (Apart == 1 || First == 1);
#pragma unroll
        for (int k = 0; k < slots_each; k += 4) {
            if (!(k == 0 ? even : odd)) continue;
            const int4 four = __ldg(reinterpret_cast<const int4*>(from->offset + k));
            offset[k] = four.x;
            offset[k + 1] = four.y;
            offset[k + 2] = four.z;
            offset[k + 3] = four.w;
        }
    }
    __device__ __forceinline__ V value_at(const lane& mine, int slot) const
    {
        // A low word is `apart` elements after its high word.
        const double* const at = Beside ? mine.value + slot * warp_size
                                        : mine.leaf->word[0] + leaf_of_pattern::place(slot);
        const index_t apart = Beside ? a_.beside.word(1) - a_.beside.word(0) : index_t(slots_each);
        const auto load = [](const double* from) { return Beside ? __ldcs(from) : __ldg(from); };
        if constexpr (words_of<V> == 1)
            return load(at);
        else
            return {load(at), load(at + apart)};
    }

    Terms terms_;
    formats::row_patterns<V> a_;
    int rows_;
    X x_;
};

/// The sums of the rows of a block: each * 256 consecutive rows.  In each turn its warps take
/// adjacent rows, which gather the same part of x.  finish(row, row within the block, sum) for
/// each.  Returns false, and does nothing, if the solve is over.
template <class Sums, class Finish>
__device__ __forceinline__ bool take_rows_by_turns(const Sums& sums, index_t block, int each,
                                                   const steps::end_of_solve* end,
                                                   const Finish& finish)
{
    constexpr int at_once = Sums::takes_two ? 2 : 1, apart = Sums::threads;
    int i = static_cast<int>(block) * (each * apart) + threadIdx.x;
    const auto pattern_of = [&](int turn, int k) {
        return turn + k < each ? sums.pattern_of(i + k * apart) : -1;
    };
    int pattern = pattern_of(0, 0), other = Sums::takes_two ? pattern_of(0, 1) : -1;
    if (is_over(end)) return false;
    const int lane = threadIdx.x % warp_size;
#pragma unroll 1
    for (int turn = 0; turn < each; turn += at_once, i += at_once * apart) {
        const int next = pattern_of(turn, at_once);
        const int other_next = Sums::takes_two ? pattern_of(turn, at_once + 1) : -1;
        const int here = turn * apart + static_cast<int>(threadIdx.x);
        bool done = false;
        if constexpr (Sums::takes_two) {
            done = sums.are_alike(pattern, other);
            if (done) {
                typename Sums::value sum[2]{};
                sums.sum_two(i, apart, pattern, sum);
                finish(i, here, sum[0]);
                finish(i + apart, here + apart, sum[1]);
            }
        }
        if (!done) {
#pragma unroll 1
            for (int k = 0; k < at_once && sums.has(i + k * apart - lane); ++k) {
                const int mine = k == 0 ? pattern : other;
                const auto sum = sums(i + k * apart, mine);
                if (mine >= 0) finish(i + k * apart, here + k * apart, sum);
            }
        }
        pattern = next;
        other = other_next;
    }
    return true;
}

template <class Products, class Sums>
__global__ void __launch_bounds__(Sums::threads, Sums::blocks)
    multiply_patterns(const __grid_constant__ Products products, const Sums sums, int each,
                      const steps::end_of_solve* end)
{
    const auto [block, product] = block_of(products, block_after_wait());
    const auto& step = step_of(products, product);
    take_rows_by_turns(sums_for(products, sums, product), block, each, end,
                       [&](int row, int, const auto& sum) { write_row(step, row, sum); });
}

/// Most turns of a block.  With sums of tiles, v of all turns must fit into shared memory.
template <class Sums>
inline constexpr int most_turns =
    Sums::levels > 0 ? tuning::most_turns_of_leaves : tuning::most_turns_of_leaf;
template <class Sums>
inline constexpr int most_summed_turns = words_of<typename Sums::value> == 1
                                             ? most_turns<Sums>
                                             : std::min(most_turns<Sums>,
                                                        tuning::most_summed_turns);

/// The same with the sums of tiles: one turn of a block is one tile.
template <class Sums>
__global__ void __launch_bounds__(Sums::threads, Sums::blocks)
    multiply_patterns_and_sum(const product_with_sums<typename Sums::value> product,
                              const Sums sums, int each, const steps::end_of_solve* end)
{
    static_assert(Sums::threads == tile_size);
    using T = typename Sums::value;
    __shared__ tiles_of_block<T, most_summed_turns<Sums>> kept;
    const index_t block = block_after_wait();
    if (take_rows_by_turns(sums, block, each, end, [&](int row, int here, const T& sum) {
            write_row(product, row, here, sum, kept);
        }))
        sum_tiles<Sums::threads / warp_size>(product, block, each, kept);
}

}  // namespace ddla::device_backend
