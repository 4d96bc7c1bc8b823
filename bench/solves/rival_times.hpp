// The rivals of a solve, for code that knows nothing of CUDA.
#pragma once

#include "solve_time.hpp"

#include "support/agreements.hpp"
#include "support/machine.hpp"

#include <functional>

namespace bench {

/// `textbook` and `graph` in microseconds an iteration, solves of so many iterations, which 8
/// divides; and how their residuals were compared with ddla's.
using rival_timer =
    std::function<json(const std::string& name, const linear_system& s, int iterations)>;

/// Residuals that are not ddla's are failures of `all`.  Empty in a build without device code.
rival_timer make_rival_timer(agreements& all);

}  // namespace bench
