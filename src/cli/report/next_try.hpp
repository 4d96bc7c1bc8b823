// What to try after a failure: one line, right for how it ended.
#pragma once

#include "cli/options/solve_request.hpp"

#include "ddla/check.hpp"
#include "ddla/error.hpp"

namespace ddla::cli {

/// After a solve that has not converged; empty where nothing better is known.
std::string next_try(const solve_request& request, const solve_results& results);

/// After least squares by iterations, which converge by their residual: what tells the digits of x,
/// a line.  Empty where nothing does, for x is one of many, and after other solves.
std::string digits_note(const solve_request& request, const solve_results& results);

/// After a check that x of the file `solution` has not passed.
std::string next_try(const solve_request& request, const std::filesystem::path& solution,
                     const reported_matrix& a, const solution_check& found);

/// "try: " and what to try next, or that there is nothing, and a line break.
std::string advice_line(const std::string& next);

/// Where factors would pass a limit, and nothing was solved.
std::string next_try_after(const solve_request& request, const limit_error& limit);

/// Where incomplete factors have no pivot in a row.
std::string next_try_after(const pivot_error& no_pivot);

}  // namespace ddla::cli
