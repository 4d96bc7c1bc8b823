// Times on a stream of the device.
#pragma once

#include "device/check.hpp"

#include <algorithm>
#include <vector>

namespace bench {

/// Microseconds of one f(), the median of `samples` runs of as many calls as take some time.
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
    std::vector<double> times;
    for (int k = 0; k < samples; ++k) times.push_back(timed(calls));
    std::sort(times.begin(), times.end());
    check(cudaEventDestroy(begin), "cudaEventDestroy");
    check(cudaEventDestroy(end), "cudaEventDestroy");
    return times[times.size() / 2];
}

}  // namespace bench
