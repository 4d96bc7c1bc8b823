// What a report says of a solve with factors: plan, errors, digits; for people and for programs.
#pragma once

#include "report_json.hpp"
#include "solve_request.hpp"

namespace ddla::cli {

/// "auto, 12 digits of every component, b = ones"
std::string goal_text(const solve_request& request);

/// Whether a solve has used factors.
bool has_errors(const solve_report& r);

struct labelled {
    std::string label, cell;
};
/// Lines of a table that only solves with factors have: digits, errors, conditions.
std::vector<labelled> error_cells(const solve_report& r);
/// Those of them that tell of the system: backward error, conditions, rank.
std::vector<labelled> system_cells(const error_estimates& e,
                                   const std::optional<rank_report>& rank);

/// Proved bounds; none if they were not asked for.
std::vector<labelled> bound_cells(const std::optional<error_bound>& bound);
/// Why nothing was proved, as a sentence; empty if it was, or was not asked for.
std::string bound_note(const std::optional<error_bound>& bound);

/// Which rows and columns make A singular, as a sentence; empty for full rank.
std::string rank_note(const rank_report& rank);

/// "Plan, double-double:" and a line for each stage.
std::string plan_text(const outcome& done);

/// Null if there is none, or if it is not finite.
json number_json(const std::optional<double>& x);
json rank_json(const std::optional<rank_report>& rank);
json plan_json(const std::vector<solve_stage>& plan);
/// The fields of error estimates.
void add_estimates(json& to, const error_estimates& e, bool normwise);
/// "certified", "error_bound", …; null if they were not asked for.
void add_bound(json& to, const std::optional<error_bound>& bound);
/// All fields that solves with factors have; null where not computed.
void add_errors(json& solve, const solve_report& r, bool normwise);

}  // namespace ddla::cli
