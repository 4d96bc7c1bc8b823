#include "contender.hpp"

#include <algorithm>
#include <ctime>

namespace bench {

std::string_view to_string(factors_kind kind)
{
    return kind == factors_kind::ilu ? "ILU(0)" : "IC(0)";
}

std::string_view to_string(krylov_method method)
{
    switch (method) {
    case krylov_method::bicgstab:
        return "bicgstab";
    case krylov_method::cg:
        return "cg";
    case krylov_method::fgmres:
        break;
    }
    return "fgmres";
}

bench_clock::time_point bench_clock::now() noexcept
{
    timespec t;
    clock_gettime(of_processor ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &t);
    return time_point(std::chrono::seconds(t.tv_sec) + duration(t.tv_nsec));
}

double seconds_of_call(const std::function<void()>& call, const std::function<void()>& wait)
{
    constexpr double long_enough = 0.02;
    constexpr int most_calls = 1000;
    const auto batch = [&](int calls) {
        const auto begin = bench_clock::now();
        for (int k = 0; k < calls; ++k) call();
        wait();
        return seconds_since(begin) / calls;
    };
    batch(1);  // what is made at the first call
    const double once = batch(1);
    const int calls = std::clamp(static_cast<int>(long_enough / once), 1, most_calls);
    std::vector<double> seconds;
    for (int k = 0; k < 5; ++k) seconds.push_back(batch(calls));
    std::sort(seconds.begin(), seconds.end());
    return seconds[2];
}

}  // namespace bench
