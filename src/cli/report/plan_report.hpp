// The plan of a solve, as text and as JSON.
#pragma once

#include "cli/options/solve_request.hpp"

#include "ddla/plan.hpp"

#include <string>
#include <vector>

namespace ddla::cli {

/// The plan of one precision.
struct told_plan {
    precision in;
    std::vector<planned_stage> stages = {};
};

std::string plan_text(const solve_request& r, const reported_matrix& matrix,
                      const std::vector<told_plan>& plans);
std::string plan_json(const solve_request& r, const reported_matrix& matrix,
                      const std::vector<told_plan>& plans);

}  // namespace ddla::cli
