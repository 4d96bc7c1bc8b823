// Old values in the first-level cache of every multiprocessor.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace test {

/// A warp on each SM of device 0 that reads some numbers again and again through L1,
/// which then holds what they were at first.
class warm_caches {
public:
    /// What may wait for work on the device is done here and at the end, not in begin().
    warm_caches();
    ~warm_caches();
    /// Begins to read `count` numbers; stop() ends that.
    void begin(const double* numbers, std::size_t count);
    void stop();
    warm_caches(const warm_caches&) = delete;
    warm_caches& operator=(const warm_caches&) = delete;
    /// How many of its warps have read all numbers once.
    unsigned begun() const;
    unsigned warps() const { return warps_; }

private:
    struct shared_with_device;
    shared_with_device* shared_ = nullptr;
    cudaStream_t stream_ = nullptr;
    unsigned warps_ = 0;
};

}  // namespace test
