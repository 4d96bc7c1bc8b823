// A vector that is gathered from far places, number by number.
#pragma once

#include "device/core/launch.cuh"
#include "device/core/warp.cuh"
#include "formats/storage.hpp"

namespace ddla::device_backend {

/// Double-double numbers whose two words lie side by side: one access where a view has two.
struct interleaved {
    const double2* number;

    __device__ __forceinline__ dd_real get(index_t i) const
    {
        const double2 x = number[i];
        return {x.x, x.y};
    }
};

/// to[i] = x_i, but for the first ones, which come behind all others.
static __global__ void __launch_bounds__(block_size)
    interleave(vec<const dd_real> x, double2* to, index_t first_ones)
{
    const index_t i = block_after_wait() * block_size + threadIdx.x;
    if (i < x.size)
        to[i < first_ones ? x.size - first_ones + i : i - first_ones] = {x.high[i], x.low[i]};
}

/// What a product gathers before it begins: see formats/bins.hpp.
template <class Number>
struct binned_vector {
    const Number* first_bin;
    const Number* others;  ///< of x, from the end of the first bin on
    Number* to;            ///< the first bin, unless it is there, and behind it what is gathered
};

/// Blocks follow the bins.  Each element passes once: it leaves the second-level cache to x.
template <class Number>
static __global__ void __launch_bounds__(block_size)
    gather_bins(const binned_vector<Number> x, const formats::column_bins bins, index_t begin,
                const steps::end_of_solve* end)
{
    constexpr int each = 4;
    const index_t first = begin + block_after_wait() * (each * block_size) + threadIdx.x;
    const index_t n = bins.direct + bins.count;
    if (is_over(end)) return;
    const Number* from[each];
    Number number[each];
#pragma unroll
    for (int k = 0; k < each; ++k) {
        const index_t i = first + k * block_size;
        if (i < n)
            from[k] = i < bins.direct ? x.first_bin + i
                                      : x.others + __ldcs(bins.from + (i - bins.direct));
    }
#pragma unroll
    for (int k = 0; k < each; ++k)
        if (first + k * block_size < n) number[k] = *from[k];
#pragma unroll
    for (int k = 0; k < each; ++k)
        if (first + k * block_size < n) __stcs(x.to + first + k * block_size, number[k]);
}

}  // namespace ddla::device_backend
