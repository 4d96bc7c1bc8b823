#include "queue.hpp"

#include "gpu.hpp"
#include "out_of_memory.hpp"

#include "ddla/error.hpp"

#include <algorithm>
#include <new>
#include <string>
#include <utility>

namespace ddla::device_backend {

namespace {

/// While it lives, this thread may allocate although a stream is being captured.
class beside_captures {
public:
    beside_captures() : exchanged_(exchange()) {}
    ~beside_captures()
    {
        if (exchanged_) exchange();
    }
    beside_captures(const beside_captures&) = delete;
    beside_captures& operator=(const beside_captures&) = delete;

private:
    bool exchange() noexcept
    {
        const cudaError_t status = cudaThreadExchangeStreamCaptureMode(&other_);
        forget_error(status);  // without a capture nothing is lost, in one the next call says so
        return status == cudaSuccess;
    }
    cudaStreamCaptureMode other_ = cudaStreamCaptureModeRelaxed;
    bool exchanged_;
};

[[noreturn]] void throw_out_of_memory(std::size_t bytes)
{
    cudaGetLastError();
    int index = 0;
    std::size_t free = 0, total = 0;
    check(cudaGetDevice(&index), "cudaGetDevice");
    check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
    throw out_of_device_memory("out of memory on device " + std::to_string(index) + ": " +
                               std::to_string(bytes) + " bytes were needed in one piece, " +
                               std::to_string(free) + " of " + std::to_string(total) +
                               " bytes are free");
}

/// What the pool of the current device keeps goes back to the system: cudaMalloc does not take it
/// from there.
void give_back_pool_memory()
{
    int index = 0;
    check(cudaGetDevice(&index), "cudaGetDevice");
    check(cudaMemPoolTrimTo(gpu_at(index).pool(), 0), "cudaMemPoolTrimTo");
}

}  // namespace

lasting_memory::lasting_memory(std::size_t bytes) : lasting_memory()
{
    const beside_captures now;
    cudaError_t status = cudaMalloc(&data_, bytes);
    if (status == cudaErrorMemoryAllocation) {
        cudaGetLastError();
        give_back_pool_memory();
        status = cudaMalloc(&data_, bytes);
    }
    if (status == cudaErrorMemoryAllocation) throw_out_of_memory(bytes);
    check(status, "cudaMalloc");
    bytes_ = bytes;
    cudaStream_t aside = nullptr;
    check(cudaStreamCreateWithFlags(&aside, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    const char* call = "cudaMemsetAsync";
    status = cudaMemsetAsync(data_, 0, bytes, aside);
    if (status == cudaSuccess) {
        call = "cudaStreamSynchronize";
        status = cudaStreamSynchronize(aside);
    }
    forget_error(cudaStreamDestroy(aside));
    check(status, call);
}

lasting_memory::~lasting_memory()
{
    const beside_captures now;
    forget_error(cudaFree(data_));
}

pinned_memory::pinned_memory(std::size_t bytes) : bytes_(bytes)
{
    const beside_captures now;
    const cudaError_t status = cudaMallocHost(&data_, bytes);
    if (status == cudaErrorMemoryAllocation) {
        cudaGetLastError();
        throw resource_error("the host has no pinned memory left: " + std::to_string(bytes) +
                             " bytes were needed");
    }
    check(status, "cudaMallocHost");
}

pinned_memory::~pinned_memory()
{
    const beside_captures now;
    forget_error(cudaFreeHost(data_));
}

void growing_pinned::reserve(std::size_t bytes)
{
    const std::size_t had = memory_.empty() ? 0 : memory_.back()->bytes();
    if (bytes > had) memory_.push_back(std::make_unique<pinned_memory>(std::max(bytes, 2 * had)));
}

std::unique_ptr<scratch> scratch::make()
{
    const beside_captures now;
    auto s = std::make_unique<scratch>();
    check(cudaStreamCreateWithFlags(&s->recorder, cudaStreamNonBlocking),
          "cudaStreamCreateWithFlags");
    return s;
}

scratch::~scratch()
{
    const beside_captures now;
    if (recorder) forget_error(cudaStreamDestroy(recorder));
}

void growing_scratch::reserve(std::size_t sums_bytes, std::size_t count)
{
    // Twice as much each time: what stays alive is then less than what is in use.
    if (sums_bytes > sums_bytes_) {
        const std::size_t now = std::max(sums_bytes, 2 * sums_bytes_);
        memory_.push_back(std::make_unique<lasting_memory>(now));
        sums = memory_.back()->data();
        sums_bytes_ = now;
    }
    if (count > counters_) {
        const std::size_t now = std::max(count, 2 * counters_);
        memory_.push_back(std::make_unique<lasting_memory>(now * sizeof(unsigned)));
        arrived = static_cast<unsigned*>(memory_.back()->data());
        counters_ = now;
    }
}

std::size_t growing_scratch::bytes() const
{
    std::size_t all = 0;
    for (const auto& piece : memory_) all += piece->bytes();
    return all;
}

queue::~queue()
{
    try {
        const current_device here(gpu_.index());
        spare_.clear();
    } catch (const error&) {
        // This process has lost the device.  Whoever noticed that has said so.
    }
}

void queue::wait() const
{
    const current_device here(gpu_.index());  // the default stream is the current device's
    check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
}

void queue::require_wait() const
{
    const current_device here(gpu_.index());
    cudaStreamCaptureStatus status{};
    check(cudaStreamIsCapturing(stream_, &status), "cudaStreamIsCapturing");
    if (status != cudaStreamCaptureStatusNone)
        check(cudaErrorStreamCaptureUnsupported, "cudaStreamIsCapturing");
}

void* queue::allocate(std::size_t bytes)
{
    const current_device here(gpu_.index());
    void* data = nullptr;
    cudaError_t status = cudaMallocFromPoolAsync(&data, bytes, gpu_.pool(), stream_);
    if (status == cudaErrorMemoryAllocation) {
        // What was freed may still wait in the stream or be kept by the pool.
        cudaGetLastError();
        wait();
        check(cudaMemPoolTrimTo(gpu_.pool(), 0), "cudaMemPoolTrimTo");
        status = cudaMallocFromPoolAsync(&data, bytes, gpu_.pool(), stream_);
    }
    if (status == cudaErrorMemoryAllocation) {
        // The pool has taken all that there was, and would keep it.
        cudaGetLastError();
        check(cudaMemPoolTrimTo(gpu_.pool(), 0), "cudaMemPoolTrimTo");
        throw_out_of_memory(bytes);
    }
    check(status, "cudaMallocFromPoolAsync");
    return data;
}

void queue::release(void* data) noexcept
{
    if (!data) return;
    try {
        const current_device here(gpu_.index());
        forget_error(cudaFreeAsync(data, stream_));
    } catch (const error&) {
        // Only the default stream needs its device to be current.
        if (stream_) forget_error(cudaFreeAsync(data, stream_));
    }
}

void queue::fill_with_zero(void* data, std::size_t bytes)
{
    const current_device here(gpu_.index());
    check(cudaMemsetAsync(data, 0, bytes, stream_), "cudaMemsetAsync");
    wait();  // other streams may use it next
}

void queue::copy_from_host(void* to, const void* from, std::size_t bytes)
{
    copy(to, from, bytes);
}

void queue::copy_to_host(void* to, const void* from, std::size_t bytes)
{
    copy(to, from, bytes);
}

void queue::copy_within(void* to, const void* from, std::size_t bytes)
{
    copy(to, from, bytes);
}

void queue::copy(void* to, const void* from, std::size_t bytes)
{
    const current_device here(gpu_.index());
    // What the device reaches need not be its own memory: the driver finds out.
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream_), "cudaMemcpyAsync");
    wait();
}

std::unique_ptr<scratch> queue::borrow()
{
    {
        const std::lock_guard lock(guard_);
        if (!spare_.empty()) {
            auto s = std::move(spare_.back());
            spare_.pop_back();
            return s;
        }
    }
    return scratch::make();
}

void queue::give_back(std::unique_ptr<scratch> s) noexcept
{
    const std::lock_guard lock(guard_);
    try {
        spare_.push_back(nullptr);
        spare_.back() = std::move(s);
    } catch (const std::bad_alloc&) {
        // Never freed: the work that was enqueued last, or a captured graph, may still use it.
        static_cast<void>(s.release());
    }
}

}  // namespace ddla::device_backend
