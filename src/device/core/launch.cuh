// How a kernel begins.
#pragma once

#include "ddla/views.hpp"
#include "steps/control.hpp"

namespace ddla::device_backend {

/// All work before is done and seen: that of the kernel before, which waits as well, and so on.
__device__ __forceinline__ void wait_for_preceding()
{
#if __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
}

/// Let the blocks of the next kernel take the places that are free.  What a kernel reads before it
/// waits must have been there before the one before let it in: before that one waited, or before
/// the one in front of it let it in, if it does not wait first.  (What CUDA promises is for kernels
/// that wait; but one that is over has left its words in the second-level cache, which all share.
/// The first-level one may hold what they were.)  A kernel that lets in the next before it waits
/// must still wait, at its end at the latest, for those after it.
__device__ __forceinline__ void trigger_dependents()
{
#if __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

/// Wait until all work before is done and seen, then let the blocks of the next kernel take the
/// places that are free.  (Programmatic dependent launch; without it, the wait is over when the
/// kernel starts.)
__device__ __forceinline__ void wait_and_trigger_dependents()
{
    wait_for_preceding();
    trigger_dependents();
}

/// The number of this block, of which the compiler knows nothing before the wait above it.  Loads
/// of what "nobody writes during the kernel" may be moved up, even to before the wait, unless their
/// addresses follow from such a number.
__device__ __forceinline__ index_t block_from_now()
{
    unsigned block = blockIdx.x;
#if __CUDA_ARCH__ >= 900
    asm volatile("" : "+r"(block) : : "memory");
#endif
    return block;
}

/// Whether this block is among the first ones, so many of which a multiprocessor takes at once:
/// those may begin beside the kernel before.  Others mostly find that one over; they wait at once,
/// for a wait is also one for the loads on their way.
template <int OfMultiprocessor>
__device__ __forceinline__ bool is_in_first_wave()
{
    unsigned multiprocessors;
    asm("mov.u32 %0, %%nsmid;" : "=r"(multiprocessors));
    return blockIdx.x < OfMultiprocessor * multiprocessors;
}

/// The first thing in most other kernels of sweeps.  Returns the number of this block.
__device__ __forceinline__ index_t block_after_wait()
{
    wait_and_trigger_dependents();
    return block_from_now();
}

/// Whether the solve that wants the product, if one does, is over: then nobody reads it.  Its
/// operand may be anything then, and may be read, but nothing is written.
__device__ __forceinline__ bool is_over(const steps::end_of_solve* end)
{
    using now = const volatile steps::end_of_solve;  // not before the kernel may read it
    return end && *static_cast<now*>(end) != steps::end_of_solve::none;
}

}  // namespace ddla::device_backend
