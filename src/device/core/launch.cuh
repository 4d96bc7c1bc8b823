// How a kernel begins.
#pragma once

#include "ddla/views.hpp"
#include "steps/control.hpp"

namespace ddla::device_backend {

/// Waits until the preceding kernel is complete and its writes are visible.  As that kernel waited,
/// too, so are all earlier ones.
__device__ __forceinline__ void wait_for_preceding()
{
#if __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
}

/// The programmatic launch trigger: blocks of the next kernel may be scheduled.  What that kernel
/// reads before its own wait must have been written by kernels that were complete when the present
/// one waited.  (CUDA promises visibility only after the wait.  Writes of a complete kernel are in
/// L2, which all SMs share; L1 may hold old values.)
__device__ __forceinline__ void trigger_dependents()
{
#if __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

/// Waits for the preceding kernel, then triggers the next one.  (Programmatic dependent launch;
/// without it the wait returns at once.)
__device__ __forceinline__ void wait_and_trigger_dependents()
{
    wait_for_preceding();
    trigger_dependents();
}

/// The number of this block, opaque to the compiler before this point.  The compiler may move
/// read-only loads to before the wait, unless their addresses depend on such a number.
__device__ __forceinline__ index_t block_from_now()
{
    unsigned block = blockIdx.x;
#if __CUDA_ARCH__ >= 900
    asm volatile("" : "+r"(block) : : "memory");
#endif
    return block;
}

/// Whether this block is in the first wave, of OfMultiprocessor blocks per SM, which may overlap
/// the preceding kernel.  Later blocks mostly find that kernel complete.  They should wait at once,
/// because the wait also waits for their own loads in flight.
template <int OfMultiprocessor>
__device__ __forceinline__ bool is_in_first_wave()
{
    unsigned multiprocessors;
    asm("mov.u32 %0, %%nsmid;" : "=r"(multiprocessors));
    return blockIdx.x < OfMultiprocessor * multiprocessors;
}

/// What most kernels begin with.  Returns the number of this block.
__device__ __forceinline__ index_t block_after_wait()
{
    wait_and_trigger_dependents();
    return block_from_now();
}

/// Whether the solve that a product belongs to, if any, has ended: its result is not needed then.
/// The operand may hold anything; it may be read, but nothing is written.
__device__ __forceinline__ bool is_over(const steps::end_of_solve* end)
{
    using now = const volatile steps::end_of_solve;  // volatile: not read before the wait
    return end && *static_cast<now*>(end) != steps::end_of_solve::none;
}

}  // namespace ddla::device_backend
