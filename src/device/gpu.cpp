#include "gpu.hpp"

#include "ddla/error.hpp"

#include <map>
#include <string>
#include <utility>

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
    if (changed_) cudaSetDevice(before_);
}

gpu::gpu(int index) : index_(require_device(index))
{
    const current_device here(index);
    require_code();
    check(cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, index),
          "cudaDeviceGetAttribute");
    pool_ = pool_on(index);
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
}

void* gpu::allocate(std::size_t bytes)
{
    void* data = nullptr;
    cudaError_t status = cudaMallocFromPoolAsync(&data, bytes, pool_, stream_);
    if (status == cudaErrorMemoryAllocation) {
        // What was freed may still wait in the stream or be kept by the pool.
        cudaGetLastError();
        wait();
        check(cudaMemPoolTrimTo(pool_, 0), "cudaMemPoolTrimTo");
        status = cudaMallocFromPoolAsync(&data, bytes, pool_, stream_);
    }
    if (status == cudaErrorMemoryAllocation) {
        cudaGetLastError();
        std::size_t free = 0, total = 0;
        check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
        throw resource_error("out of memory on device " + std::to_string(index_) + ": " +
                             std::to_string(bytes) + " bytes were needed in one piece, " +
                             std::to_string(free) + " of " + std::to_string(total) +
                             " bytes are free");
    }
    check(status, "cudaMallocFromPoolAsync");
    return data;
}

void gpu::release(void* data) noexcept
{
    // Nothing to be done about an error: an earlier one will have been reported.
    if (data) cudaFreeAsync(data, stream_);
}

void gpu::wait() const
{
    check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
}

std::unique_ptr<scratch> gpu::borrow()
{
    {
        const std::lock_guard lock(guard_);
        if (!spare_.empty()) {
            auto s = std::move(spare_.back());
            spare_.pop_back();
            return s;
        }
    }
    auto s = std::make_unique<scratch>();
    check(cudaMallocHost(&s->mailbox, scratch::mailbox_bytes), "cudaMallocHost");
    check(cudaStreamCreateWithFlags(&s->recorder, cudaStreamNonBlocking),
          "cudaStreamCreateWithFlags");
    return s;
}

void gpu::give_back(std::unique_ptr<scratch> s) noexcept
{
    const std::lock_guard lock(guard_);
    spare_.push_back(std::move(s));
}

void gpu::reserve(scratch& s, std::size_t sums_bytes, std::size_t counters)
{
    if (sums_bytes > s.sums_bytes) {
        release(std::exchange(s.sums, nullptr));
        s.sums_bytes = 0;
        s.sums = allocate(sums_bytes);
        s.sums_bytes = sums_bytes;
    }
    if (counters > s.counters) {
        release(std::exchange(s.arrived, nullptr));
        s.counters = 0;
        s.arrived = static_cast<unsigned*>(allocate(counters * sizeof(unsigned)));
        check(cudaMemsetAsync(s.arrived, 0, counters * sizeof(unsigned), stream_),
              "cudaMemsetAsync");
        s.counters = counters;
    }
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
