// Solves by a Krylov method with the preconditioner that the options name.
#pragma once

#include "solve_on.hpp"

namespace ddla::api {

/// Builds the preconditioner, if one must be built, and iterates.
template <scalar T>
void iterate_as_asked(engine& here, const system_map<T>& a, const preconditioner<T>& k,
                      vec<const T> b, vec<T> x, const solve_options& options, solve_report& report);

/// What a preconditioner that was made here takes of the memory at the place.
template <scalar T>
std::size_t bytes_at(place at, const preconditioner<T>& k)
{
    return at.is_host() || k.name() == "polynomial" ? k.built().bytes : 0;
}

}  // namespace ddla::api
