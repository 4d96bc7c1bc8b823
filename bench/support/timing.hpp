// Medians of times on a stream of the device.
#pragma once

#include "device/core/check.hpp"
#include "median.hpp"

#include <chrono>

namespace bench {

/// A stream of the current device.
class cuda_stream {
public:
    cuda_stream()
    {
        ddla::device_backend::check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking),
                                    "cudaStreamCreateWithFlags");
    }
    ~cuda_stream() { cudaStreamDestroy(stream_); }
    cuda_stream(const cuda_stream&) = delete;
    cuda_stream& operator=(const cuda_stream&) = delete;
    operator cudaStream_t() const { return stream_; }

private:
    cudaStream_t stream_ = nullptr;
};

/// Microseconds of one f() by events, the median of `samples` runs of as many calls as take some
/// time.
template <class F>
double microseconds(cudaStream_t stream, const F& f, int samples = 7)
{
    using ddla::device_backend::check;
    cudaEvent_t begin, end;
    check(cudaEventCreate(&begin), "cudaEventCreate");
    check(cudaEventCreate(&end), "cudaEventCreate");
    const auto timed = [&](int calls) {
        check(cudaEventRecord(begin, stream), "cudaEventRecord");
        for (int k = 0; k < calls; ++k) f();
        check(cudaEventRecord(end, stream), "cudaEventRecord");
        check(cudaEventSynchronize(end), "cudaEventSynchronize");
        float ms = 0;
        check(cudaEventElapsedTime(&ms, begin, end), "cudaEventElapsedTime");
        return ms * 1e3 / calls;
    };
    timed(3);
    const int calls = std::clamp(static_cast<int>(3000 / timed(3)), 1, 200);
    const double time = median(samples, [&] { return timed(calls); });
    check(cudaEventDestroy(begin), "cudaEventDestroy");
    check(cudaEventDestroy(end), "cudaEventDestroy");
    return time;
}

/// Microseconds of f() and of the work that it leaves on the stream, by the clock on the wall.
template <class F>
double wall_microseconds(cudaStream_t stream, const F& f)
{
    using ddla::device_backend::check;
    check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    const auto begin = std::chrono::steady_clock::now();
    f();
    check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin)
        .count();
}

}  // namespace bench
