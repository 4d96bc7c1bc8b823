// The sums of rows that are longer than a tile: each tile by a warp of its own, wherever it lies,
// so that a row of any length keeps the whole device busy, not one warp.
#pragma once

#include "launch.cuh"
#include "rows.cuh"

namespace ddla::device_backend {

/// Whether this warp is the last of `count` to arrive.
__device__ __forceinline__ bool is_last_warp(unsigned* arrived, index_t count)
{
    bool last = false;
    if (threadIdx.x % warp_size == 0) {
        __threadfence();
        last = atomicAdd(arrived, 1u) + 1 == count;
        if (last) *arrived = 0;
        __threadfence();
    }
    return __shfl_sync(whole_warp, last, 0);
}

/// The sum of `count` tile sums by a warp, level by level; each level goes to the other memory.
template <class Value>
__device__ Value fold_levels(Value* from, Value* to, index_t count)
{
    const int lane = threadIdx.x % warp_size;
    Value sum{};
    while (count > 1) {
        const index_t groups = tiles(count);
        for (index_t g = 0; g < groups; ++g) {
            const index_t left = count - g * tile_size;
            sum =
                fold_tile<Value>(static_cast<int>(left < tile_size ? left : tile_size), [&](int r) {
                    return load_from_others(from + g * tile_size + lane + r * warp_size);
                });
            if (lane == 0) to[g] = sum;
        }
        __syncwarp();
        Value* const next = to;
        to = from;
        from = next;
        count = groups;
    }
    return sum;
}

/// total[k] = the sum of long row k.  `part` has room for two sums of each tile, `arrived` a
/// counter of each row.  The warp that brings the last tile of a row folds them all.
template <class Rows>
__global__ void __launch_bounds__(block_size, Rows::blocks)
    sum_long_rows(const Rows rows, const long_row_list list, typename Rows::value* part,
                  unsigned* arrived, typename Rows::value* total)
{
    using value = typename Rows::value;
    const index_t tile = block_after_work_before() * warps_per_block + threadIdx.x / warp_size;
    if (tile >= list.tiles) return;
    const index_t k = number_of_last_not_above(list.first_tile, list.count, tile);
    const index_t first = __ldg(list.first_tile + k);
    const index_t count = __ldg(list.first_tile + k + 1) - first;
    const value sum = rows.tile_of_row(__ldg(list.row + k), tile - first);
    const bool leads = threadIdx.x % warp_size == 0;
    if (leads) part[tile] = sum;
    if (!is_last_warp(arrived + k, count)) return;
    const value all = fold_levels(part + first, part + list.tiles + first, count);
    if (leads) total[k] = all;
}

}  // namespace ddla::device_backend
