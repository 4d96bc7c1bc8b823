// The order of a small part of a graph by approximate minimum degree.
#pragma once

#include "weighted_graph.hpp"

namespace ddla::factor {

/// Vertices 0, …, inner - 1 in the order of elimination: each time one of least approximate degree
/// (Amestoy, Davis, Duff, SIAM J. Matrix Anal. Appl. 17(4), 1996).  The others come later, and
/// their fill counts (halo: Pellegrini, Roman, Amestoy, Concurrency 12, 2000).  Edges between those
/// are not needed; edge weights are not looked at.  Cost: about that of AMD.
std::vector<column_t> order_by_minimum_degree(const weighted_graph& g, column_t inner);

}  // namespace ddla::factor
