// What a report says of a solve with factors: plan, errors, digits, for people.
#pragma once

#include "cli/options/solve_request.hpp"

namespace ddla::cli {

/// In a cell of what is not known.
inline const char* const unknown = "-";

/// "12 digits", "12 digits of the largest component"
std::string asked_text(const solve_request& request);
/// "12 right digits of every component", or what was judged in their place.
std::string goal_text(const solve_request& request, solve_goal judged = solve_goal::digits);

/// Whether a solve has used factors.
bool has_errors(const solve_report& r);
/// Whether digits are known of the largest component, and not what was asked for.
bool has_normwise_alone(const solve_report& r);

/// A line of a table; details are shown with --verbose.
struct labelled {
    std::string label, cell;
    bool is_detail = true;
};
/// Lines of a table that only solves with factors have: digits, errors, conditions.
std::vector<labelled> error_cells(const solve_report& r);
/// Those of them that tell of the system: backward error, conditions, rank.
std::vector<labelled> system_cells(const error_estimates& e,
                                   const std::optional<rank_report>& rank);

/// "12", "12 re", "12 im": the component with this number from 0.
std::string component_text(index_t index, bool is_complex);
/// Lines on zeros that are proved or almost certain, and on components without a claim; empty if
/// there are none.
std::string component_notes(const error_estimates& e, bool is_complex);
/// Those of least squares: what is known of them; backward errors, kappa_1 and rank are not.
std::vector<labelled> least_squares_cells(const error_estimates& e,
                                          const std::optional<double>& normal_residual);

/// What factors solve for, in the heading: ", least squares, " or ", least norm, " where A is not
/// square, else ", ".
std::string shape_text(const reported_matrix& a);
/// ||A^T r|| / (||A|| ||r||), of least squares.
std::string normal_residual_text(const solve_report& r);
/// Which residual, and its value: that of A^T for least squares, unless r is within the tolerance.
std::string residual_text(const solve_report& r, double tolerance);

/// Proved bounds; none if they were not asked for.
std::vector<labelled> bound_cells(const std::optional<error_bound>& bound);
/// Why nothing was proved, as a sentence; empty if it was, or was not asked for.
std::string bound_note(const std::optional<error_bound>& bound);

/// How much of x the data determine, where that is less than was asked for; else empty.
std::string data_note(const solve_request& request, const solve_report& report);

/// Which rows and columns make A singular, as a sentence; empty for full rank.  Those of a complex
/// A are named as in its file.
std::string rank_note(const solve_report& report, bool is_complex);

/// "Plan, double-double:" and a line for each stage.
std::string plan_text(const outcome& done);

}  // namespace ddla::cli
