// What kernels of several steps share: their parameter, and the end of a step.
#pragma once

#include "device/core/fold.cuh"

namespace ddla::device_backend {

/// Steps as a kernel parameter, which a std::tuple cannot be.
template <class... Steps>
struct chain {
};
template <class First, class... Rest>
struct chain<First, Rest...> {
    First first;
    chain<Rest...> rest;
};
inline chain<> chained()
{
    return {};
}
template <class First, class... Rest>
chain<First, Rest...> chained(const First& first, const Rest&... rest)
{
    return {first, chained(rest...)};
}

/// Copies the shared scalars to those of the block.  One thread calls this.
template <class State>
__device__ __forceinline__ void take_scalars(State& q, const State& shared)
{
    q = load_from_others(&shared);                    // maybe before the wait, behind a product
    if (blockIdx.x > 0) q.control.history = nullptr;  // one block writes it
}

/// The end of a step with a sum, done redundantly by each block: add_up(total) is the all-reduce,
/// whose result `total` holds after a barrier.
template <class Step, class State, class AddUp>
__device__ __forceinline__ void finish_here(const Step& step, State& q, const AddUp& add_up)
{
    __shared__ shared_value<typename Step::sum> total;
    if constexpr (Step::has.prepare)
        if (threadIdx.x == blockDim.x - 1) step.prepare(q);  // others fold meanwhile
    add_up(total);
    __syncthreads();
    if (threadIdx.x == 0) step.finish(total.whole(), q);
    __syncthreads();
}

}  // namespace ddla::device_backend
