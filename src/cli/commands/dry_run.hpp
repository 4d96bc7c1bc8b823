// ddla solve --dry-run: the plan in place of the solve.
#pragma once

#include "cli/options/solve_request.hpp"
#include "cli/shell/command.hpp"

namespace ddla::cli {

/// Reads the files and checks what a solve checks before work; the options were checked.  Prints
/// the stages, of each precision, and writes no file.
exit_status tell_plan(const solve_request& r);

}  // namespace ddla::cli
