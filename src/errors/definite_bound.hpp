// A proved bound of the norm of the inverse of a definite matrix.
//
// If L L^T, made of A - tau I, is within delta of it, no eigenvalue of A is below tau - delta: L
// L^T has none below 0.  Rump, "Verification of positive definiteness", BIT 46, 2006;
// docs/certify.md has the whole proof.
#pragma once

#include "inverse_bound.hpp"

namespace ddla::refine {

/// Of the matrix of the system, for which looks_definite() holds; `approximate` only says which tau
/// is worth a try: nothing of it is believed.  Cost: at most three L L^T in double, and as many in
/// double-double, each within the limits of `asked`, and some refined solves.
template <scalar V>
inverse_bound bound_definite_inverse(const host_system<V>& system,
                                     const approximate_inverse& approximate,
                                     const factorisation_options& asked, const factor_watch& watch);

}  // namespace ddla::refine
