// A bound on how long a thread waits for others, in debug builds.
//
// Blocks that wait for each other are all on the device at once, so that each wait ends.  Where
// that is broken, a program would hang without a word; a debug build says where, and ends.
#pragma once

#include "device/tuning.hpp"

#include <cstdio>

namespace ddla::device_backend {

/// Asked after each look that found nothing.  Costs nothing with NDEBUG.
class bounded_wait {
public:
    /// `what` the thread waits for: for the message.
    __device__ __forceinline__ void look_again([[maybe_unused]] const char* what)
    {
#ifndef NDEBUG
        unsigned long long now;
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
        if (since_ == 0) since_ = now;
        if (now - since_ < tuning::longest_wait) return;
        printf("ddla: block %u, thread %u waited %llu ms for %s, which did not come\n", blockIdx.x,
               threadIdx.x, tuning::longest_wait / 1000000, what);
        __trap();
#endif
    }

private:
#ifndef NDEBUG
    unsigned long long since_ = 0;  ///< nanoseconds
#endif
};

}  // namespace ddla::device_backend
