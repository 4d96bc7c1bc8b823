// Components of x that are zero: those that b cannot reach, and those that are zero modulo a prime.
//
// No number of corrections tells a zero from something smaller than their rounding; integers do.
#pragma once

#include "refine/host_system.hpp"

#include "factor/lu/modular.hpp"

#include <cstdint>
#include <limits>
#include <vector>

namespace ddla::refine {

struct known_zeros {
    std::vector<bool> is = {};  ///< of each component; empty: none is known
    std::int64_t proved = 0;    ///< b cannot reach them
    std::int64_t certain = 0;   ///< zero modulo the prime, of those that are judged

    bool has(index_t i) const { return !is.empty() && is[static_cast<std::size_t>(i)]; }
};

/// Components, ascending, that no entry of b which is not zero can reach, so that they are zero if
/// A has an inverse.  With any one-to-one relation of rows and columns: take the columns of the
/// rows where b is not zero, then those of all rows with an entry in a column taken, and so on. The
/// rows left have entries in the columns left alone, and b is zero there.  The relation is a
/// matching of entries, which takes the fewest (Gilbert, SIAM J. Matrix Anal. Appl. 15(1), 1994,
/// "Predicting structure in sparse matrix computations").  Empty where A has not full structural
/// rank, or the matching passes most_operations.  Cost: a matching of the pattern, then a look at
/// each entry.
template <scalar V>
std::vector<index_t>
unreached_components(const csr<V>& a, vec<const dd_real> b,
                     double most_operations = std::numeric_limits<double>::infinity());

/// Of `suspects`, those that are zero modulo the prime.  A nonsingular.
std::vector<index_t> zeros_modulo_prime(const factor::modular_factors& factors,
                                        vec<const dd_real> b, const std::vector<index_t>& suspects);

}  // namespace ddla::refine
