#include "gpu.hpp"

#include "ddla/error.hpp"

#include <map>
#include <mutex>
#include <string>

namespace ddla::device_backend {

namespace {

/// Freed memory that the pool keeps for the next call instead of handing it back to the system.
constexpr unsigned long long kept_bytes = 64ull << 20;

int count_of_devices()
{
    int count = 0;
    check(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
    return count;
}

int require_device(int index)
{
    const int count = count_of_devices();
    if (index < 0 || index >= count)
        throw resource_error("there is no device " + std::to_string(index) +
                             ": this process sees " + std::to_string(count) + " NVIDIA GPU" +
                             (count == 1 ? "" : "s"));
    return index;
}

int attribute_of(int index, cudaDeviceAttr what)
{
    int value = 0;
    check(cudaDeviceGetAttribute(&value, what, index), "cudaDeviceGetAttribute");
    return value;
}

cudaMemPool_t pool_on(int index)
{
    cudaMemPoolProps wish{};
    wish.allocType = cudaMemAllocationTypePinned;
    wish.location.type = cudaMemLocationTypeDevice;
    wish.location.id = index;
    cudaMemPool_t pool = nullptr;
    check(cudaMemPoolCreate(&pool, &wish), "cudaMemPoolCreate");
    unsigned long long keep = kept_bytes;
    check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep),
          "cudaMemPoolSetAttribute");
    // Otherwise the pool may make a stream wait for another one to reuse memory that it freed.
    int waits = 0;
    check(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowInternalDependencies, &waits),
          "cudaMemPoolSetAttribute");
    return pool;
}

}  // namespace

current_device::current_device(int index)
{
    check(cudaGetDevice(&before_), "cudaGetDevice");
    if (before_ == index) return;
    check(cudaSetDevice(index), "cudaSetDevice");
    changed_ = true;
}

current_device::~current_device()
{
    if (changed_) forget_error(cudaSetDevice(before_));
}

gpu::gpu(int index) : index_(require_device(index))
{
    const current_device here(index);
    code_ = require_code();
    if (attribute_of(index, cudaDevAttrCooperativeLaunch) != 0)
        multiprocessors_ = attribute_of(index, cudaDevAttrMultiProcessorCount);
    const auto bytes = [=](cudaDeviceAttr what) {
        return static_cast<std::size_t>(attribute_of(index, what));
    };
    most_shared_bytes_ = bytes(cudaDevAttrMaxSharedMemoryPerBlockOptin);
    pool_ = pool_on(index);
    cudaStream_t stream = nullptr;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    own_ = std::make_unique<queue>(*this, stream);
}

gpu& gpu_at(int index)
{
    // Never destroyed: at the end of the process the driver may be gone before us.
    static auto& guard = *new std::mutex;
    static auto& all = *new std::map<int, std::unique_ptr<gpu>>;
    const std::lock_guard lock(guard);
    auto& one = all[index];
    if (!one) one = std::make_unique<gpu>(index);
    return *one;
}

}  // namespace ddla::device_backend

ddla::memory& ddla::device_memory(int index)
{
    return device_backend::gpu_at(index).own();
}
