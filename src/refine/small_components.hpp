// Digits of components that are far smaller than others: one more refinement, of x beyond its
// words.
#pragma once

#include "inverse.hpp"
#include "refinement.hpp"

namespace ddla::refine {

/// An x of two words is rounded, and what corrections by that rounding leave of small components is
/// relative to the large ones.  This adds corrections to x in four words, rounds the sum to two and
/// lowers `of.errors`, until errors are at most `enough` of each component that is judged.  Tried
/// where some are larger, corrections contract, and it is likely to succeed.  Returns the
/// rate of the errors if the largest was at least halved; else x and `of` are as they were.  Of
/// `of.steps` and `of.history` nothing changes.  Cost: 1 to 3 corrections and residuals in four
/// words, memory: 4 vectors, or 6.
template <scalar V>
std::optional<double> refine_small_components(const host_system<V>& system,
                                              const correction& correct, const solution_view& x,
                                              const refinement_limits& limits, double enough,
                                              refinement_result& result);

}  // namespace ddla::refine
