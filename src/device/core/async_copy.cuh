// Copies from global to shared memory, or to the second-level cache, that pass through no register,
// while the warp goes on.
#pragma once

#include "warp.cuh"

namespace ddla::device_backend {

/// 16 bytes, past the first-level cache; both addresses are multiples of 16.
__device__ __forceinline__ void copy_16_async(void* to, const void* from)
{
#if __CUDA_ARCH__ >= 800
    const auto at = static_cast<unsigned>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" : : "r"(at), "l"(from) : "memory");
#else
    *static_cast<int4*>(to) = __ldg(static_cast<const int4*>(from));
#endif
}
/// The same of what is read once in a product: it leaves the second-level cache before all else.
/// (Where ptxas 13.0 finds the address in shared memory to be the same for all threads but for a
/// part, as in dynamic shared memory, it makes illegal instructions of this.)
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
/// Asks the second-level cache for so many bytes, or some less: whole pieces of 16.  Nothing before
/// compute capability 9.0.
__device__ __forceinline__ void prefetch_to_second_level(const void* from, unsigned bytes)
{
#if __CUDA_ARCH__ >= 900
    const auto at = reinterpret_cast<std::uintptr_t>(from);
    const std::uintptr_t first = (at + 15) / 16 * 16, end = (at + bytes) / 16 * 16;
    if (first >= end) return;
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;"
                 :
                 : "l"(first), "r"(static_cast<unsigned>(end - first)));
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
/// What this thread has begun to copy since it last said so is one group.
__device__ __forceinline__ void end_group_of_copies()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" : : : "memory");
#endif
}
/// All but the last Groups groups are there; for what others copied, __syncwarp() too.
template <int Groups>
__device__ __forceinline__ void wait_for_groups_before()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" : : "n"(Groups) : "memory");
#endif
}
/// All that this thread has begun to copy is there; for what others copied, __syncwarp() too.
__device__ __forceinline__ void wait_for_copies()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" : : : "memory");
#endif
}

}  // namespace ddla::device_backend
