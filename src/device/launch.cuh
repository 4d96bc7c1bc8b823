// How a kernel begins.
#pragma once

#include "ddla/views.hpp"

namespace ddla::device_backend {

/// The first thing in every kernel of sweeps: wait until all work before is done and seen, then let
/// the blocks of the next kernel take the places that are free.  Returns the number of this block.
/// (Programmatic dependent launch; without it, the wait is over when the kernel starts.)
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

}  // namespace ddla::device_backend
