// The record of an iteration's time.
#pragma once

#include "solve_time.hpp"
#include "traffic.hpp"

#include "support/machine.hpp"

namespace bench {

/// `speed`: bytes that a copy reads and writes a microsecond.
inline json record_of(const iteration_time& t, double bytes, double speed)
{
    const double limit = bytes / speed;
    return {{"microseconds", t.microseconds},
            {"with_start_microseconds", t.with_start_microseconds},
            {"interval", t.interval},
            {"samples", t.samples},
            {"bytes", bytes},
            {"limit_microseconds", limit},
            {"share", limit / t.microseconds},
            {"peak_bytes", t.peak_bytes}};
}

}  // namespace bench
