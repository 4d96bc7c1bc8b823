// What a report says of a solve with factors: plan, errors, digits; for people and for programs.
#pragma once

#include "report_json.hpp"
#include "solve_request.hpp"

namespace ddla::cli {

/// "auto, 12 digits of every component, b = ones"
std::string goal_text(const solve_request& request);

/// Whether a solve has used factors.
bool has_errors(const solve_report& r);

/// Lines of the table that only solves with factors have, without the label: the errors of x.
struct labelled {
    std::string label, cell;
};
std::vector<labelled> error_cells(const solve_report& r);

/// "Plan, double-double:" and a line for each stage.
std::string plan_text(const outcome& done);

/// The fields of JSON; null where not computed.
void add_errors(json& solve, const solve_report& r, bool normwise);

}  // namespace ddla::cli
