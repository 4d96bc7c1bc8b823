// What proofs of the norm of an inverse have in common.
#pragma once

#include "refine/factor_stages.hpp"

namespace ddla::refine {

/// Whether two entries of a row share a column: their sum may round.
template <scalar V>
bool has_shared_places(const csr<V>& a);

/// An estimate of || (R A C)^-1 ||_2, above 0, by the power method; nothing if a solve stalls.
template <scalar V>
std::optional<double> estimated_inverse_norm(const host_system<V>& system,
                                             const approximate_inverse& approximate,
                                             const factor::exponents& s);
/// Why there is no estimate.
std::string why_no_norm(const approximate_inverse& approximate, const factorisation_options& asked);

/// With two digits.
std::string text_of(double x);
/// What the work of a proof may take, in full: "4000000000 multiplications with a subtraction".
std::string allowed_work(const factorisation_options& asked);

}  // namespace ddla::refine
