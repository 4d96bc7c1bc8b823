// Times of contenders that take turns.
#pragma once

#include "support/median.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <thread>
#include <vector>

namespace bench {

inline double seconds_of(int calls, const std::function<void()>& f)
{
    const auto begin = std::chrono::steady_clock::now();
    for (int k = 0; k < calls; ++k) f();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / calls;
}

/// Seconds a call: one row for each contender, one column for each round, so that a disturbance
/// of the machine meets neighbours.  A turn is a pause, in which the threads of the one before
/// stop spinning for work, calls that warm up, and as many as take about `turn` seconds.
inline std::vector<std::vector<double>>
take_turns(const std::vector<std::function<void()>>& contenders, int rounds, double turn)
{
    std::vector<int> calls;
    for (const auto& f : contenders) {
        seconds_of(2, f);
        calls.push_back(std::clamp(static_cast<int>(turn / seconds_of(2, f)), 1, 100000));
    }
    std::vector<std::vector<double>> seconds(contenders.size());
    for (int round = 0; round < rounds; ++round)
        for (std::size_t c = 0; c < contenders.size(); ++c) {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
            seconds_of(std::max(1, calls[c] / 10), contenders[c]);
            seconds[c].push_back(seconds_of(calls[c], contenders[c]));
        }
    return seconds;
}

}  // namespace bench
