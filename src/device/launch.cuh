// How a kernel begins.
#pragma once

#include "ddla/views.hpp"
#include "steps/control.hpp"

namespace ddla::device_backend {

/// All work before is done and seen.
__device__ __forceinline__ void wait_for_work_before()
{
#if __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
}

/// The number of this block, in a kernel that may run beside the one before: all that it reads was
/// there before that one began.  At its end it must wait_for_work_before(), for those after it.
__device__ __forceinline__ index_t block_beside_work_before()
{
#if __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
    return blockIdx.x;
}

/// The first thing in most other kernels of sweeps: wait until all work before is done and seen,
/// then let the blocks of the next kernel take the places that are free.  Returns the number of
/// this block. (Programmatic dependent launch; without it, the wait is over when the kernel
/// starts.)
__device__ __forceinline__ index_t block_after_work_before()
{
    unsigned block = blockIdx.x;
#if __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
    cudaTriggerProgrammaticLaunchCompletion();
    // Loads of what "nobody writes during the kernel" may be moved up, even to before the wait,
    // unless their addresses follow from a number that is known only now.
    asm volatile("" : "+r"(block) : : "memory");
#endif
    return block;
}

/// The same in a kernel after which one may run beside it: the blocks of that one take their places
/// while this one waits.  What that one reads must have been there before this one began, which it
/// was if the kernel before waited before it let this one in.
__device__ __forceinline__ index_t block_that_lets_in_the_next()
{
    unsigned block = blockIdx.x;
#if __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
    cudaGridDependencySynchronize();
    asm volatile("" : "+r"(block) : : "memory");
#endif
    return block;
}

/// Whether the solve that wants the product, if one does, is over: then nobody reads it.
__device__ __forceinline__ bool is_over(const steps::end_of_solve* end)
{
    using now = const volatile steps::end_of_solve;  // not before the kernel may read it
    return end && *static_cast<now*>(end) != steps::end_of_solve::none;
}

}  // namespace ddla::device_backend
