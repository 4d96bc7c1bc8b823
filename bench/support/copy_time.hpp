// The bandwidth that everything is compared with.
#pragma once

#include "environment.hpp"

namespace bench {

/// A copy from device to device.
struct copy_time {
    std::size_t bytes = 0;  ///< read and written
    double microseconds = 0;

    /// Bytes read and written a microsecond.
    double speed() const { return static_cast<double>(bytes) / microseconds; }
};

/// Copies 2 GiB by cudaMemcpyAsync.
copy_time time_copy(cudaStream_t stream);

json record_of(const copy_time& copy);

}  // namespace bench
