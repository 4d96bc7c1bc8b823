// What kernels have in common that take several steps: their parameter, and how a step ends in
// them.
#pragma once

#include "device/core/fold.cuh"

namespace ddla::device_backend {

/// Steps as a parameter of a kernel, where std::tuple is none.
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

/// The block's own scalars, as the kernel finds them.  One thread calls this.
template <class State>
__device__ __forceinline__ void take_scalars(State& q, const State& shared)
{
    q = load_from_others(&shared);  // a kernel behind a product reads them before it waits
    if (blockIdx.x > 0) q.at.history = nullptr;  // one block writes it
}

/// The end of a step with a sum, in each block for itself: add_up(total) has all threads add up
/// what all blocks have, and `total` holds it after a barrier.
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
