// Errors of components where the norm of the scaled system says too little of them.
#pragma once

#include "refine/inverse.hpp"
#include "refine/refinement.hpp"
#include "zeros.hpp"

namespace ddla::refine {

/// At most: of sharpen_errors, of residual_errors.
constexpr int solves_of_sharpening = 2 * solves_of_probe, solves_of_residual_errors = 12;

/// Lowers the errors of components where a norm of their own allows it: that in which relative
/// errors are alike.  It is a norm as any other, so that errors in it are below the rate of
/// corrections in it times the correction; it tells digits of components that are tiny beside
/// others.  Only where the errors are above the rounding of x, and where the rate, which is probed,
/// is small.  Returns the rate of relative errors.  Cost: 4 products and 4 solves,
/// for one norm or for two.
template <scalar V>
double sharpen_errors(const host_system<V>& system, const approximate_inverse& approximate,
                      const_solution_view x, const known_zeros& zeros, refinement_result& result);

/// Known zeros, which are 0 in x, have no error: what is left of `of.errors` and the largest
/// relative one among the components that are judged.
void forget_errors_of_zeros(refinement_result& result, const_solution_view x,
                            const known_zeros& zeros, const std::optional<component_range>& judged);

/// What the rounding of residuals and underflow in them can change of each component, as `solve`
/// sees it: estimates, from what each row can lose, times hashed numbers.  It counts where
/// components are tiny beside the terms of their rows.  Cost: 6 solves, up to 12 where they
/// overflow.
template <scalar V>
std::vector<double> residual_errors(const host_system<V>& system, const correction& solve,
                                    const_solution_view x);

}  // namespace ddla::refine
