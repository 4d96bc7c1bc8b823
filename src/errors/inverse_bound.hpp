// A proved bound of the norm of an inverse, by counting the signs of eigenvalues.
//
// The symmetric matrix G = [-tau I, A; A^T, -tau I] has the eigenvalues -tau + sigma and
// -tau - sigma for each singular value sigma of A.  If L D L^T, which is within delta of G, has as
// many positive eigenvalues as A has rows, then every sigma is above tau - delta.  The idea of
// singular values by inertia: Rump, Acta Numerica 19, 2010, "Verification methods";
// docs/certify.md has the whole proof.
#pragma once

#include "refine/factor_stages.hpp"

namespace ddla::refine {

/// Tries of a positive number that all singular values are above.
constexpr int most_shifts = 3;

struct inverse_bound {
    factor::exponents scaling;  ///< R and C
    double norm = HUGE_VAL;     ///< at least || (R A C)^-1 ||_2
    std::string why;            ///< … why it is not known, else empty
    bool is_over = false;       ///< … because a limit of factors was passed, or it was stopped
    std::int64_t bytes = 0;     ///< of the factors that prove it
    double work = 0;            ///< of all factors, in multiplications with a subtraction in double
};

/// Of the matrix of the system; `approximate` only says which tau is worth a try: nothing of it is
/// believed.  Cost: at most three L D L^T in double-double of twice the size, each within the
/// limits of `asked`, and some refined solves.
template <scalar V>
inverse_bound bound_inverse(const host_system<V>& system, const approximate_inverse& approximate,
                            const factorisation_options& asked, const factor_watch& watch);

}  // namespace ddla::refine
