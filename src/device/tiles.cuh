// y = A x where A is stored in tiles: a block loads x of the columns of 512 rows once, into shared
// memory, and its warps take the slices of these rows.
#pragma once

#include "steps/step.hpp"
#include "tile_leaves.cuh"

namespace ddla::device_backend {

using formats::listed_rows;

__device__ __forceinline__ listed_rows load_listed(const listed_rows* from)
{
    static_assert(sizeof(listed_rows) == sizeof(int4));
    const int4 words = __ldg(reinterpret_cast<const int4*>(from));
    listed_rows rows;
    memcpy(&rows, &words, sizeof rows);
    return rows;
}

/// So many slices of a tile a warp has at hand: all that it takes where a row has one lane.
inline constexpr int slices_at_hand = 4;

/// What slices at hand take of the shared memory of a block.
template <class Sums>
inline constexpr std::size_t bytes_of_rooms = Sums::kernel::warps*(slices_at_hand + 1) *
                                              sizeof(slice);

/// Copies slices of a tile to `room`, and behind them one without rows, by a warp: from turn number
/// `first` on those in which it is its turn.  Turns go forth and back, for the slices of 256 rows
/// come longest first.
template <int Warps>
__device__ __forceinline__ void take_by_turns(slice* room, const slice* of, int count, int first)
{
    const int lane = threadIdx.x % warp_size, warp = threadIdx.x / warp_size;
    const int turn = first + lane / 2;
    const int k = turn * Warps + (turn % 2 == 0 ? warp : Warps - 1 - warp);
    const bool there = lane / 2 < slices_at_hand && k < count;
    __syncwarp();  // all lanes are done with those before
    if (there)
        copy_16_async(reinterpret_cast<int4*>(room) + lane,
                      reinterpret_cast<const int4*>(of + k) + lane % 2);
    const int n = __popc(__ballot_sync(whole_warp, there)) / 2;
    if (lane == 0) room[n].rows = 0;
    wait_for_copies();
    __syncwarp();
}

/// x of the columns of a list to shared memory, by a block of so many threads; `meanwhile` is
/// called by all of them, while they wait for the first columns.  Behind it the block must meet.
template <int Threads, class T, class ListedX, class Meanwhile>
__device__ __forceinline__ void gather_list(const vec<const T>& x, const column_t* list, int n,
                                            const ListedX& to, const Meanwhile& meanwhile)
{
    constexpr int batch = 4;  // loads on their way
    column_t column[batch];
    const auto load_columns = [&](int first) {
#pragma unroll
        for (int r = 0; r < batch; ++r)
            if (first + r * Threads < n) column[r] = __ldg(list + first + r * Threads);
    };
    int first = threadIdx.x;
    load_columns(first);
    meanwhile();
#pragma unroll 1
    while (first < n) {
        T number[batch];
#pragma unroll
        for (int r = 0; r < batch; ++r)
            if (first + r * Threads < n) number[r] = x.get(column[r]);
#pragma unroll
        for (int r = 0; r < batch; ++r)
            if (first + r * Threads < n) to.set(first + r * Threads, number[r]);
        first += batch * Threads;
        load_columns(first);
    }
}

/// A block a tile.
template <class Step, class Sums>
__global__ void __launch_bounds__(Sums::threads, Sums::blocks)
    multiply_tiles(const Step step, const Sums sums, const formats::column_lists lists)
{
    constexpr int warps = Sums::kernel::warps;
    __shared__ slice rooms[warps][slices_at_hand + 1];
    static_assert(sizeof rooms == bytes_of_rooms<Sums>);
    slice* const room = rooms[threadIdx.x / warp_size];
    const listed_rows* const tile = lists.of + block_after_work_before();
    typename Sums::by_warp sum_of(sums);
    int turn = 0;
    const auto take = [&](const listed_rows& begin, int count) {
        take_by_turns<warps>(room, sums.list().of + begin.first_slice, count, turn);
        turn += slices_at_hand;
        if (room->rows > 0) sum_of.begin(*room);
    };
    {
        const listed_rows begin = load_listed(tile), end = load_listed(tile + 1);
        gather_list<Sums::threads>(
            step.operand, lists.column + begin.first_column,
            static_cast<int>(end.first_column - begin.first_column), typename Sums::x_of_list{},
            [&] { take(begin, static_cast<int>(end.first_slice - begin.first_slice)); });
    }
    __syncthreads();
#pragma unroll 1
    for (;;) {
#pragma unroll 1
        for (const slice* s = room; s->rows > 0; ++s) {
            const auto row = sum_of(*s);
            if (row.here) {
                const auto q = steps::scalars_of(step);
                step(row.row, row.sum, step.own(row.row, q), q);
            }
        }
        const listed_rows begin = load_listed(tile), end = load_listed(tile + 1);
        const int count = static_cast<int>(end.first_slice - begin.first_slice);
        if (turn * warps >= count) return;
        take(begin, count);
    }
}

}  // namespace ddla::device_backend
