// Sums of rows longer than a tile: a warp for each tile, so that a row of any length keeps the
// whole device busy; then a second kernel folds the sums of tiles.  bench/notes/device_long_rows.md
// says what was tried instead.
#pragma once

#include "columns.cuh"
#include "rows.cuh"
#include "steps/step.hpp"

namespace ddla::device_backend {

/// What becomes of the sum of a long row: it is stored, ...
template <class Value>
struct keep_sum {
    Value* total;
    __device__ void operator()(index_t k, const Value& sum) const { total[k] = sum; }
};
/// ... or passed to the step.
template <class Step>
struct finish_row {
    Step step;
    const index_t* row;
    template <class Value>
    __device__ void operator()(index_t k, const Value& sum) const
    {
        const auto q = steps::scalars_of(step);
        const index_t i = __ldg(row + k);
        steps::at_row(step, i, sum, q);
    }
};

/// For a product, where `first` is for the first; its sums are `behind` further on.
template <class Products, class Done>
__device__ __forceinline__ const Done& done_for(const Products&, const Done& first, int, index_t)
{
    return first;
}
template <class T>
__device__ __forceinline__ keep_sum<T> done_for(const column_products<T>&, const keep_sum<T>& first,
                                                int, index_t behind)
{
    return {first.total + behind};
}
template <class T, class Step>
__device__ __forceinline__ finish_row<steps::spmv<T>>
done_for(const column_products<T>& all, const finish_row<Step>& first, int product, index_t)
{
    return {all.of[product], first.row};
}

/// From the sums of a product to those of the next one, in scratch: of tiles, then of rows.
DDLA_HD inline index_t sums_apart(const long_row_list& list)
{
    return list.tiles + list.count;
}

/// The sums of tiles of long rows from compressed rows, `each` tiles a warp: part[t] is that of
/// tile t.
template <class Products, class Rows>
__global__ void __launch_bounds__(block_size, Rows::blocks)
    sum_tiles_of_long_rows(const __grid_constant__ Products products, const Rows all,
                           const long_row_list list, typename Rows::value* parts, int each,
                           const steps::end_of_solve* end)
{
    const auto [block, product] = block_of(products, block_after_wait());
    const index_t warp = block * warps_per_block + threadIdx.x / warp_size;
    if (is_over(end)) return;
    const auto& rows = sums_for(products, all, product);
    auto* const part = parts + product * sums_apart(list);
    const index_t behind = (warp + 1) * each < list.tiles ? (warp + 1) * each : list.tiles;
#pragma unroll 1
    for (index_t tile = warp * each; tile < behind; ++tile) {
        const index_t k = number_of_last_not_above(list.first_tile, list.count, tile);
        const auto sum = rows.tile_of_row(__ldg(list.row + k), tile - __ldg(list.first_tile + k));
        if (threadIdx.x % warp_size == 0) part[tile] = sum;
    }
}

/// The sums of the tiles of a row: `count` values from `part` on.
template <class Value>
struct tiles_of_long_row {
    static constexpr int most_of_thread = tuning::tiles_of_thread;  ///< that one thread folds
    static constexpr int most_groups_of_warp = 8;  ///< of 256 tiles, that a warp folds
    Value* part;
    int count;

    __device__ tiles_of_long_row(const long_row_list& list, Value* parts, index_t k)
    {
        const index_t first = __ldg(list.first_tile + k);
        part = parts + first;
        count = static_cast<int>(__ldg(list.first_tile + k + 1) - first);
    }
    __device__ bool is_for_thread() const { return count <= most_of_thread; }
    __device__ bool is_for_block() const { return count > most_groups_of_warp * tile_size; }

    __device__ Value fold_by_thread() const
    {
        return fold_in_thread<most_of_thread>([&](int r) { return load_from_others(part + r); },
                                              [&](int r) { return r < count; });
    }
    /// In lane 0.
    __device__ Value fold_by_warp() const
    {
        const int lane = threadIdx.x % warp_size, groups = (count + tile_size - 1) / tile_size;
        Value of_lane = fold_group(count, 0);
#pragma unroll 1
        for (int g = 1; g < groups; ++g) {
            const Value sum = from_lane(fold_group(count, g), 0);
            if (lane == g) of_lane = sum;
        }
        return fold_lanes(of_lane, lane, most_groups_of_warp, groups);
    }
    /// In all threads of the block, level by level.  Sums of groups overwrite sums of tiles that
    /// have been read.
    __device__ Value fold_by_block() const
    {
        const int lane = threadIdx.x % warp_size, warp = threadIdx.x / warp_size;
        for (int left = count; left > 1;) {
            const int groups = (left + tile_size - 1) / tile_size;
#pragma unroll 1
            for (int first = 0; first < groups; first += warps_per_block) {
                const int g = first + warp;
                Value sum{};
                if (g < groups) sum = fold_group(left, g);
                __syncthreads();
                if (g < groups && lane == 0) part[g] = sum;
                __syncthreads();
            }
            left = groups;
        }
        return load_from_others(part);
    }

private:
    /// The fold of group g of `all` sums, by a warp; in lane 0.
    __device__ Value fold_group(int all, int g) const
    {
        const int first = g * tile_size, left = all - first, lane = threadIdx.x % warp_size;
        return fold_tile<Value>(left < tile_size ? left : tile_size, [&](int r) {
            return load_from_others(part + first + lane + r * warp_size);
        });
    }
};

/// Folds the sums of tiles of long rows; done(index in the list, sum) for each row.  A block takes
/// `each` rows a warp: a thread folds rows of few tiles, a warp most others, the block the longest.
template <class Products, class Value, class Done>
__global__ void __launch_bounds__(block_size, tuning::blocks_of_fold)
    fold_long_rows(const __grid_constant__ Products products, const long_row_list list,
                   Value* all_parts, const Done of_first, int each, const steps::end_of_solve* end)
{
    const auto [block, product] = block_of(products, block_after_wait());
    const index_t first = block * warps_per_block * each, behind = product * sums_apart(list);
    if (is_over(end)) return;
    Value* const parts = all_parts + behind;
    const auto& done = done_for(products, of_first, product, behind);
    const int lane = threadIdx.x % warp_size, warp = threadIdx.x / warp_size;
    // each <= warp_size: no more rows than threads.
    const index_t left = list.count - first;
    const int rows =
        left < warps_per_block * each ? static_cast<int>(left) : warps_per_block * each;
    const auto row = [&](int r) { return tiles_of_long_row<Value>(list, parts, first + r); };
    bool any_for_block = false;
    if (static_cast<int>(threadIdx.x) < rows) {
        const auto mine = row(threadIdx.x);
        if (mine.is_for_thread()) done(first + threadIdx.x, mine.fold_by_thread());
        any_for_block = mine.is_for_block();
    }
    __syncwarp();
#pragma unroll 1
    for (int r = warp; r < rows; r += warps_per_block) {
        const auto next = row(r);
        if (next.is_for_thread() || next.is_for_block()) continue;
        const Value sum = next.fold_by_warp();
        if (lane == 0) done(first + r, sum);
    }
    if (!__syncthreads_or(any_for_block)) return;
#pragma unroll 1
    for (int r = 0; r < rows; ++r) {
        const auto next = row(r);
        if (!next.is_for_block()) continue;
        const Value sum = next.fold_by_block();
        if (threadIdx.x == 0) done(first + r, sum);
    }
}

}  // namespace ddla::device_backend
