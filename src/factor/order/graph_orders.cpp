#include "graph_orders.hpp"

#include "factor/dissection/adjacency.hpp"

#include "ddla/watched_scope.hpp"

namespace ddla::factor {

namespace {

using graph = adjacency;

/// 0 ... n-1 by keys, which are below n: equal ones in their order.
template <class Key>
std::vector<column_t> sorted_by(column_t n, const Key& key)
{
    std::vector<index_t> next(as_size(n) + 1, 0);
    for (column_t j = 0; j < n; ++j) ++next[as_size(key(j)) + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    std::vector<column_t> order(as_size(n));
    for (column_t j = 0; j < n; ++j) {
        count_work(10);
        order[as_size(next[as_size(key(j))]++)] = j;
    }
    return order;
}

class cuthill_mckee {
public:
    explicit cuthill_mckee(const graph& g)
        : g_(g), seen_(as_size(g.size()), 0), depth_(as_size(g.size()), -1)
    {
    }
    std::vector<column_t> run()
    {
        const std::vector<column_t> starts =
            sorted_by(g_.size(), [&](column_t j) { return g_.degree(j); });
        for (const column_t j : starts)
            if (seen_[as_size(j)] == 0) number_part(end_of(j));
        std::reverse(order_.begin(), order_.end());
        return std::move(order_);
    }

private:
    /// The depth of the search from `start`, and the lowest node of lowest degree among the last.
    std::pair<column_t, column_t> search(column_t start)
    {
        met_.assign(1, start);
        depth_[as_size(start)] = 0;
        for (std::size_t k = 0; k < met_.size(); ++k) {
            count_work(10 * (1 + g_.degree(met_[k])));
            for (const column_t i : g_.of(met_[k]))
                if (depth_[as_size(i)] < 0) {
                    depth_[as_size(i)] = depth_[as_size(met_[k])] + 1;
                    met_.push_back(i);
                }
        }
        const column_t deepest = depth_[as_size(met_.back())];
        column_t far = met_.back();
        for (const column_t i : met_)
            if (depth_[as_size(i)] == deepest &&
                std::pair(g_.degree(i), i) < std::pair(g_.degree(far), far))
                far = i;
        for (const column_t i : met_) depth_[as_size(i)] = -1;
        return {deepest, far};
    }
    column_t end_of(column_t start)
    {
        for (auto [depth, far] = search(start);;) {
            const auto [deeper, next] = search(far);
            if (deeper <= depth) return start;
            start = far;
            depth = deeper;
            far = next;
        }
    }
    void number_part(column_t start)
    {
        std::size_t k = order_.size();
        seen_[as_size(start)] = 1;
        order_.push_back(start);
        for (; k < order_.size(); ++k) {
            count_work(20 * (1 + g_.degree(order_[k])));
            const auto first = static_cast<std::ptrdiff_t>(order_.size());
            for (const column_t i : g_.of(order_[k]))
                if (seen_[as_size(i)] == 0) {
                    seen_[as_size(i)] = 1;
                    order_.push_back(i);
                }
            std::stable_sort(order_.begin() + first, order_.end(),
                             [&](column_t x, column_t y) { return g_.degree(x) < g_.degree(y); });
        }
    }

    const graph& g_;
    std::vector<char> seen_;
    std::vector<column_t> depth_, met_, order_;
};

}  // namespace

std::vector<column_t> reverse_cuthill_mckee(const pattern& a)
{
    const graph g(a.begin, a.row);
    return cuthill_mckee(g).run();
}

std::vector<column_t> colours_of(const pattern& a)
{
    const graph g(a.begin, a.row);
    std::vector<column_t> colour(as_size(g.size()), -1), taken(as_size(g.size()) + 1, -1);
    for (column_t j = 0; j < g.size(); ++j) {
        count_work(10 * (1 + g.degree(j)));
        for (const column_t i : g.of(j))
            if (colour[as_size(i)] >= 0) taken[as_size(colour[as_size(i)])] = j;
        column_t c = 0;
        while (taken[as_size(c)] == j) ++c;
        colour[as_size(j)] = c;
    }
    return colour;
}

std::vector<column_t> by_colours(const pattern& a)
{
    const std::vector<column_t> colour = colours_of(a);
    return sorted_by(static_cast<column_t>(colour.size()),
                     [&](column_t j) { return colour[as_size(j)]; });
}

}  // namespace ddla::factor
