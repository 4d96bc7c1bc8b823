#include "gpu.hpp"

#include "driver.hpp"

#include "ddla/error.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <type_traits>

namespace ddla::device_backend {

namespace {

/// Freed memory that the pool keeps for the next call instead of handing it back to the system: all
/// of it, for a solve that follows a solve needs as much again.
constexpr unsigned long long kept_bytes = UINT64_MAX;

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

/// Destroys what was made, unless release() is called.
struct destroy {
    void operator()(cudaMemPool_t pool) const { forget_error(cudaMemPoolDestroy(pool)); }
    void operator()(cudaStream_t stream) const { forget_error(cudaStreamDestroy(stream)); }
};
template <class Handle>
using owned = std::unique_ptr<std::remove_pointer_t<Handle>, destroy>;

owned<cudaMemPool_t> pool_on(int index)
{
    cudaMemPoolProps wish{};
    wish.allocType = cudaMemAllocationTypePinned;
    wish.location.type = cudaMemLocationTypeDevice;
    wish.location.id = index;
    cudaMemPool_t made = nullptr;
    check(cudaMemPoolCreate(&made, &wish), "cudaMemPoolCreate");
    owned<cudaMemPool_t> pool(made);
    unsigned long long keep = kept_bytes;
    check(cudaMemPoolSetAttribute(made, cudaMemPoolAttrReleaseThreshold, &keep),
          "cudaMemPoolSetAttribute");
    // Otherwise the pool may make a stream wait for another one to reuse memory that it freed.
    int waits = 0;
    check(cudaMemPoolSetAttribute(made, cudaMemPoolReuseAllowInternalDependencies, &waits),
          "cudaMemPoolSetAttribute");
    return pool;
}

owned<cudaStream_t> new_stream()
{
    cudaStream_t made = nullptr;
    check(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    return owned<cudaStream_t>(made);
}

}  // namespace

current_device::current_device(int index)
{
    check(cudaGetDevice(&before_), "cudaGetDevice");
    if (driver::is_in_foreign_context()) {
        driver::push_primary_context(index);
        pushed_ = true;
    } else if (before_ != index) {
        check(cudaSetDevice(index), "cudaSetDevice");
        changed_ = true;
    }
}

current_device::~current_device()
{
    if (pushed_) driver::pop_context();
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
    owned<cudaMemPool_t> pool = pool_on(index);
    owned<cudaStream_t> stream = new_stream();
    own_ = std::make_unique<queue>(*this, stream.get());
    stream.release();  // both stay until the process ends
    pool_ = pool.release();
}

void gpu::release_kept_memory()
{
    const current_device here(index_);
    own_->wait();  // what was freed last may still be in use
    check(cudaMemPoolTrimTo(pool_, 0), "cudaMemPoolTrimTo");
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
