// A copy of a double-double vector for scattered gathers.
#pragma once

#include "columns.cuh"
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

/// The copies of several vectors follow on one another.
static __device__ __forceinline__ interleaved x_of(const column_products<dd_real>& all,
                                                   const interleaved& x, int product)
{
    return {x.number + product * all.operand.size};
}

/// to[i] = x_i.
template <class Products>
__global__ void __launch_bounds__(block_size)
    interleave(const __grid_constant__ Products products, double2* to)
{
    const auto [block, product] = block_of(products, block_after_wait());
    const vec<const dd_real> x = step_of(products, product).operand;
    const index_t i = block * block_size + threadIdx.x;
    if (i >= x.size) return;
    const dd_real number = x.get(i);
    to[product * x.size + i] = {number.hi, number.lo};
}

}  // namespace ddla::device_backend
