// y = A x where A is stored in tiles: a block loads the elements of x that its rows use into shared
// memory, once; then its warps multiply the slices of these rows.
#pragma once

#include "device/core/gpu.hpp"
#include "multiply.cuh"
#include "tile_leaves.cuh"

namespace ddla::device_backend {

/// Most slices of a warp: a list has the rows of 8 or 16 slices.
template <class Block>
inline constexpr int most_slices_of_warp =
    static_cast<int>(formats::most_rows_of_list / formats::lanes_of_slice) / Block::warps;
/// Bytes of the slice descriptors of a block in shared memory.
template <class Block>
inline constexpr std::size_t bytes_of_rooms = Block::warps*(most_slices_of_warp<Block> + 1) *
                                              sizeof(slice);

/// Copies the descriptors of the slices of a warp to `room`, followed by one with rows = 0.  Where
/// a warp takes two, the second is from the other end: slices of 256 rows are sorted longest first.
template <class Block>
__device__ __forceinline__ void take_slices_of_tile(slice* room, const slice* all, index_t count,
                                                    index_t tile, int slices_of_tile)
{
    const int lane = threadIdx.x % warp_size, warp = threadIdx.x / warp_size, turn = lane / 2;
    const int of_tile = turn * Block::warps + (turn % 2 == 0 ? warp : Block::warps - 1 - warp);
    const index_t k = tile * slices_of_tile + of_tile;
    const bool there = of_tile < slices_of_tile && k < count;
    if (there)
        copy_16_async(reinterpret_cast<int4*>(room) + lane,
                      reinterpret_cast<const int4*>(all + k) + lane % 2);
    const int n = __popc(__ballot_sync(whole_warp, there)) / 2;
    if (lane == 0) room[n].rows = 0;
    wait_for_copies();
    __syncwarp();
}

/// Gathers x of the columns of a list into shared memory, from element 1 on, by a block.  All
/// threads call `until_there` while they wait for their first columns; it returns when x may be
/// read.  The block must synchronise afterwards.
template <int Threads, class T, class ListedX, class UntilThere>
__device__ __forceinline__ void gather_list(const vec<const T>& x, const column_t* list, int n,
                                            const ListedX& to, const UntilThere& until_there)
{
    constexpr int batch = tuning::loads_of_list;
    column_t column[batch];
    const auto load_columns = [&](int first) {
#pragma unroll
        for (int r = 0; r < batch; ++r)
            if (first + r * Threads < n) column[r] = __ldg(list + first + r * Threads);
    };
    int first = threadIdx.x;
    load_columns(first);
    until_there();
    if (threadIdx.x == 0) to.set(0, T(1));
#pragma unroll 1
    while (first < n) {
        T number[batch];
#pragma unroll
        for (int r = 0; r < batch; ++r)
            if (first + r * Threads < n) number[r] = x.get(column[r]);
#pragma unroll
        for (int r = 0; r < batch; ++r)
            if (first + r * Threads < n) to.set(1 + first + r * Threads, number[r]);
        first += batch * Threads;
        load_columns(first);
    }
}

/// A block per list.
template <class Products, class Sums>
__global__ void __launch_bounds__(Sums::block::threads, Sums::block::at_once)
    multiply_tiles(const __grid_constant__ Products products, const Sums sums,
                   const formats::column_lists lists, const steps::end_of_solve* end)
{
    using block = typename Sums::block;
    __shared__ slice rooms[block::warps][most_slices_of_warp<block> + 1];
    slice* const room = rooms[threadIdx.x / warp_size];
    const auto here = block_of(products, blockIdx.x);
    const index_t tile = here.block;
    const auto& step = step_of(products, here.product);
    const bool is_first = is_in_first_wave<block::at_once>();
    if (!is_first) wait_and_trigger_dependents();
    const index_t first = __ldg(lists.first + tile), behind = __ldg(lists.first + tile + 1);
    typename Sums::by_warp sum_of(sums, block::sums_at(lists.longest));
    bool over = false;
    gather_list<block::threads>(step.operand, lists.column + first,
                                static_cast<int>(behind - first), typename Sums::x_of_list{}, [&] {
                                    take_slices_of_tile<block>(
                                        room, sums.list().slices, sums.list().count, tile,
                                        lists.rows / formats::lanes_of_slice);
                                    sum_of.begin(room);
                                    if (is_first) wait_and_trigger_dependents();
                                    over = is_over(end);
                                });
    if (over) return wait_for_copies();
    __syncthreads();
#pragma unroll 1
    for (const slice* s = room; s->rows > 0; ++s) {
        const auto row = sum_of(*s);
        if (row.here) {
            const auto q = steps::scalars_of(step);
            steps::at_row(step, row.row, row.sum, q);
        }
    }
}

/// Most columns of a list whose x in double-double fits into shared memory, up to
/// formats::longest_list.
template <class V>
int longest_list(const gpu& device)
{
    using block = tile_block<dd_real, V, false>;
    constexpr std::size_t beside = block::bytes(0, tile_size) + bytes_of_rooms<block>;
    const std::size_t all = device.most_shared_bytes();
    return all < beside ? 0
                        : static_cast<int>(std::min<std::size_t>(formats::longest_list,
                                                                 (all - beside) / sizeof(dd_real)));
}

}  // namespace ddla::device_backend
