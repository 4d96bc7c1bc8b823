// Seconds of calls by a clock, and the bandwidth of copies.  The clock is a type, so that a test
// can say how long a call took.
#pragma once

#include "ddla/tune.hpp"
#include "ddla/watched_scope.hpp"

#include "calls/place_of.hpp"
#include "storage/memory.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <new>
#include <vector>

namespace ddla::api {

/// Seconds of one call; batches of calls amortise the wait for `here`.
template <class Clock, class Call>
class timed_call {
public:
    timed_call(engine& here, const Call& call) : here_(here), call_(call) {}

    double median_seconds(const measure_options& o) const
    {
        seconds_of(1);  // caches, clocks, whatever the first call sets up
        const double room = o.seconds / o.repeats, once = std::max(seconds_of(1), 1e-7);
        const auto batch = static_cast<index_t>(std::clamp(room / once, 1.0, 1000.0));
        std::vector<double> all;
        const auto repeats = static_cast<std::size_t>(o.repeats);
        const auto start = Clock::now();
        while (all.size() < repeats || seconds_since(start) < o.seconds)
            all.push_back(seconds_of(batch));
        const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
        std::nth_element(all.begin(), middle, all.end());
        return *middle;
    }

private:
    static double seconds_since(typename Clock::time_point start)
    {
        return std::chrono::duration<double>(Clock::now() - start).count();
    }
    double seconds_of(index_t calls) const
    {
        const auto start = Clock::now();
        for (index_t i = 0; i < calls; ++i) call_();
        here_.wait();
        return seconds_since(start) / static_cast<double>(calls);
    }

    engine& here_;
    const Call& call_;
};

/// n ones.  A watch can end their making.
inline vector<double> watched_ones(index_t n, place where)
{
    vector<double> x(n);
    for (index_t i = 0; i < n; i += operations_between_looks) {
        count_work(operations_between_looks);
        std::fill_n(x.word(0).data() + i, std::min(operations_between_looks, n - i), 1.0);
    }
    return where.is_host() ? std::move(x) : x.to(where);
}

/// The memory is touched for the first time here, which takes longer than some copies.
template <class Clock>
double bandwidth_of(index_t n, place where, const measure_options& options)
{
    const watched_zeros watched;
    const vector<double> x = watched_ones(n, where);
    vector<double> y(n, where);
    const auto call = [&] {
        count_work(n);
        copy(x, y);
    };
    const double bytes = 2.0 * sizeof(double) * static_cast<double>(n);
    return bytes /
           timed_call<Clock, decltype(call)>(engine_at(where), call).median_seconds(options);
}

/// copy_bandwidth_of() by another clock.
template <class Clock>
double copy_bandwidth_by(std::size_t bytes, place where, const measure_options& options)
{
    // At most of a size that no cache holds; a device needs more for its full speed.
    const std::size_t most = std::size_t{1} << (where.is_host() ? 24 : 26);
    const std::size_t wanted = std::clamp<std::size_t>(bytes / (2 * sizeof(double)), 1, most);
    for (auto n = static_cast<index_t>(wanted);; n /= 2) {
        try {
            return bandwidth_of<Clock>(n, where, options);
        } catch (const resource_error&) {
            if (n <= 1024) throw;
        } catch (const std::bad_alloc&) {
            if (n <= 1024) throw;
        }
    }
}

}  // namespace ddla::api
