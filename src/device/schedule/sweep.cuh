// One kernel a step: a sweep, the sums of all its levels, and the step's finish, in one launch.
//
// A block sweeps some tiles of one group of 256 tiles.  Whoever delivers the last tile of a group
// folds the group; whoever delivers the last group folds the groups; the last of all delivers the
// sum: to the step's finish, or to memory.  Or the sums of tiles are all that is wanted, for those
// of others are to be added first.
#pragma once

#include "device/core/launch.cuh"
#include "device/products/rows.cuh"
#include "steps/step.hpp"

namespace ddla::device_backend {

/// Stands for the rows where a step sweeps elements.
struct no_rows {
    using number = index_t;
    static constexpr int blocks = tuning::blocks_of_steps;
};

/// Stands for the sum of a step that has none.
struct no_sum {};

/// What a step sums, or nothing.
template <class Step>
using sum_of = std::conditional_t<std::is_void_v<typename Step::sum>, no_sum, typename Step::sum>;

/// The least number of blocks per SM, for __launch_bounds__: without it the compiler limits
/// registers by its own choice, and spills.  With three sums one block less fits.
template <class Step>
inline constexpr int blocks_at_least = no_rows::blocks -
                                       (sizeof(sum_of<Step>) > 2 * sizeof(dd_real));

/// step(i), or step(i, row i of A x, ...); the whole warp calls this, also beyond the last element.
template <class Step, class Rows, class State>
__device__ __forceinline__ sum_of<Step> element(const Step& step, const Rows& rows,
                                                typename Rows::number i, typename Rows::number n,
                                                const State& q)
{
    const auto summed = [](const auto& f) -> sum_of<Step> {
        if constexpr (std::is_void_v<typename Step::sum>) {
            f();
            return {};
        } else {
            return f();
        }
    };
    if constexpr (std::is_same_v<Rows, no_rows>) {
        return i < n ? summed([&] { return steps::at_element(step, i, q); }) : sum_of<Step>{};
    } else {
        steps::own_of<Step> own{};
        const auto ax = rows(i, [&] {
            if (i < n) own = steps::own(step, i);
        });
        return i < n ? summed([&] { return steps::at_row(step, i, ax, own, q); }) : sum_of<Step>{};
    }
}

/// By a block, for fold_on_arrival(): its threads leave terms for one of its warps.
template <class Sum>
class folding_block {
public:
    __device__ explicit folding_block(terms_of_block<Sum>& room) : room_(room) {}

    __device__ static bool leads() { return threadIdx.x == 0; }
    /// x of the leading thread.
    __device__ static bool told(bool x)
    {
        __shared__ bool of_leader;
        if (leads()) of_leader = x;
        __syncthreads();
        return of_leader;
    }
    /// The fold of `size` sums; in the leading thread.
    __device__ __forceinline__ Sum fold(int size, const Sum* from) const
    {
        const int i = threadIdx.x;
        if (i < size) room_.put(load_from_others(from + i));
        __syncthreads();
        return i < warp_size ? room_.fold(size) : Sum{};
    }

private:
    terms_of_block<Sum>& room_;
};

/// Where the sum of a sweep goes.
template <class Sum>
struct destination {
    arrival_tree<Sum> up;  ///< its first sums are those of tiles; without counters nobody climbs
    Sum* total = nullptr;  ///< without it, to the step's finish

