// Supernodes: columns of L with one pattern below them, some zeros of which are stored.
#pragma once

#include "factor/order/column_counts.hpp"

namespace ddla::factor {

/// Which zeros may be stored so that supernodes are wider.
struct relaxation {
    /// Supernodes of so many columns may have any zeros.
    column_t always = 4;
    /// Up to these widths, and beyond …
    column_t widths[2] = {16, 48};
    /// … zeros are this part of the entries at most.
    double zeros[3] = {0.5, 0.1, 0.05};
};

/// Columns first[s] to first[s + 1] are supernode s.
struct supernode_columns {
    std::vector<column_t> order;  ///< columns of the matrix in the order of elimination
    std::vector<column_t> first = {0};
    std::vector<column_t> below;  ///< rows below the columns of each, with those of stored zeros
};

/// Merges fundamental supernodes with their parents (after Ashcraft and Grimes, ACM TOMS 15(4),
/// 1989), any child, the one that brings the fewest zeros first; the columns are renumbered for it.
/// Cost: linear in the columns, but for sorting the children of each.
supernode_columns merged_supernodes(const elimination_counts& counts, const relaxation& relax = {});

}  // namespace ddla::factor
