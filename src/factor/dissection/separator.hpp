// A small vertex separator of a graph, by coarser graphs.
#pragma once

#include "refinement.hpp"

namespace ddla::factor {

/// Of a graph with vertices.  A side may be empty: then there is none that is worth it.
/// Cost: some ten passes over the entries.
separation separated(const weighted_graph& g, std::uint64_t seed);

}  // namespace ddla::factor
