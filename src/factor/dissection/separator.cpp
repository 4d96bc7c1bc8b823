// Coarsen, separate the coarsest graph, and refine on the way back (Karypis and Kumar, SIAM J. Sci.
// Comput. 20(1), 1998).
#include "separator.hpp"

#include "coarsening.hpp"
#include "hashing.hpp"

namespace ddla::factor {

namespace {

constexpr column_t coarsest = 60;  ///< vertices
constexpr int starts = 3;          ///< of growth, on the coarsest graph

index_t most_of_vertex(const weighted_graph& g)
{
    return std::max<index_t>(1, g.weight * 3 / (2 * coarsest));
}

separation best_grown(const weighted_graph& g, std::uint64_t seed)
{
    refinement r(g);
    separation best;
    for (int k = 0; k < starts; ++k) {
        separation s = r.grown(hashed(seed, static_cast<std::uint64_t>(k)));
        r.refine(s);
        if (k == 0 || is_better(s.weight, best.weight)) best = std::move(s);
    }
    return best;
}

/// From the coarser graph to the finer one.
separation refined(const weighted_graph& finer, const coarser_graph& coarser, const separation& s)
{
    separation t;
    t.weight = s.weight;
    t.of.resize(as_size(finer.size()));
    for (std::size_t v = 0; v < t.of.size(); ++v) t.of[v] = s.of[as_size(coarser.image[v])];
    refinement(finer).refine(t);
    return t;
}

}  // namespace

separation separated(const weighted_graph& g, std::uint64_t seed)
{
    const auto levels = coarsened_down_to(g, coarsest, most_of_vertex(g), seed);
    separation s = best_grown(levels.empty() ? g : levels.back().graph, seed);
    for (std::size_t k = levels.size(); k-- > 0;)
        s = refined(k == 0 ? g : levels[k - 1].graph, levels[k], s);
    return s;
}

}  // namespace ddla::factor
