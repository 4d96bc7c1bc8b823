// The devices that this process can see, and what stands in the way of using them.
#include "ddla/devices.hpp"

#include "gpu.hpp"

#include "ddla/error.hpp"

namespace ddla {

using namespace device_backend;

std::vector<device_info> devices()
{
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess) {
        cudaGetLastError();  // why_no_device() tells; the next launch must not
        return {};
    }
    std::vector<device_info> all;
    for (int i = 0; i < count; ++i) {
        cudaDeviceProp found;
        check(cudaGetDeviceProperties(&found, i), "cudaGetDeviceProperties");
        all.push_back({found.name, found.major * 10 + found.minor, found.multiProcessorCount,
                       found.totalGlobalMem});
    }
    return all;
}

std::string why_no_device()
try {
    int count = 0;
    check(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
    if (count == 0) check(cudaErrorNoDevice, "cudaGetDeviceCount");
    return "";
} catch (const error& e) {
    return e.what();
}

device_state state_of_device(int index)
{
    device_state state;
    try {
        const current_device here(index);
        require_code();
        std::size_t total = 0;
        check(cudaMemGetInfo(&state.free_bytes, &total), "cudaMemGetInfo");
    } catch (const error& e) {
        state.problem = e.what();
    }
    return state;
}

void release_kept_memory(int index)
{
    gpu_at(index).release_kept_memory();
}

cuda_versions versions_of_cuda()
{
    int driver = 0;
    const bool there = cudaDriverGetVersion(&driver) == cudaSuccess && driver > 0;
    return {there ? version_text(driver) : "", version_text(CUDART_VERSION)};
}

}  // namespace ddla
