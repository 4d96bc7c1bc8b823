// Which entries of a symmetric matrix become pivots, and in which order.
#pragma once

#include "factor/dissection/adjacency.hpp"
#include "factor/order/ordering.hpp"
#include "factor/order/scaling.hpp"

namespace ddla::factor {

/// Row and column k of the matrix are pivot k; block b has the rows first[b] to first[b + 1], one
/// or two.
using pivot_blocks = std::vector<column_t>;

/// Pivots in the order of elimination: rows of A, and where each pivot begins.
struct symmetric_order {
    std::vector<column_t> row;
    pivot_blocks blocks;
    std::vector<int> exponent;    ///< entry (i, j) becomes a_ij 2^(exponent[i] + exponent[j])
    bool exists = true;           ///< false: singular by its pattern
    bool has_matching = true;     ///< false: it takes too many operations; then there is no order
    std::int64_t operations = 0;  ///< of the matching
    counted_graph counted = {};   ///< of the order; where there are no pairs that is one of rows
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

struct graph_of_order {
    adjacency graph;                ///< both rows of a pair have the neighbours of either
    std::vector<char> starts_pair;  ///< of rows of A; empty: there are none
};

/// Cost: some passes over the entries.
graph_of_order graph_of_pivots(const pattern& a, const symmetric_order& order);

}  // namespace ddla::factor
