// The options of `ddla solve`.
#pragma once

#include "cli/shell/command_line.hpp"
#include "solve_request.hpp"

namespace ddla::cli {

/// --rhs
void add_right_hand_side(CLI::App& app, solve_request& request);
/// --values, --rhs-values
void add_values_of_system(CLI::App& app, solve_request& request);
/// --precision, and all options of solves but goals
void add_method_options(CLI::App& app, solve_request& request);
/// --digits, --normwise, --certify, --solution-words
void add_goal_options(CLI::App& app, solve_request& request);
/// --solution-words
void add_solution_words(CLI::App& app, solve_request& request);
void add_preconditioner_options(CLI::App& app, solve_request& request);
/// --verbose, --quiet
void add_amount_of_text(CLI::App& app, solve_request& request);
void add_factor_options(CLI::App& app, solve_request& request);

/// Throws if both --verbose and --quiet are given.
void check_amount_of_text(const solve_request& request);

/// Throws unless the words of x hold so many digits.
void check_digits(const solve_request& request, int words);

void add_solve_options(CLI::App& app, solve_request& request);

/// Throws unless the options fit together, the files to read are there, and those to write can be
/// written: before the work, not after it.
void check(const solve_request& request);

}  // namespace ddla::cli
