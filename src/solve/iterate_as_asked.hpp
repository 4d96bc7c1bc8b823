// Solves by a Krylov method with the preconditioner that the options name.
#pragma once

#include "iterate.hpp"

namespace ddla::api {

/// Builds the preconditioner of all systems, if one must be built, and iterates.
template <scalar T>
void iterate_as_asked(engine& here, const system_map<T>& a, const preconditioner<T>& k,
                      std::span<const system_column<T>> all);

}  // namespace ddla::api
