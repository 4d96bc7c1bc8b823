#include "graph_orders.hpp"

#include "ddla/watched_scope.hpp"

#include <span>

namespace ddla::factor {

namespace {

/// Neighbours of each column in A + A^T, ascending, itself left out.
class graph {
public:
    explicit graph(const pattern& a) : begin_(as_size(a.columns) + 1, 0)
    {
        std::vector<index_t> most(as_size(a.columns) + 1, 0);
        each_entry(a, [&](column_t i, column_t j) {
            ++most[as_size(i) + 1];
            ++most[as_size(j) + 1];
        });
        std::partial_sum(most.begin(), most.end(), most.begin());
        std::vector<index_t> next(most.begin(), most.end() - 1);
        neighbour_.resize(as_size(most.back()));
        each_entry(a, [&](column_t i, column_t j) {
            neighbour_[as_size(next[as_size(i)]++)] = j;
            neighbour_[as_size(next[as_size(j)]++)] = i;
        });
        sort_lists(most);
    }
    column_t size() const { return static_cast<column_t>(begin_.size() - 1); }
    index_t degree(column_t j) const { return begin_[as_size(j) + 1] - begin_[as_size(j)]; }
    std::span<const column_t> of(column_t j) const
    {
        return {neighbour_.data() + begin_[as_size(j)], as_size(degree(j))};
    }

private:
    template <class Use>
    static void each_entry(const pattern& a, const Use& use)
    {
        for (index_t j = 0; j < a.columns; ++j) {
            count_work(20 * (a.begin[as_size(j) + 1] - a.begin[as_size(j)]));
            for (index_t k = a.begin[as_size(j)]; k < a.begin[as_size(j) + 1]; ++k)
                if (a.row[as_size(k)] != j) use(a.row[as_size(k)], static_cast<column_t>(j));
        }
    }
    /// Sorts each list and closes the gaps that double neighbours leave.
    void sort_lists(const std::vector<index_t>& most)
    {
        auto end = neighbour_.begin();
        for (std::size_t j = 0; j + 1 < begin_.size(); ++j) {
            count_work(20 * (most[j + 1] - most[j]));
            const auto first = neighbour_.begin() + most[j],
                       last = neighbour_.begin() + most[j + 1];
            std::sort(first, last);
            end = std::copy(first, std::unique(first, last), end);
            begin_[j + 1] = end - neighbour_.begin();
        }
        neighbour_.erase(end, neighbour_.end());
    }

    std::vector<index_t> begin_;
    std::vector<column_t> neighbour_;
};

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
    const graph g(a);
    return cuthill_mckee(g).run();
}

std::vector<column_t> colours_of(const pattern& a)
{
    const graph g(a);
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
