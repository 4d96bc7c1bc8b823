// Exchanges between blocks that do not keep pace.
#include "exchanges.hpp"

#include "cuda_streams.hpp"
#include "device/core/grid_exchange.cuh"

namespace test {
namespace {

namespace device = ddla::device_backend;

__global__ void meet(device::slot* all, device::word times)
{
    const device::polled_values slots(all);
    for (device::word k = 1; k <= times; ++k) {
        slots.arrive(k, blockIdx.x);
        if (k % 2 == blockIdx.x) __nanosleep(20'000);
        slots.await_arrival(k, 1 - blockIdx.x);
    }
}

}  // namespace

void meet_at_unlike_pace(int times)
{
    constexpr std::size_t bytes = device::polled_values::slots * sizeof(device::slot);
    void* memory = nullptr;
    require_cuda(cudaMalloc(&memory, bytes));
    require_cuda(cudaMemset(memory, 0, bytes));
    auto* all = static_cast<device::slot*>(memory);
    auto last = static_cast<device::word>(times);
    void* arguments[] = {&all, &last};
    const cudaError_t ended = cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(meet), 2, 1,
                                                          arguments, 0, nullptr);
    require_cuda(ended);
    require_cuda(cudaDeviceSynchronize());
    require_cuda(cudaFree(memory));
}

}  // namespace test
