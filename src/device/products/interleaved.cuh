// A copy of a double-double vector for scattered gathers.
#pragma once

#include "device/core/launch.cuh"
#include "device/core/warp.cuh"
#include "formats/storage.hpp"

namespace ddla::device_backend {

/// The two words of an element are adjacent: one access where a view needs two.
struct interleaved {
    const double2* number;

    __device__ __forceinline__ dd_real get(index_t i) const
    {
        const double2 x = number[i];
        return {x.x, x.y};
    }
};

/// to[i] = x_i.
static __global__ void __launch_bounds__(block_size) interleave(vec<const dd_real> x, double2* to)
{
    const index_t i = block_after_wait() * block_size + threadIdx.x;
    if (i >= x.size) return;
    const dd_real number = x.get(i);
    to[i] = {number.hi, number.lo};
}

}  // namespace ddla::device_backend
