// One GPU as ddla uses it: a pool of memory, and the stream of all work that names no other.
#pragma once

#include "queue.hpp"

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

class gpu {
public:
    /// Throws resource_error if there is no such device or ddla cannot use it.
    explicit gpu(int index);
    gpu(const gpu&) = delete;
    gpu& operator=(const gpu&) = delete;

    int index() const { return index_; }
    /// Whether a kernel may start before the preceding one ends (programmatic dependent launch).
    bool starts_early() const { return code_ >= 90; }
    /// The blocks that the device holds at once if an SM holds `each`; 0 without cooperative
    /// launch.
    int blocks_at_once(int each) const { return multiprocessors_ * each; }
    /// Of one block.
    std::size_t most_shared_bytes() const { return most_shared_bytes_; }
    cudaMemPool_t pool() const { return pool_; }
    /// Of ddla's own stream.
    queue& own() { return *own_; }

private:
    int index_;
    int code_ = 0;             ///< the architecture that its code was compiled for
    int multiprocessors_ = 0;  ///< 0 without cooperative launch
    std::size_t most_shared_bytes_ = 0;
    cudaMemPool_t pool_ = nullptr;
    std::unique_ptr<queue> own_;
};

/// The device of this number, set up at first use and kept until the process ends.
gpu& gpu_at(int index);

/// The architecture for which the code was compiled that the current device runs: 90 for sm_90.
/// Throws resource_error if this build holds none.
int require_code();

}  // namespace ddla::device_backend
