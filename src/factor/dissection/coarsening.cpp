// Heavy-edge matching, and the graph of its pairs.
#include "coarsening.hpp"

#include "hashing.hpp"

#include "ddla/watched_scope.hpp"

#include <algorithm>
#include <numeric>

namespace ddla::factor {

namespace {

constexpr column_t heaviest_edge = column_t{1} << 30;

class pairing {
public:
    pairing(const weighted_graph& g, index_t most_weight, std::uint64_t seed)
        : g_(g), most_weight_(most_weight), seed_(static_cast<std::uint32_t>(seed) | 1u),
          partner_(as_size(g.size()), -1)
    {
    }

    std::vector<column_t> run()
    {
        column_t left = g_.size();
        for (const column_t v : by_degree())
            if (partner_[as_size(v)] < 0) left -= pair_with_neighbour(v);
        // Twins first: the fewer neighbours two vertices have, the more of them they share.
        for (const index_t most_degree : {index_t{2}, index_t{8}, index_t{64}})
            if (left > g_.size() / 8) left -= pair_around_neighbours(most_degree);
        for (column_t v = 0; v < g_.size(); ++v)
            if (partner_[as_size(v)] < 0) partner_[as_size(v)] = v;
        return std::move(partner_);
    }

private:
    /// Vertices of fewer neighbours than the average first, else by number.
    std::vector<column_t> by_degree() const
    {
        const index_t average = g_.entries() / std::max<index_t>(1, g_.size());
        std::vector<index_t> next(as_size(average) + 2, 0);
        const auto key = [&](column_t v) { return as_size(std::min(g_.degree(v), average)); };
        for (column_t v = 0; v < g_.size(); ++v) ++next[key(v) + 1];
        std::partial_sum(next.begin(), next.end(), next.begin());
        std::vector<column_t> order(as_size(g_.size()));
        for (column_t v = 0; v < g_.size(); ++v) order[as_size(next[key(v)]++)] = v;
        return order;
    }

    bool fit(column_t v, column_t u) const
    {
        return index_t{g_.vertex_weight[as_size(v)]} + g_.vertex_weight[as_size(u)] <= most_weight_;
    }
    void pair(column_t v, column_t u)
    {
        partner_[as_size(v)] = u;
        partner_[as_size(u)] = v;
    }

    column_t pair_with_neighbour(column_t v)
    {
        count_work(3 * (1 + g_.degree(v)));
        std::uint64_t best_key = 0;
        column_t best = -1;
        for (index_t e = g_.begin[as_size(v)]; e < g_.begin[as_size(v) + 1]; ++e) {
            const column_t u = g_.neighbour[as_size(e)];
            if (partner_[as_size(u)] >= 0 || !fit(v, u)) continue;
            const std::uint32_t tie = (static_cast<std::uint32_t>(u) + seed_) * 0x9e3779b1u;
            const std::uint64_t key =
                (static_cast<std::uint64_t>(g_.edge_weight[as_size(e)]) << 32 | tie) + 1;
            if (key <= best_key) continue;
            best_key = key;
            best = u;
        }
        if (best < 0) return 0;
        pair(v, best);
        return 2;
    }

    /// Free neighbours of one vertex, two by two in their order.
    column_t pair_around_neighbours(index_t most_degree)
    {
        column_t paired = 0;
        for (column_t v = 0; v < g_.size(); ++v) {
            count_work(2 * (1 + g_.degree(v)));
            column_t waits = -1;
            for (const column_t u : g_.of(v)) {
                if (partner_[as_size(u)] >= 0 || g_.degree(u) > most_degree) continue;
                if (waits >= 0 && fit(waits, u)) {
                    pair(waits, u);
                    paired += 2;
                    waits = -1;
                } else {
                    waits = u;
                }
            }
        }
        return paired;
    }

    const weighted_graph& g_;
    const index_t most_weight_;
    const std::uint32_t seed_;
    std::vector<column_t> partner_;
};

/// The vertices of the finer graph that one stands for: v and its partner, or v alone.
class contraction {
public:
    contraction(const weighted_graph& g, const std::vector<column_t>& partner)
        : g_(g), partner_(partner)
    {
    }

    coarser_graph run()
    {
        number_pairs();
        weighted_graph& c = to_.graph;
        c.begin.reserve(c.vertex_weight.size() + 1);
        c.neighbour.resize(g_.neighbour.size());
        c.edge_weight.resize(g_.neighbour.size());
        slot_.assign(c.vertex_weight.size(), -1);
        for (column_t v = 0; v < g_.size(); ++v) {
            const column_t u = partner_[as_size(v)];
            if (u < v) continue;
            first_ = next_;
            add_edges(v);
            if (u != v) add_edges(u);
            c.begin.push_back(next_);
        }
        c.neighbour.resize(as_size(next_));
        c.edge_weight.resize(as_size(next_));
        return std::move(to_);
    }

private:
    void number_pairs()
    {
        weighted_graph& c = to_.graph;
        c.weight = g_.weight;
        to_.image.resize(as_size(g_.size()));
        for (column_t v = 0; v < g_.size(); ++v) {
            const column_t u = partner_[as_size(v)];
            if (u < v) continue;
            to_.image[as_size(v)] = to_.image[as_size(u)] = c.size();
            c.vertex_weight.push_back(g_.vertex_weight[as_size(v)] +
                                      (u == v ? 0 : g_.vertex_weight[as_size(u)]));
        }
    }

    void add_edges(column_t v)
    {
        weighted_graph& c = to_.graph;
        count_work(5 * (1 + g_.degree(v)));
        const column_t mine = to_.image[as_size(v)];
        for (index_t e = g_.begin[as_size(v)]; e < g_.begin[as_size(v) + 1]; ++e) {
            const column_t x = to_.image[as_size(g_.neighbour[as_size(e)])];
            if (x == mine) continue;
            const column_t weight = g_.edge_weight[as_size(e)];
            index_t& slot = slot_[as_size(x)];
            if (slot < first_) {
                slot = next_++;
                c.neighbour[as_size(slot)] = x;
                c.edge_weight[as_size(slot)] = weight;
            } else {
                column_t& sum = c.edge_weight[as_size(slot)];
                sum = std::min(heaviest_edge, sum + weight);
            }
        }
    }

    const weighted_graph& g_;
    const std::vector<column_t>& partner_;
    coarser_graph to_;
    std::vector<index_t> slot_;  ///< of a vertex of the coarser graph in the list being made
    index_t first_ = 0, next_ = 0;
};

}  // namespace

coarser_graph coarsened(const weighted_graph& g, index_t most_weight, std::uint64_t seed)
{
    const std::vector<column_t> partner = pairing(g, most_weight, seed).run();
    return contraction(g, partner).run();
}

std::vector<coarser_graph> coarsened_down_to(const weighted_graph& g, column_t most,
                                             index_t most_weight, std::uint64_t seed)
{
    std::vector<coarser_graph> levels;
    const weighted_graph* finer = &g;
    while (finer->size() > most) {
        coarser_graph next = coarsened(*finer, most_weight, hashed(seed, levels.size()));
        const bool stalls = index_t{10} * next.graph.size() > index_t{9} * finer->size();
        if (stalls) break;
        levels.push_back(std::move(next));
        finer = &levels.back().graph;
    }
    return levels;
}

}  // namespace ddla::factor
