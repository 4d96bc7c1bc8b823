// One kernel a step: a sweep, the sums of all its levels, and the step's finish, in one launch.
//
// A block sweeps some tiles of one group of 256 tiles.  Whoever delivers the last tile of a group
// folds the group; whoever delivers the last group folds the groups; the last of all finishes.
#pragma once

#include "rows.cuh"
#include "steps/step.hpp"

namespace ddla::device_backend {

/// Sums on their way up: those of tiles, then those of groups of tiles, ...; and how many sums of
/// each group are there.
template <class Sum>
struct ladder {
    Sum* part;
    unsigned* arrived;  ///< all zero between sweeps
};

/// Stands for the rows where a step sweeps elements.
struct no_rows {
    static constexpr int blocks = 2;
};

// Each kind of rows says how many blocks a multiprocessor should hold at least: without that the
// compiler saves registers for a number of its own choice, and spills.

/// step(i), or step(i, row i of A x); the whole warp calls this, also beyond the last element.
template <class Step, class Rows, class State>
__device__ __forceinline__ auto element(const Step& step, const Rows& rows, index_t i, index_t n,
                                        const State& q)
{
    using sum = typename Step::sum;
    if constexpr (std::is_void_v<sum>) {
        if constexpr (std::is_same_v<Rows, no_rows>) {
            if (i < n) step(i, q);
        } else {
            const auto ax = rows(i);
            if (i < n) step(i, ax, q);
        }
    } else {
        sum term{};
        if constexpr (std::is_same_v<Rows, no_rows>) {
            if (i < n) term = step(i, q);
        } else {
            const auto ax = rows(i);
            if (i < n) term = step(i, ax, q);
        }
        return term;
    }
}

__device__ __forceinline__ int terms_in(index_t n, index_t tile)
{
    const index_t left = n - tile * tile_size;
    return static_cast<int>(left < tile_size ? left : tile_size);
}

/// All threads of a block call this when the sums of its `count` tiles from `first` on, all of one
/// group, are in up.part (where there is one tile, in `total` of thread 0).  True in the thread
/// that holds the sum of all n terms in `total`.
template <class Sum>
__device__ bool climb(ladder<Sum> up, index_t n, index_t first, int count, Sum& total)
{
    __shared__ bool last;
    for (index_t m = tiles(n); m > 1; m = tiles(m)) {
        const index_t group = first / tile_size;
        const int size = terms_in(m, group);
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            last = atomicAdd(up.arrived + group, count) + count == size;
            if (last) up.arrived[group] = 0;
            __threadfence();
        }
        __syncthreads();
        if (!last) return false;
        const int i = threadIdx.x;
        Sum term{};
        if (i < size) term = load_from_others(up.part + group * tile_size + i);
        total = fold_block(term, size);
        if (i == 0) up.part[m + group] = total;
        up.part += m;
        up.arrived += tiles(m);
        first = group;
        count = 1;
    }
    return threadIdx.x == 0;
}

template <class Step, class Sum>
__device__ void finish(const Step& step, const Sum& total)
{
    auto q = *step.shared;
    step.finish(total, q);
    *step.shared = q;
}

/// Steps without a sum.
template <class Step, class Rows>
__global__ void __launch_bounds__(block_size, Rows::blocks)
    sweep(const Step step, const Rows rows, index_t n, int tiles_per_block)
{
    const auto q = *step.shared;
    if (Step::stopped(q)) return;
    index_t i = index_t(blockIdx.x) * tiles_per_block * tile_size + threadIdx.x;
    for (int t = 0; t < tiles_per_block && i - threadIdx.x < n; ++t, i += tile_size)
        element(step, rows, i, n, q);
}

/// Steps with a sum, a block a tile.
template <class Step, class Rows>
__global__ void __launch_bounds__(block_size, Rows::blocks)
    sweep_and_sum(const Step step, const Rows rows, index_t n, int tiles_per_block,
                  ladder<typename Step::sum> up)
{
    const auto q = *step.shared;
    if (Step::stopped(q)) return;
    const index_t first = index_t(blockIdx.x) * tiles_per_block, m = tiles(n);
    typename Step::sum total{};
    int done = 0;
    for (index_t t = first; done < tiles_per_block && t < m; ++t, ++done) {
        total = fold_block(element(step, rows, t * tile_size + threadIdx.x, n, q), terms_in(n, t));
        if (threadIdx.x == 0 && m > 1) up.part[t] = total;
    }
    if (climb(up, n, first, done, total)) finish(step, total);
}

/// Steps over elements with a sum, a warp a tile: for vectors that keep all warps busy so.
/// tiles_per_block is a multiple of the warps of a block.
template <class Step>
__global__ void __launch_bounds__(block_size, 2)
    sweep_and_sum_by_warps(const Step step, index_t n, int tiles_per_block,
                           ladder<typename Step::sum> up)
{
    const auto q = *step.shared;
    if (Step::stopped(q)) return;
    const index_t first = index_t(blockIdx.x) * tiles_per_block, m = tiles(n);
    const int lane = threadIdx.x % warp_size, warp = threadIdx.x / warp_size;
    const index_t end = first + tiles_per_block < m ? first + tiles_per_block : m;
    typename Step::sum total{};
    for (index_t t = first + warp; t < end; t += warps_per_block) {
        total = fold_tile<typename Step::sum>(
            terms_in(n, t), [&](int r) { return step(t * tile_size + r * warp_size + lane, q); });
        if (lane == 0 && m > 1) up.part[t] = total;
    }
    if (climb(up, n, first, static_cast<int>(end - first), total)) finish(step, total);
}

/// *shared = q, in the order of the stream.
template <class State>
__global__ void store(State* shared, const State q)
{
    *shared = q;
}

}  // namespace ddla::device_backend
