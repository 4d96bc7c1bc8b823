// How many entries and operations factors of a symmetric pattern take, before they are made.
#pragma once

#include "factor/dissection/adjacency.hpp"

namespace ddla::factor {

/// Of L L^T in an order of elimination, without the entries themselves.
struct elimination_counts {
    std::vector<column_t> order;   ///< postordered: the same entries, subtrees one after the other
    std::vector<column_t> parent;  ///< in the elimination tree, by places in `order`; -1: a root
    std::vector<column_t> count;   ///< entries of the columns of L, the diagonal included
    index_t entries = 0;           ///< of L
    double operations = 0;         ///< multiplications with a subtraction
};

/// `order` has every column once.  Cost: about four passes over the entries (Gilbert, Ng, Peyton,
/// SIAM J. Matrix Anal. Appl. 15(4), 1994); the tree: Liu, SIAM J. Matrix Anal. Appl. 11(1), 1990.
elimination_counts count_elimination(const adjacency& a, const std::vector<column_t>& order);

}  // namespace ddla::factor
