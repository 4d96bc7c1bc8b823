// The rows of a triangle of supernodes, each as the pieces that supernodes have of it.
#pragma once

#include "numbers.cuh"

namespace ddla::device_backend {

/// So many columns from `first` on, the first one at `at` among the values, the others a line
/// apart.
struct alignas(16) row_segment {
    index_t at;
    column_t first, width;
};

/// What updates supernodes.
struct update_lists {
    const index_t* begin;       ///< of those of each supernode
    const column_t* supernode;  ///< of each column
    const column_t* row;        ///< of each pivot, before rows were exchanged; null: itself
    column_t columns;
};

/// How many segments a row has: count[i + 1] of row i.
static __global__ void __launch_bounds__(block_size)
    count_segments(const column_t* rows, index_t size, unsigned long long* count)
{
    const index_t e = blockIdx.x * index_t{block_size} + threadIdx.x;
    if (e < size) atomicAdd(count + rows[e] + 1, 1ull);
}

/// The segments of all rows, those of one in ascending order of columns.  A warp a row.
template <class F>
__global__ void __launch_bounds__(block_size)
    find_segments(supernode_lists s, update_lists u, const index_t* begin, row_segment* segments)
{
    constexpr int size = 8 * words_of<F>;
    const auto i = static_cast<column_t>(blockIdx.x * warps_per_block + threadIdx.x / warp_size);
    const int lane = threadIdx.x % warp_size;
    if (i >= u.columns) return;
    const column_t q = u.supernode[i], row = u.row ? u.row[i] : i;
    row_segment* next = segments + begin[i];
    for (index_t k = u.begin[q]; k < u.begin[q + 1]; k += warp_size) {
        bool is_there = false;
        row_segment found{};
        if (k + lane < u.begin[q + 1]) {
            const factor::supernode_update update = s.updates[k + lane];
            const supernode_place p(s, update.from);
            const column_t at = first_from(s.row + p.row_begin, update.begin, update.end, row);
            is_there = at < update.end && s.row[p.row_begin + at] == row;
            const index_t block = p.own_blocks() + at / 8;
            found = {p.value_begin + block * p.width * size + at % 8, p.first, p.width};
        }
        const unsigned all = __ballot_sync(whole_warp, is_there);
        if (is_there) next[__popc(all & ((1u << lane) - 1))] = found;
        next += __popc(all);
    }
}

/// Rows by pivots.
static __global__ void __launch_bounds__(block_size)
    number_rows(const column_t* rows, const column_t* pivot_of_row, index_t size, column_t* to)
{
    const index_t e = blockIdx.x * index_t{block_size} + threadIdx.x;
    if (e < size) to[e] = pivot_of_row[rows[e]];
}

}  // namespace ddla::device_backend
