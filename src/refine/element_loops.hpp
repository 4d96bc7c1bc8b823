// Loops over elements that do not need each other: on the threads of the host, for the instruction
// set of the processor.
#pragma once

#include "engine/host_loops.hpp"
#include "isa/isa.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>

namespace ddla::refine {

/// part(begin, end) of 0, ..., n - 1, some thousand elements each.
template <class Part>
void each_part(index_t n, const Part& part)
{
    constexpr index_t elements = index_t{1} << 14;
    const auto chunk = [&](index_t k) {
        host_backend::in_current_isa(part, k * elements, std::min(n, (k + 1) * elements));
    };
    run_on_host((n + elements - 1) / elements,
                [](const void* f, index_t k) { (*static_cast<const decltype(chunk)*>(f))(k); },
                &chunk);
}

/// f(i) for 0 <= i < n, which must not throw.
template <class F>
void each_element(index_t n, const F& f)
{
    each_part(n, [&](index_t begin, index_t end) {
#pragma GCC ivdep
        for (index_t i = begin; i < end; ++i) f(i);
    });
}

/// max |f(i)|, 0 <= i < n; NaN if one is.  Compares bits: the larger the magnitude the larger the
/// integer, and NaN is above Inf.
template <class F>
double largest_of(index_t n, const F& f)
{
    std::atomic<std::int64_t> most = 0;
    each_part(n, [&](index_t begin, index_t end) {
        std::int64_t mine = 0;
        for (index_t i = begin; i < end; ++i)
            mine = std::max(mine, std::bit_cast<std::int64_t>(__builtin_fabs(f(i))));
        std::int64_t before = most;
        while (before < mine && !most.compare_exchange_weak(before, mine)) {
        }
    });
    return std::bit_cast<double>(most.load());
}

}  // namespace ddla::refine
