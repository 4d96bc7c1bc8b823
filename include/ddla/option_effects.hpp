// Options that would change nothing in a solve.  What knows which options a person has given, as
// the command and Python do, refuses them: who gives one expects something.  solve() itself does
// not, for a struct of options is filled once for solves by several methods.
//
//     if (const auto idle =
//             ddla::option_without_effect({.method = ddla::method::cg}, {"restart"}))
//         std::cerr << idle->name << " has no effect\n";
#pragma once

#include "solve_options.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace ddla {

struct idle_option {
    std::string_view name;  ///< of the field
    /// Who would have an effect of it: names as in about::option::taken_by.
    std::vector<std::string_view> takers;
};

/// The first of the options `given`, fields of solve_options, preconditioner_options and
/// factorisation_options by their names, that has no effect in this solve, as its description says
/// who takes it.  Not digits, normwise and certify, which a solve judges or refuses itself.
/// `has_preconditioner`: the solve has a preconditioner object.
std::optional<idle_option> option_without_effect(const solve_options& options,
                                                 const std::vector<std::string_view>& given,
                                                 bool has_preconditioner = false);

}  // namespace ddla
