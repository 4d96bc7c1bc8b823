// Options of `ddla solve` that would change nothing: refused, for who gives one expects something.
#pragma once

#include "solve_request.hpp"

namespace ddla::cli {

/// Why an option that was given has no effect in this solve, as its description (ddla/describe.hpp)
/// says who takes it; empty if each has one.  What is judged (digits, normwise, certify) is refused
/// elsewhere, with what to do.
std::string without_effect(const solve_request& request);

/// Throws input_error unless that is empty.
void check_effects(const solve_request& request);

}  // namespace ddla::cli
