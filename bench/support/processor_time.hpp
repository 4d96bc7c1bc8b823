// Seconds of the processor: other work on the machine does not count.  For loops on several threads
// those by the clock on the wall.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>

namespace bench {

/// By this thread.  The clock of the process has steps of milliseconds on Linux while RLIMIT_CPU is
/// set.
inline double processor_seconds()
{
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

/// How often a call is timed: `least` times, then while all took less than `seconds`.
struct repeats {
    int least, most;
    double seconds;
};

inline double wall_seconds()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

/// The least time of some calls, by this clock.
template <class F>
double least_time(const repeats& r, const F& f, double (*clock)() = processor_seconds)
{
    double least = HUGE_VAL, total = 0;
    for (int k = 0; k < r.most && (k < r.least || total < r.seconds); ++k) {
        const double begin = clock();
        f();
        const double seconds = clock() - begin;
        least = std::min(least, seconds);
        total += seconds;
    }
    return least;
}

}  // namespace bench
