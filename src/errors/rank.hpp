// What a report says of the rank of A, from an elimination modulo a prime.
#pragma once

#include "kept_factors.hpp"

#include "ddla/solve.hpp"

namespace ddla::refine {

/// Without the null vectors.
rank_report rank_of(const factor::modular_factors& m, vec<const dd_real> b);

/// The same of a large A, by the factors that found the larger rank, but for b.  Whether a lower
/// rank is that of the pattern is looked for within so many operations.
template <scalar V>
rank_report rank_of(const factor::residue_factors& m, const csr<V>& a, double most_operations);

/// The first null vectors at combined_rows and combined_columns of `rank`, below that of A: by
/// factors in double-double whose pivots are in the same rows and columns as those modulo the
/// prime, within `options`.  Vectors without elements if these pass a limit; nothing if the watch
/// stopped them.  `count` is told the bytes held on the way.
template <scalar V>
std::optional<null_weights> weights_of(const csr<V>& a, const factor::modular_factors& m,
                                       const rank_report& rank, const factor::options& options,
                                       const std::function<void(std::int64_t)>& count);

/// Whether changes of A by 2^-53 of its 1-norm can make it singular: the distance is 1 / kappa_1 of
/// that norm, and the estimate is a lower bound of kappa_1.
std::optional<bool> is_numerically_singular(const rank_report& rank, index_t n,
                                            const std::optional<condition_number>& kappa1);

}  // namespace ddla::refine
