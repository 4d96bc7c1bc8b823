// One GPU as ddla uses it: a stream that orders all its work, a pool of memory, and scratch.
#pragma once

#include "check.hpp"

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace ddla::device_backend {

/// Makes a device current for the calling thread, and the former one again at the end.
class current_device {
public:
    explicit current_device(int index);
    ~current_device();
    current_device(const current_device&) = delete;
    current_device& operator=(const current_device&) = delete;

private:
    int before_ = 0;
    bool changed_ = false;
};

/// What a sweep needs beside its vectors.  A call borrows one; nobody else touches it meanwhile.
struct scratch {
    void* sums = nullptr;  ///< of tiles, groups of tiles, ...
    std::size_t sums_bytes = 0;
    unsigned* arrived = nullptr;  ///< counters, all zero between sweeps
    std::size_t counters = 0;
    void* mailbox = nullptr;          ///< pinned host memory for what a call reads
    cudaStream_t recorder = nullptr;  ///< for recording graphs; runs nothing itself

    static constexpr std::size_t mailbox_bytes = 1024;
};

class gpu {
public:
    /// Throws resource_error if there is no such device or ddla cannot use it.
    explicit gpu(int index);
    gpu(const gpu&) = delete;
    gpu& operator=(const gpu&) = delete;

    int index() const { return index_; }
    cudaStream_t stream() const { return stream_; }
    int multiprocessors() const { return multiprocessors_; }

    /// Stream-ordered; the device is current.  On failure throws resource_error with the bytes
    /// needed and free, and leaves the device usable.
    void* allocate(std::size_t bytes);
    void release(void* data) noexcept;
    void wait() const;

    std::unique_ptr<scratch> borrow();
    void give_back(std::unique_ptr<scratch> s) noexcept;
    /// Room for these; what was in it is lost.
    void reserve(scratch& s, std::size_t sums_bytes, std::size_t counters);

private:
    int index_;
    cudaStream_t stream_ = nullptr;
    cudaMemPool_t pool_ = nullptr;
    int multiprocessors_ = 0;
    std::mutex guard_;
    std::vector<std::unique_ptr<scratch>> spare_;
};

/// The device of this number, set up at first use and kept until the process ends.
gpu& gpu_at(int index);

/// Throws resource_error unless this build holds code for the current device.
void require_code();

}  // namespace ddla::device_backend
