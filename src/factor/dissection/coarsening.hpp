// Coarser graphs: pairs of vertices become one.
#pragma once

#include "weighted_graph.hpp"

#include <cstdint>

namespace ddla::factor {

struct coarser_graph {
    weighted_graph graph;
    std::vector<column_t> image;  ///< of each vertex of the finer graph
};

/// Each vertex, those with few neighbours first, is paired with the free neighbour of the heaviest
/// edge; of equal ones the seed decides (heavy-edge matching: Karypis and Kumar, SIAM J. Sci.
/// Comput. 20(1), 1998).  Where many are left over, as around the centre of a star, those that
/// share a neighbour are paired.  No pair weighs more than `most_weight`.
/// Cost: about three passes over the entries.
coarser_graph coarsened(const weighted_graph& g, index_t most_weight, std::uint64_t seed);

/// Coarser and coarser graphs, the first one of g itself, until there are at most `most` vertices
/// or a pass leaves more than 0.9 of them.
std::vector<coarser_graph> coarsened_down_to(const weighted_graph& g, column_t most,
                                             index_t most_weight, std::uint64_t seed);

}  // namespace ddla::factor
