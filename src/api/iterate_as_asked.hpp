// Solves by a Krylov method with the preconditioner that the options name.
#pragma once

#include "solve_on.hpp"

namespace ddla::api {

/// Builds the preconditioner, if one must be built, and iterates.
template <scalar T>
void iterate_as_asked(engine& here, const system_map<T>& a, const preconditioner<T>& k,
                      vec<const T> b, vec<T> x, const solve_options& options, solve_report& report);

}  // namespace ddla::api
