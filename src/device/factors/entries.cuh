// The entries of A among the values of factors.
#pragma once

#include "numbers.cuh"

namespace ddla::device_backend {

/// A by columns, in device memory.
struct column_lists {
    const index_t* begin;
    const column_t* row;
    const double* word[2];
    const column_t* supernode;  ///< of each column
    column_t columns;
};

/// Into values, which are zero: entries from the diagonal blocks on, or below them.  A warp a
/// column.
template <class F>
__global__ void __launch_bounds__(block_size)
    put_entries(supernode_lists s, column_lists a, bool with_diagonal_blocks, double* values)
{
    constexpr int size = 8 * words_of<F>;
    const auto j = static_cast<column_t>(blockIdx.x * warps_per_block + threadIdx.x / warp_size);
    if (j >= a.columns) return;
    const supernode_place q(s, a.supernode[j]);
    const column_t* const rows = s.row + q.row_begin;
    const column_t end = q.first + q.width, least = with_diagonal_blocks ? q.first : end;
    for (index_t e = a.begin[j] + threadIdx.x % warp_size; e < a.begin[j + 1]; e += warp_size) {
        const column_t i = a.row[e];
        if (i < least) continue;
        const column_t slot =
            i < end ? i - q.first : 8 * q.own_blocks() + first_from(rows, 0, q.below, i);
        double* const p = values + q.value_begin +
                          (slot / 8 * index_t{q.width} + (j - q.first)) * size + slot % 8;
#pragma unroll
        for (int w = 0; w < words_of<F>; ++w) p[8 * w] = a.word[w][e];
    }
}

}  // namespace ddla::device_backend
