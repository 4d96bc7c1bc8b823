// The record of an iteration's time.
#pragma once

#include "solve_time.hpp"

#include "support/machine.hpp"

namespace bench {

/// `speed`: bytes that a copy reads and writes a microsecond.
inline json record_of(const iteration_time& t, double speed)
{
    const double limit = static_cast<double>(t.bytes) / speed;
    return {{"microseconds", t.microseconds},
            {"with_start_microseconds", t.with_start_microseconds},
            {"interval", t.interval},
            {"samples", t.samples},
            {"bytes", t.bytes},
            {"limit_microseconds", limit},
            {"share", limit / t.microseconds},
            {"peak_bytes", t.peak_bytes}};
}

}  // namespace bench
