// Old values in the first-level cache of every multiprocessor.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace test {

/// From its construction to its end, a warp on each multiprocessor of device 0 reads these numbers
/// again and again through the first-level cache: it holds what they were at first.
class warm_caches {
public:
    warm_caches(const double* numbers, std::size_t count);
    ~warm_caches();
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
