// What happened, in one sentence: how solves ended, what is claimed of x, what is not.
#pragma once

#include "cli/options/solve_request.hpp"

namespace ddla::cli {

/// A clause for each solve.
std::string solve_sentence(const solve_request& request, const solve_results& results);

/// "3 of 4 right-hand sides converged; column 2 …"
std::string columns_sentence(const solve_request& request, const solve_results& results);

}  // namespace ddla::cli
