// Streams and memory of CUDA as a caller of ddla owns them.
#pragma once

#include "support/sites.hpp"

#include <cuda_runtime_api.h>

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace test {

/// Throws unless the call succeeded.
inline void require_cuda(cudaError_t status)
{
    if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

class cuda_stream {
public:
    explicit cuda_stream(unsigned flags = cudaStreamNonBlocking)
    {
        require_cuda(cudaStreamCreateWithFlags(&stream_, flags));
    }
    ~cuda_stream() { cudaStreamDestroy(stream_); }
    cuda_stream(const cuda_stream&) = delete;
    cuda_stream& operator=(const cuda_stream&) = delete;
    cudaStream_t get() const { return stream_; }

private:
    cudaStream_t stream_ = nullptr;
};

/// A stream of device 0, and memory from cudaMalloc.
class device_site final : public site {
public:
    device_site(std::string name, cudaStream_t stream)
        : name_(std::move(name)), stream_(stream), on_(ddla::device(0), stream)
    {
    }
    /// On a stream of its own.
    explicit device_site(std::string name, unsigned flags = cudaStreamNonBlocking)
        : name_(std::move(name)), own_(std::make_unique<cuda_stream>(flags)), stream_(own_->get()),
          on_(ddla::device(0), stream_)
    {
    }
    ~device_site() override
    {
        cudaStreamSynchronize(stream_);
        for (void* const piece : memory_) cudaFree(piece);
    }

    std::string name() const override { return name_; }
    ddla::stream& on() override { return on_; }
    cudaStream_t native() const { return stream_; }
    void* allocate(std::size_t bytes) override
    {
        memory_.reserve(memory_.size() + 1);
        void* data = nullptr;
        require_cuda(cudaMalloc(&data, bytes));
        memory_.push_back(data);
        return data;
    }
    void write(void* there, const void* from, std::size_t bytes) override
    {
        require_cuda(cudaMemcpyAsync(there, from, bytes, cudaMemcpyDefault, stream_));
        require_cuda(cudaStreamSynchronize(stream_));
    }
    void read(void* to, const void* there, std::size_t bytes) override
    {
        on_.wait();
        require_cuda(cudaMemcpy(to, there, bytes, cudaMemcpyDefault));
    }

private:
    std::string name_;
    std::unique_ptr<cuda_stream> own_;
    cudaStream_t stream_;
    std::vector<void*> memory_;
    ddla::stream on_;
};

/// Holds up a stream until it is opened.
class gate {
public:
    explicit gate(cudaStream_t stream) : stream_(stream)
    {
        require_cuda(cudaLaunchHostFunc(
            stream, [](void* self) { static_cast<gate*>(self)->pass(); }, this));
    }
    ~gate()
    {
        open();
        cudaStreamSynchronize(stream_);  // the stream may still be on its way through
    }
    gate(const gate&) = delete;
    gate& operator=(const gate&) = delete;
    void open()
    {
        const std::lock_guard lock(guard_);
        open_ = true;
        opened_.notify_all();
    }
    /// Nobody waited for the stream while it was held up, which would have taken half a minute.
    bool in_time() const { return in_time_; }

private:
    void pass()
    {
        std::unique_lock lock(guard_);
        in_time_ = opened_.wait_for(lock, std::chrono::seconds(30), [this] { return open_; });
    }
    cudaStream_t stream_;
    std::mutex guard_;
    std::condition_variable opened_;
    bool open_ = false, in_time_ = false;
};

}  // namespace test
