// ddla solve --dry-run: the plan in place of the solve.
#pragma once

#include "cli/options/solve_request.hpp"
#include "cli/report/plan_report.hpp"
#include "cli/shell/command.hpp"

#include <vector>

namespace ddla::cli {

/// Reads the files and checks what a solve checks before work; the options were checked.  Prints
/// the stages, of each precision, and writes no file.
exit_status tell_plan(const solve_request& r);

/// As text, or as JSON.
void print_plans(const solve_request& r, const reported_matrix& matrix,
                 const std::vector<told_plan>& plans);

}  // namespace ddla::cli
