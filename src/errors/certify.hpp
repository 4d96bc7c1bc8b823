// A proved bound of the error of x.
#pragma once

#include "inverse_bound.hpp"

#include "ddla/error_estimates.hpp"

namespace ddla::refine {

/// Of any x, by corrections d of it: with x* = A^-1 b, r = b - A (x + d), exact, and
/// N >= || (R A C)^-1 ||_2,
///     |x - x*|_i <= |d|_i + C_ii N || R r ||_2.
/// Where `inverse` is not known the result says why.  Corrections come from `approximate`, of which
/// nothing is believed.  `zero`: components that are zero in x and known to be so in x*; empty:
/// none. docs/certify.md has the proof.  Cost: at most 8 corrections and exact residuals, some 100
/// operations an entry and correction.
template <scalar V>
error_bound bound_error(const host_system<V>& system, const_solution_view x,
                        const approximate_inverse& approximate, const inverse_bound& inverse,
                        const std::vector<bool>& zero = {});

}  // namespace ddla::refine
