// Which entries of a symmetric matrix become pivots, and in which order.
#pragma once

#include "factor/order/ordering.hpp"
#include "factor/order/scaling.hpp"
#include "ldlt.hpp"

namespace ddla::factor {

/// Pivots in the order of elimination: rows of A, and where each pivot begins.
struct symmetric_order {
    std::vector<column_t> row;
    pivot_blocks blocks;
    std::vector<int> exponent;  ///< entry (i, j) becomes a_ij 2^(exponent[i] + exponent[j])
    bool exists = true;         ///< false: singular by its pattern
    /// Entries that the matching looked at if they are too many; then there is no order.
    std::int64_t too_many_operations = 0;
};

/// Single pivots where all of the diagonal has one sign, or unless `pair`.  Else a maximum-product
/// matching is cut into single rows and pairs, and its duals scale (Duff and Pralet, SIAM J. Matrix
/// Anal. Appl. 27(2), 2005, "Strategies for scaling and pivoting for sparse symmetric indefinite
/// problems").  Then the order of the pattern in which a pair is one row:
/// AMD, or what order_by_counts chooses.
/// Cost: that of the matching, and of AMD.
template <scalar V>
symmetric_order order_symmetric(const sparse_columns<V>& a, bool scale, bool pair,
                                double most_operations = std::numeric_limits<double>::infinity(),
                                ordering wanted = ordering::amd, const order_choice& choice = {});

}  // namespace ddla::factor
