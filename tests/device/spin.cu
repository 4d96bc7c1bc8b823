// A thread that waits for what does not come, in a debug build that waits for 20 milliseconds.
#undef NDEBUG
#define DDLA_LONGEST_WAIT 20000000
#include "spin.hpp"

#include "device/core/grid_exchange.cuh"

namespace test {

namespace {

__global__ void wait_for_a_sum(ddla::device_backend::slot* slots, double* to)
{
    *to = ddla::device_backend::slots_in_turns{slots, 1}.await<double>(1, 0);
}

}  // namespace

std::string wait_for_nobody()
{
    void* memory = nullptr;
    if (cudaMalloc(&memory, 4096) != cudaSuccess) return "cudaMalloc failed";
    cudaMemset(memory, 0, 4096);
    wait_for_a_sum<<<1, 1>>>(static_cast<ddla::device_backend::slot*>(memory),
                             static_cast<double*>(memory) + 500);
    return cudaGetErrorName(cudaDeviceSynchronize());
}

}  // namespace test
