// What a report tells of factors that stay at a device.
#pragma once

#include "kept_numbers.cuh"

namespace ddla::device_backend {

/// Magnitudes of the diagonal.  A thread a column.
template <class F>
__global__ void __launch_bounds__(block_size)
    find_diagonal(supernode_lists s, const column_t* supernode, column_t columns,
                  const double* values, double* to)
{
    const auto j = static_cast<column_t>(blockIdx.x * block_size + threadIdx.x);
    if (j >= columns) return;
    const supernode_place q(s, supernode[j]);
    const column_t k = j - q.first;
    const index_t line = k / 8 * index_t{q.width} + k;
    to[j] = factor::absolute(values[q.value_begin + line * factor::doubles_of_line<F> + k % 8]);
}

/// The largest magnitude of high words, by its bits, which are in order; those of NaN are above
/// all.
template <class F>
__global__ void __launch_bounds__(block_size)
    find_largest(const double* values, index_t lines, unsigned long long* largest)
{
    unsigned long long most = 0;
    const index_t step = index_t{gridDim.x} * block_size;
    for (index_t k = blockIdx.x * index_t{block_size} + threadIdx.x; k < 8 * lines; k += step) {
        const double x = values[k / 8 * factor::doubles_of_line<F> + k % 8];
        const auto bits =
            static_cast<unsigned long long>(__double_as_longlong(factor::absolute(x)));
        most = bits > most ? bits : most;
    }
    for (int k = warp_size / 2; k > 0; k /= 2) {
        const unsigned long long other = __shfl_down_sync(whole_warp, most, k);
        most = other > most ? other : most;
    }
    if (threadIdx.x % warp_size == 0) atomicMax(largest, most);
}

}  // namespace ddla::device_backend
