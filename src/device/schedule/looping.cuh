// Iterations of a system of middle size in one kernel.
//
// Too many tiles for a block each (persistent.cuh), too few to hide what the start and the end of a
// kernel a step cost.  As many blocks as the device holds stay and take tiles by turns, always the
// same ones; vectors are where other kernels have them, and the second-level cache keeps them.
//
// All blocks meet where a step has a sum, and where the next one gathers what this one wrote.  Then
// each of them adds up the sums of all tiles and computes the scalars: to wait until one has done
// it for all would be another barrier.
#pragma once

#include "resident_solve.cuh"

#include <cooperative_groups.h>

namespace ddla::device_backend {

/// The sums of all tiles, word by word.  Those of one step after the other have places by turns: a
/// block may put sums of the next step while another one still reads those of this one, but not
/// those of the step before, for all have met since.
class sums_of_tiles {
public:
    static constexpr std::size_t bytes(index_t tiles)
    {
        return 2 * meeting::most_words * static_cast<std::size_t>(tiles) * sizeof(word);
    }
    __device__ sums_of_tiles(word* all, index_t tiles)
        : all_(all), tiles_(static_cast<unsigned>(tiles))
    {
    }
    __device__ void turn() { turn_ ^= 1; }
    __device__ void put(int w, unsigned tile, word x) const { of_word(w)[tile] = x; }

    /// The fold of a group, by a warp, of the numbers whose first word is w; in lane 0.
    template <class Number>
    __device__ __forceinline__ Number fold_group(int group, int w) const
    {
        return fold_apart<Number>(terms_in(tiles_, group), of_word(w) + group * tile_size, tiles_);
    }

private:
    __device__ word* of_word(int w) const
    {
        return all_ + (turn_ * meeting::most_words + static_cast<unsigned>(w)) * tiles_;
    }
    /// Not inlined: each step with a sum wants it.
    template <class Number>
    __device__ static __noinline__ Number fold_apart(int count, const word* from, unsigned apart)
    {
        from += threadIdx.x % warp_size;
        return fold_tile<Number>(count, [=](int r) {
            return by_words(Number{}, [=](word, int k) {
                return __ldcg(from + static_cast<unsigned>(k) * apart + r * warp_size);
            });
        });
    }

