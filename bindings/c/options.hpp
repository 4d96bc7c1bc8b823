// The option structs of ddla.h as those of C++.
#pragma once

#include "callbacks.hpp"
#include "enums.hpp"
#include "structs.hpp"

namespace ddla::c {

factorisation_options options_of(const ddla_factor_options* options);
preconditioner_options options_of(const ddla_preconditioner_options* options);
solve_options options_of(const ddla_solve_options* options);
check_options options_of(const ddla_check_options* options);

}  // namespace ddla::c
