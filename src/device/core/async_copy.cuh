// Asynchronous copies from global to shared memory (cp.async).
#pragma once

#include "warp.cuh"

namespace ddla::device_backend {

/// Copies 16 bytes, bypassing L1; both addresses are multiples of 16.
__device__ __forceinline__ void copy_16_async(void* to, const void* from)
{
#if __CUDA_ARCH__ >= 800
    const auto at = static_cast<unsigned>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" : : "r"(at), "l"(from) : "memory");
#else
    *static_cast<int4*>(to) = __ldg(static_cast<const int4*>(from));
#endif
}
/// The same for data that a product reads once: L2 evicts it first.  (ptxas 13.0 generates illegal
/// instructions from this where a part of the address in shared memory is uniform, as in dynamic
/// shared memory.)
__device__ __forceinline__ void copy_16_async_once(void* to, const void* from)
{
#if __CUDA_ARCH__ >= 800
    const auto at = static_cast<unsigned>(__cvta_generic_to_shared(to));
    word evicted_first;
    asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(evicted_first));
    asm volatile("cp.async.cg.shared.global.L2::cache_hint [%0], [%1], 16, %2;"
                 :
                 : "r"(at), "l"(from), "l"(evicted_first)
                 : "memory");
#else
    copy_16_async(to, from);
#endif
}
/// By a warp: `bytes` <= Most, a multiple of 16.
template <int Most, auto Copy16 = copy_16_async>
__device__ __forceinline__ void copy_async(void* to, const void* from, int bytes)
{
    const int first = threadIdx.x % warp_size * 16;
#pragma unroll
    for (int b = 0; b < Most; b += 16 * warp_size)
        if (b + first < bytes)
            Copy16(static_cast<std::uint8_t*>(to) + b + first,
                   static_cast<const std::uint8_t*>(from) + b + first);
}
/// Copies one object of 4 or 8 bytes.
template <class Object>
__device__ __forceinline__ void copy_object_async(Object* to, const Object* from)
{
    static_assert(sizeof(Object) == 4 || sizeof(Object) == 8);
#if __CUDA_ARCH__ >= 800
    const auto at = static_cast<unsigned>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;"
                 :
                 : "r"(at), "l"(from), "n"(sizeof(Object))
                 : "memory");
#else
    *to = *from;
#endif
}
/// Commits the copies that this thread has started since the last commit as one group.
__device__ __forceinline__ void end_group_of_copies()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" : : : "memory");
#endif
}
/// Waits for all but the last Groups groups of this thread; for copies of other lanes, __syncwarp()
/// as well.
template <int Groups>
__device__ __forceinline__ void wait_for_groups_before()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" : : "n"(Groups) : "memory");
#endif
}
/// Waits for all copies of this thread; for those of other lanes, __syncwarp() as well.
__device__ __forceinline__ void wait_for_copies()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" : : : "memory");
#endif
}

}  // namespace ddla::device_backend