    word* all_;
    unsigned tiles_, turn_ = 0;
};

/// What a block works with.
template <class State, class V>
struct looping {
    State& q;
    const csr<V>& a;
    sums_of_tiles& of_tiles;
    word* room;                      ///< for terms of a block, twice
    word (*of_groups)[most_groups];  ///< words of the sums of groups
};

/// total = the sum of the sums of all tiles.  All threads call this, after all blocks have met, and
/// find it after a barrier.
template <class Sum, class State, class V>
__device__ __forceinline__ void add_up_tiles(const looping<State, V>& here, index_t tiles,
                                             shared_value<Sum>& total)
{
    using number = typename parts_of<Sum>::part;
    constexpr int numbers = parts_of<Sum>::count, words = value_words<number>;
    const int lane = threadIdx.x % warp_size, warp = threadIdx.x / warp_size;
    const int groups = static_cast<int>(tiles_of(tiles));
    const auto each_word = [&](const number& x, const auto& put) {
        if (lane == 0) by_words(x, [&](word w, int k) { return put(k, w), w; });
    };
#pragma unroll 1
    for (int job = warp; job < groups * numbers; job += warps_per_block) {
        const int group = job / numbers, first = job % numbers * words;
        each_word(here.of_tiles.template fold_group<number>(group, first), [&](int k, word w) {
            if (groups == 1)
                total.put(first + k, w);
            else
                here.of_groups[first + k][group] = w;
        });
    }
    if (groups == 1) return;
    __syncthreads();
    if (warp >= numbers) return;
    const int first = warp * words;
    const auto of_group = by_words(
        number{}, [&](word, int k) { return here.of_groups[first + k][lane % most_groups]; });
    each_word(fold_lanes(of_group, lane, most_groups, groups),
              [&](int k, word w) { total.put(first + k, w); });
}

/// The step over the block's tiles; their sums, if it has one, are put with those of the others.
template <class Step, class Rows, class State, class V>
__device__ __forceinline__ void sweep_tiles(const Step& step, const Rows& rows,
                                            const looping<State, V>& here)
{
    const auto n = static_cast<std::uint32_t>(here.a.rows), m = tiles_of(n);
    const State q = here.q;
    int turn = 0;
#pragma unroll 1
    for (unsigned t = blockIdx.x; t < m; t += gridDim.x, turn ^= 1) {
        const auto mine = element(step, rows, t * tile_size + threadIdx.x, n, q);
        if constexpr (!std::is_void_v<typename Step::sum>) {
            // While some warps fold one tile, the others go on to the next one: but not to the one
            // after it.
            auto& room = reinterpret_cast<terms_of_block<typename Step::sum>*>(here.room)[turn];
            room.put(mine);
            __syncthreads();
            room.fold_by_warps(terms_in(n, t), [&](int w, word x) {
                if (threadIdx.x % warp_size == 0) here.of_tiles.put(w, t, x);
            });
        }
    }
}

/// `Gathers`: the next step reads what other blocks write in this one.
template <bool Gathers, class Step, class State, class V>
__device__ __forceinline__ void take_step(const Step& step, const looping<State, V>& here)
{
    if (Step::stopped(here.q)) return;  // as do all blocks: their scalars are the same
    if constexpr (Step::sweeps == steps::over::rows) {
        using T = typename decltype(step.operand)::value_type;
        const row_sums<steps::products<T>, T, V> rows({}, here.a, step.operand);
        sweep_tiles(step, rows, here);
    } else {
        sweep_tiles(step, no_rows{}, here);
    }
    constexpr bool sums = !std::is_void_v<typename Step::sum>;
    // Else others may still gather what the next step overwrites.
    static_assert(sums || Step::sweeps != steps::over::rows);
    if constexpr (sums || Gathers) cooperative_groups::this_grid().sync();
    if constexpr (sums) {
        static_assert(value_words<typename Step::sum> <= meeting::most_words);
        finish_here(step, here.q, [&](auto& total) {
            add_up_tiles(here, tiles_of(here.a.rows), total);
            here.of_tiles.turn();
        });
    }
}
template <class First, class State, class V>
__device__ __forceinline__ void take_steps_from(const chain<>&, const looping<State, V>&)
{
}
/// First is that of the iteration, which comes after the last one.
template <class First, class Step, class... Rest, class State, class V>
__device__ __forceinline__ void take_steps_from(const chain<Step, Rest...>& steps,
                                                const looping<State, V>& here)
{
    using next = std::tuple_element_t<0, std::tuple<Rest..., First>>;
    take_step<next::sweeps == steps::over::rows>(steps.first, here);
    take_steps_from<First>(steps.rest, here);
}

/// Up to `times` iterations, all blocks on the device at once, of a system of at most
/// most_looping_tiles.  `sums` are those of tiles.
template <class V, class First, class... Rest>
__global__ void
__launch_bounds__(block_size, words_of<typename decltype(First::operand)::value_type> == 1 ? 3 : 2)
    iterate_in_turns(const chain<First, Rest...> iteration, const csr<V> a, index_t times,
                     word* sums)
{
    using state = std::remove_pointer_t<decltype(First::shared)>;
    __shared__ shared_value<state> scalars;
    __shared__ word room[2 * meeting::most_words * block_size];
    __shared__ word of_groups[meeting::most_words][most_groups];
    state& q = scalars.whole();
    if (threadIdx.x == 0) take_scalars(q, *iteration.first.shared);
    sums_of_tiles of_tiles(sums, tiles_of(a.rows));
    __syncthreads();
    if (First::stopped(q)) return;
    const looping<state, V> here{q, a, of_tiles, room, of_groups};
    for (index_t k = 0; k < times && !First::stopped(q); ++k)
        take_steps_from<First>(iteration, here);
    cooperative_groups::this_grid().sync();  // nobody still reads *shared
    if (blockIdx.x == 0 && threadIdx.x == 0) *iteration.first.shared = q;
}

}  // namespace ddla::device_backend
