// Digits that the caller asks for are judged, refused, or reported as not judged.
#pragma once

#include "ddla/error.hpp"
#include "ddla/solve.hpp"

#include <string>

namespace ddla::api {

/// Throws input_error where digits, of every component or normwise, are asked for and it is plain
/// from the start that only the residual would be judged.
inline void require_judged_digits(const solve_options& o, bool has_entries)
{
    if ((!o.digits && !o.normwise) || (o.method == method::automatic && has_entries)) return;
    throw input_error("solve: " + (o.digits ? std::to_string(*o.digits) : std::string("normwise")) +
                      " digits were asked for, but " +
                      (o.method == method::automatic
                           ? "A is a function, and then only the residual is judged"
                           : "with method " + std::string(to_string(o.method)) +
                                 " only the residual is judged; method auto judges digits"));
}

/// The same where it turned out during the solve.
inline void note_unjudged_digits(solve_report& report, const solve_options& o)
{
    const bool has_asked = o.digits || o.normwise;
    if (has_asked && report.goal != solve_goal::digits && report.status == solve_status::converged)
        report.status = solve_status::residual_only;
}

}  // namespace ddla::api
