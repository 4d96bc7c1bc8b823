#include "copy_time.hpp"

#include "data.hpp"
#include "timing.hpp"

namespace bench {

copy_time time_copy(cudaStream_t stream)
{
    const std::size_t bytes = std::size_t{1} << 31;
    const ddla::buffer from(bytes, there), to(bytes, there);
    const double us = microseconds(stream, [&] {
        check(cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice, stream),
              "cudaMemcpyAsync");
    });
    return {2 * bytes, us};
}

json record_of(const copy_time& copy)
{
    return {{"bytes", copy.bytes},
            {"microseconds", copy.microseconds},
            {"gigabytes_per_second", copy.speed() / 1e3}};
}

}  // namespace bench