    /// Whether sums of tiles are kept, of which there are m: a single one is the sum.
    __device__ __forceinline__ bool keeps_tiles(index_t m) const { return m > 1 || !up.arrived; }
};

/// What all kernels of steps with a sum end with; all threads of a block call it.
template <class Step, class Sum = typename Step::sum>
__device__ __forceinline__ void deliver(const Step& step, const destination<Sum>& to,
                                        terms_of_block<Sum>& room, index_t n, index_t first,
                                        int count, Sum sum)
{
    if (!to.up.arrived) return;
    __syncthreads();
    if (!fold_on_arrival(folding_block(room), to.up, tiles(n), first, count, sum)) return;
    if (threadIdx.x > 0) return;
    if (to.total)
        *to.total = sum;
    else
        steps::finish(step, sum);
}

/// What is left of a step whose sum went to memory.
template <class Step>
__global__ void __launch_bounds__(block_size)
    finish_step(const Step step, const typename Step::sum* total)
{
    block_after_wait();
    if (threadIdx.x > 0 || Step::stopped(steps::scalars_of(step))) return;
    steps::finish(step, load_from_others(total));
}

/// Steps without a sum.
template <class Step, class Rows>
__global__ void __launch_bounds__(block_size, Rows::blocks)
    sweep(const Step step, const Rows rows, typename Rows::number n, int tiles_per_block)
{
    const index_t block = block_after_wait();
    const auto q = steps::scalars_of(step);
    if (Step::stopped(q)) return;
    using number = typename Rows::number;
    const number first = static_cast<number>(block) * tiles_per_block * tile_size;
    for (int t = 0; t < tiles_per_block && first + t * tile_size < n; ++t)
        element(step, rows, static_cast<number>(first + t * tile_size + threadIdx.x), n, q);
}

/// Steps with a sum, a block a tile.
template <class Step>
__global__ void __launch_bounds__(block_size, blocks_at_least<Step>)
    sweep_and_sum(const Step step, index_t n, int tiles_per_block,
                  const destination<typename Step::sum> to)
{
    using sum = typename Step::sum;
    __shared__ terms_of_block<sum> terms;
    const index_t block = block_after_wait();
    const auto q = steps::scalars_of(step);
    if (Step::stopped(q)) return;
    const index_t first = block * tiles_per_block, m = tiles(n);
    sum of_tile{};
    int done = 0;
    for (index_t t = first; done < tiles_per_block && t < m; ++t, ++done) {
        if (done > 0) __syncthreads();
        terms.put(element(step, no_rows{}, t * tile_size + threadIdx.x, n, q));
        __syncthreads();
        if (threadIdx.x < warp_size) of_tile = terms.fold(terms_in(n, t));
        if (threadIdx.x == 0 && to.keeps_tiles(m)) to.up.part[t] = of_tile;
    }
    deliver(step, to, terms, n, first, done, of_tile);
}

/// Whether the partial sums of all threads fit into static shared memory.
template <class Step>
inline constexpr bool has_room_for_turns = sizeof(partial_sums<typename Step::sum, 3>) < 47000;

/// Steps with a sum, one tile per warp, element by element: if there are enough tiles to keep all
/// warps busy.  No warp waits for another before its tiles are done.
/// tiles_per_block is a multiple of the warps of a block.
template <class Step>
__global__ void __launch_bounds__(block_size, no_rows::blocks)
    sweep_and_sum_by_turns(const Step step, index_t n, int tiles_per_block,
                           const destination<typename Step::sum> to)
{
    using sum = typename Step::sum;
    __shared__ union {
        partial_sums<sum, 3> partial;
        terms_of_block<sum> terms;
    } room;
    const index_t block = block_after_wait();
    const auto q = steps::scalars_of(step);
    if (Step::stopped(q)) return;
    const int lane = threadIdx.x % warp_size, warp = threadIdx.x / warp_size;
    const index_t first = block * tiles_per_block, m = tiles(n);
    const index_t end = first + tiles_per_block < m ? first + tiles_per_block : m;
    sum of_tile{};
    for (index_t t = first + warp; t < end; t += warps_per_block) {
        const index_t mine = t * tile_size + lane;
        of_tile = fold_tile_by_turns<sum>(room.partial, terms_in(n, t), [&](int r) {
            return element(step, no_rows{}, mine + r * warp_size, n, q);
        });
        if (lane == 0 && to.keeps_tiles(m)) to.up.part[t] = of_tile;
    }
    deliver(step, to, room.terms, n, first, static_cast<int>(end - first), of_tile);
}

/// Steps that only read elements and sum them, one tile per warp: for vectors that keep all warps
/// busy.
/// tiles_per_block is a multiple of the warps of a block.
/// Two sums in double-double need more registers.
template <class Step>
__global__ void __launch_bounds__(block_size, value_words<typename Step::sum> > 2
                                                  ? tuning::blocks_of_steps
                                                  : tuning::blocks_of_sums)
    sweep_and_sum_by_warps(const Step step, index_t n, int tiles_per_block,
                           const destination<typename Step::sum> to)
{
    using sum = typename Step::sum;
    __shared__ terms_of_block<sum> terms;
    const index_t block = block_after_wait();
    const auto q = steps::scalars_of(step);
    if (Step::stopped(q)) return;
    const int lane = threadIdx.x % warp_size, warp = threadIdx.x / warp_size;
    const index_t first = block * tiles_per_block, m = tiles(n);
    const index_t end = first + tiles_per_block < m ? first + tiles_per_block : m;
    const auto terms_of_tile = [&](index_t t) {
        return [&step, &q, at = t * tile_size + lane](int r) {
            return steps::at_element(step, at + r * warp_size, q);
        };
    };
    constexpr index_t stride = warps_per_block;
    sum of_tile{};
    index_t t = first + warp;
    for (; t + 3 * stride < end && (t + 3 * stride + 1) * tile_size <= n; t += 4 * stride) {
        of_tile = fold_four_tiles<sum>([&](int k) { return terms_of_tile(t + k * stride); });
        if (lane % 8 == 0) to.up.part[t + tile_of_lane(lane) * stride] = of_tile;
    }
    for (; t < end; t += stride) {
        of_tile = fold_tile<sum>(terms_in(n, t), terms_of_tile(t));
        if (lane == 0 && to.keeps_tiles(m)) to.up.part[t] = of_tile;
    }
    deliver(step, to, terms, n, first, static_cast<int>(end - first), of_tile);
}

/// *shared = q, in the order of the stream.
template <class State>
__global__ void store(State* shared, const State q)
{
    *shared = q;
}

}  // namespace ddla::device_backend
