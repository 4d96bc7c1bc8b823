#include "solve_time.hpp"

#include "ddla/error.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <limits>
#include <vector>

namespace bench {

using namespace ddla;

namespace {

using clock = std::chrono::steady_clock;

double seconds_between(clock::time_point begin, clock::time_point end)
{
    return std::chrono::duration<double>(end - begin).count();
}

double middle(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

struct clocked_solve {
    solve_report report{};
    std::vector<clock::time_point> readings{};  ///< after 0, 1, 2 … intervals

    /// It also went on to the last reading: one that ends there was not read.
    bool complete(int interval) const
    {
        return readings.size() == readings_of_clock + 1 &&
               report.iterations == std::int64_t{readings_of_clock} * interval;
    }
    std::string ending() const
    {
        const std::string where = report.breakdown.empty() ? "" : " at " + report.breakdown;
        return std::string(to_string(report.status)) + where + " after " +
               std::to_string(report.iterations) + " iterations";
    }
};

/// That the solve goes on to a reading says that all iterations before it were done in full: after
/// its end it looks no more.
template <scalar T>
clocked_solve solve_by_clock(const linear_system& s, method m, int interval)
{
    const std::int64_t last = std::int64_t{readings_of_clock} * interval;
    clocked_solve all;
    const auto read = [&](const solve_progress& p) {
        if (p.iterations % interval == 0) all.readings.push_back(clock::now());
        return p.iterations < last;
    };
    vector<T> x(s.b.size(), s.b.where());
    all.report = solve(s.a, s.right_hand_side<T>(), x,
                       {.method = m,
                        .tolerance = 0,
                        .max_iterations = last + 1,
                        .check_every = interval,
                        .watch = read});
    return all;
}

/// Roughly; 0 of solves that end at once.
template <scalar T>
double seconds_of_iteration(const linear_system& s, method m)
{
    const int shortest = *std::prev(std::end(intervals));
    const clocked_solve one = solve_by_clock<T>(s, m, shortest);
    if (!one.complete(shortest)) return 0;
    return seconds_between(one.readings[1], one.readings[2]) / shortest;
}

}  // namespace

template <scalar T>
interval_choice longest_interval(const linear_system& s, method m, int most, double seconds)
{
    const int shortest = *std::prev(std::end(intervals));
    const double each = std::isinf(seconds) ? 0 : seconds_of_iteration<T>(s, m);
    std::int64_t possible = std::numeric_limits<std::int64_t>::max();
    interval_choice found;
    for (const int interval : intervals) {
        const bool is_long = interval > most || interval * each > seconds;
        if (readings_of_clock * interval > possible || (is_long && interval > shortest)) continue;
        const clocked_solve one = solve_by_clock<T>(s, m, interval);
        if (one.complete(interval)) return {interval, found.limited_by};
        possible = one.report.iterations;
        found.limited_by = one.ending();
    }
    return found;
}

template <scalar T>
iteration_time time_of_iteration(const linear_system& s, method m, int interval, int solves,
                                 double seconds)
{
    std::vector<double> samples, whole;
    iteration_time t{.interval = interval};
    const auto begin = clock::now();
    for (int done = 0; done < solves || seconds_between(begin, clock::now()) < seconds; ++done) {
        const clocked_solve one = solve_by_clock<T>(s, m, interval);
        if (!one.complete(interval))
            throw internal_error("a solve of " + std::to_string(readings_of_clock * interval) +
                                 " iterations was " + one.ending());
        for (std::size_t k = 1; k < readings_of_clock; ++k)
            samples.push_back(seconds_between(one.readings[k], one.readings[k + 1]));
        whole.push_back(one.report.seconds);
        t.bytes = one.report.bytes_per_iteration;
        t.peak_bytes = one.report.peak_bytes;
    }
    t.samples = static_cast<int>(samples.size());
    t.microseconds = middle(samples) * 1e6 / interval;
    t.with_start_microseconds = middle(whole) * 1e6 / (readings_of_clock * interval);
    return t;
}

template interval_choice longest_interval<double>(const linear_system&, method, int, double);
template interval_choice longest_interval<dd_real>(const linear_system&, method, int, double);
template iteration_time time_of_iteration<double>(const linear_system&, method, int, int, double);
template iteration_time time_of_iteration<dd_real>(const linear_system&, method, int, int, double);

}  // namespace bench
