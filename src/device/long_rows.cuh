// The sums of rows that are longer than a tile: each tile by a warp of its own, wherever it lies,
// so that a row of any length keeps the whole device busy, not one warp.
#pragma once

#include "launch.cuh"
#include "rows.cuh"
#include "steps/step.hpp"

namespace ddla::device_backend {

/// Whether this warp, which brings `mine` of `all` sums, is the last to arrive.
__device__ __forceinline__ bool is_last_warp(unsigned* arrived, int mine, int all)
{
    bool last = false;
    if (threadIdx.x % warp_size == 0) {
        __threadfence();
        last = static_cast<int>(atomicAdd(arrived, static_cast<unsigned>(mine))) + mine == all;
        if (last) *arrived = 0;
        __threadfence();
    }
    return __shfl_sync(whole_warp, last, 0);
}

/// The sums of long rows on their way up, level by level: for each row those of its tiles, of
/// groups of 256 tiles, ..., and how many sums of each group have arrived.
template <class Value>
struct long_row_parts {
    Value* part;        ///< 2 for each tile
    unsigned* arrived;  ///< as many; zero between kernels
};

/// What a warp adds to long rows: the sums of some tiles, one after the other.  The warp that
/// completes a group of tiles folds it, and so on; the one that completes a row hands its sum to
/// done(number of the row in the list, sum) by lane 0.
template <class Value, class Done>
class long_row_adder {
public:
    __device__ long_row_adder(const long_row_list& list, const long_row_parts<Value>& up,
                              const Done& done)
        : list_(list), up_(up), done_(done)
    {
    }
    /// That of a tile, known to all lanes; tiles come in ascending order.
    __device__ void add(const Value& sum, int tile)
    {
        if (tile >= end_) {
            arrive();
            const index_t k = number_of_last_not_above(list_.first_tile, list_.count, tile);
            row_ = static_cast<int>(k);
            first_ = static_cast<int>(__ldg(list_.first_tile + k));
            end_ = static_cast<int>(__ldg(list_.first_tile + k + 1));
        }
        const int at = tile - first_;
        if (end_ - first_ == 1) {
            if (lane() == 0) done_(row_, sum);
            return;
        }
        if (at / tile_size != group_) arrive();
        group_ = at / tile_size;
        ++count_;
        if (lane() == 0) up_.part[2 * index_t(first_) + at] = sum;
    }
    /// Once, after the last tile.
    __device__ void arrive()
    {
        if (count_ == 0) return;
        // Of m tiles the levels above have less than m/255 + 9 sums: they fit behind the tiles.
        Value* part = up_.part + 2 * index_t(first_);
        unsigned* arrived = up_.arrived + 2 * index_t(first_);
        int group = group_, mine = count_;
        count_ = 0;
        for (int m = end_ - first_;; m = (m + tile_size - 1) / tile_size) {
            const int begin = group * tile_size;
            const int size = m - begin < tile_size ? m - begin : tile_size;
            if (!is_last_warp(arrived + group, mine, size)) return;
            const Value sum = fold_tile<Value>(size, [&](int r) {
                return load_from_others(part + begin + lane() + r * warp_size);
            });
            if (m <= tile_size) {
                if (lane() == 0) done_(row_, sum);
                return;
            }
            part += m;
            arrived += (m + tile_size - 1) / tile_size;
            if (lane() == 0) part[group] = sum;
            group /= tile_size;
            mine = 1;
        }
    }

private:
    __device__ static int lane() { return threadIdx.x % warp_size; }

    const long_row_list& list_;
    const long_row_parts<Value>& up_;
    const Done& done_;
    // 2^31 tiles are more than any device holds.
    int row_ = 0, first_ = 0, end_ = 0, group_ = 0, count_ = 0;
};

/// What becomes of the sum of a long row: kept, ...
template <class Value>
struct keep_sum {
    Value* total;
    __device__ void operator()(index_t k, const Value& sum) const { total[k] = sum; }
};
/// ... or what the step does with it.
template <class Step>
struct finish_row {
    Step step;
    const index_t* row;
    template <class Value>
    __device__ void operator()(index_t k, const Value& sum) const
    {
        const auto q = steps::scalars_of(step);
        const index_t i = __ldg(row + k);
        step(i, sum, step.own(i, q), q);
    }
};

/// The sums of long rows from compressed rows, `each` tiles a warp.
template <class Rows, class Done>
__global__ void __launch_bounds__(block_size, Rows::blocks)
    sum_long_rows(const Rows rows, const long_row_list list,
                  const long_row_parts<typename Rows::value> up, const Done done, int each)
{
    const index_t warp = block_after_work_before() * warps_per_block + threadIdx.x / warp_size;
    const index_t end = (warp + 1) * each < list.tiles ? (warp + 1) * each : list.tiles;
    long_row_adder adder(list, up, done);
#pragma unroll 1
    for (index_t tile = warp * each; tile < end; ++tile) {
        const index_t k = number_of_last_not_above(list.first_tile, list.count, tile);
        adder.add(rows.tile_of_row(__ldg(list.row + k), tile - __ldg(list.first_tile + k)),
                  static_cast<int>(tile));
    }
    adder.arrive();
}

}  // namespace ddla::device_backend
