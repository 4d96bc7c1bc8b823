// Several runs of one solve as one report.
#pragma once

#include "ddla/solve.hpp"

#include <algorithm>
#include <utility>

namespace ddla::api {

/// The report of two runs as one, the second from the x of the first; beside it so many bytes were
/// held.  The first may be a report in which nothing was run yet.
inline void append(solve_report& all, solve_report&& next, std::size_t bytes_beside)
{
    // The next run begins where the last one ended, but for the residual.
    if (!all.history.empty()) all.history.pop_back();
    all.history.insert(all.history.end(), next.history.begin(), next.history.end());
    all.status = next.status;
    all.breakdown = std::move(next.breakdown);
    all.interrupted = next.interrupted;
    all.iterations += next.iterations;
    all.iteration_seconds += next.iteration_seconds;
    all.bytes_per_iteration = next.bytes_per_iteration;
    all.relative_residual = next.relative_residual;
    all.true_relative_residual = next.true_relative_residual;
    all.normal_residual = next.normal_residual;
    all.goal = next.goal;
    if (next.preconditioner) all.preconditioner = std::move(next.preconditioner);
    all.peak_bytes = std::max(all.peak_bytes, next.peak_bytes + bytes_beside);
}

}  // namespace ddla::api
