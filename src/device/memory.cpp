// Memory of a device: plain, stream-ordered allocations.
#include "storage/memory.hpp"

#include "gpu.hpp"

#include "ddla/devices.hpp"

#include <map>

namespace ddla {

namespace {

using namespace device_backend;

class memory_of_device final : public memory {
public:
    explicit memory_of_device(gpu& on) : gpu_(on) {}

    void* allocate(std::size_t bytes) override
    {
        const current_device here(gpu_.index());
        return gpu_.allocate(bytes);
    }
    void release(void* data) noexcept override { gpu_.release(data); }
    void fill_with_zero(void* data, std::size_t bytes) override
    {
        const current_device here(gpu_.index());
        check(cudaMemsetAsync(data, 0, bytes, gpu_.stream()), "cudaMemsetAsync");
    }
    void copy_from_host(void* to, const void* from, std::size_t bytes) override
    {
        copy(to, from, bytes, cudaMemcpyHostToDevice);
    }
    void copy_to_host(void* to, const void* from, std::size_t bytes) override
    {
        copy(to, from, bytes, cudaMemcpyDeviceToHost);
    }
    void copy_within(void* to, const void* from, std::size_t bytes) override
    {
        copy(to, from, bytes, cudaMemcpyDeviceToDevice);
    }

private:
    void copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind)
    {
        const current_device here(gpu_.index());
        check(cudaMemcpyAsync(to, from, bytes, kind, gpu_.stream()), "cudaMemcpyAsync");
        gpu_.wait();
    }

    gpu& gpu_;
};

}  // namespace

memory& device_memory(int index)
{
    static auto& guard = *new std::mutex;
    static auto& all = *new std::map<int, std::unique_ptr<memory_of_device>>;
    const std::lock_guard lock(guard);
    auto& one = all[index];
    if (!one) one = std::make_unique<memory_of_device>(gpu_at(index));
    return *one;
}

std::vector<device_info> devices()
{
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess) return {};
    std::vector<device_info> all;
    for (int i = 0; i < count; ++i) {
        cudaDeviceProp found;
        check(cudaGetDeviceProperties(&found, i), "cudaGetDeviceProperties");
        all.push_back({found.name, found.major * 10 + found.minor, found.multiProcessorCount,
                       found.totalGlobalMem});
    }
    return all;
}

}  // namespace ddla
