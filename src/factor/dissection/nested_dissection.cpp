// Nested dissection of the graph in which columns alike are one vertex.
#include "nested_dissection.hpp"

#include "hashing.hpp"
#include "minimum_degree.hpp"
#include "separator.hpp"

#include "factor/first_error.hpp"

#include "ddla/watched_scope.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>

namespace ddla::factor {

namespace {

/// Entries of a part that minimum degree orders: 250 vertices of a plane grid, 60 of one with 27
/// points.
constexpr index_t small_part = 1500;
/// Entries of a part that one thread dissects to the end: 4,000 vertices of a plane grid, 600 of
/// one with 27 points.
constexpr index_t part_of_thread = 16000;

/// Vertices that take the places `first` … of the order.
struct open_part {
    weighted_graph graph;
    std::vector<column_t> vertex;  ///< of the merged graph
    index_t first = 0;
    std::uint64_t seed = 0;
};

/// Parts that threads take, the oldest first; more come as long as one of them is divided.
class shared_parts {
public:
    explicit shared_parts(std::vector<open_part> first)
        : open_(std::make_move_iterator(first.begin()), std::make_move_iterator(first.end()))
    {
    }

    /// False if no more will come.  A thread that waits asks its watch.
    bool take(open_part& p)
    {
        constexpr std::chrono::milliseconds between_looks(5);
        const auto is_over = [&] { return ended_ || !open_.empty() || divided_ == 0; };
        std::unique_lock alone(mutex_);
        while (!changed_.wait_for(alone, between_looks, is_over)) {
            alone.unlock();
            count_work(operations_between_looks);
            alone.lock();
        }
        if (ended_ || open_.empty()) return false;
        p = std::move(open_.front());
        open_.pop_front();
        ++divided_;
        return true;
    }
    /// What is left of one that was taken.
    void put(std::vector<open_part> left)
    {
        const std::lock_guard alone(mutex_);
        std::move(left.begin(), left.end(), std::back_inserter(open_));
        --divided_;
        changed_.notify_all();
    }
    /// Nobody takes any more.
    void end()
    {
        const std::lock_guard alone(mutex_);
        ended_ = true;
        changed_.notify_all();
    }
    bool were_ended() const { return ended_; }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<open_part> open_;
    int divided_ = 0;
    bool ended_ = false;
};

class dissection {
public:
    explicit dissection(const weighted_graph& g)
        : all_(g), order_(as_size(g.size())), place_(as_size(g.size()), -1)
    {
    }

    /// The vertices of the graph in the order of elimination; none if `beside` says so, which one
    /// of the threads calls first.
    std::vector<column_t> run(const chunk_runner& run, const std::function<bool()>& beside)
    {
        shared_parts parts(first_parts());
        first_error error;
        run.each(std::max(1, run.threads()), [&](index_t thread) {
            bool is_whole = false;
            error.guard([&] {
                if (thread == 0 && beside && !beside()) parts.end();
                for (open_part p; parts.take(p);) parts.put(divide(std::move(p), error));
                is_whole = true;
            });
            if (!is_whole) parts.end();
        });
        error.rethrow();
        return parts.were_ended() ? std::vector<column_t>{} : std::move(order_);
    }

private:
    /// Connected parts; small neighbours in one.
    std::vector<open_part> first_parts() const
    {
        std::vector<open_part> open;
        if (all_.size() == 0) return open;
        open_part whole;
        whole.graph = all_;
        whole.vertex.resize(as_size(all_.size()));
        for (std::size_t v = 0; v < whole.vertex.size(); ++v)
            whole.vertex[v] = static_cast<column_t>(v);
        return connected(std::move(whole));
    }

    std::vector<open_part> connected(open_part p) const
    {
        constexpr index_t group = 200;  // vertices of small parts that stay together
        std::vector<open_part> open;
        const connected_parts parts = parts_of(p.graph);
        if (parts.begin.size() == 2) {
            open.push_back(std::move(p));
            return open;
        }
        std::vector<column_t> place(as_size(p.graph.size()), -1);
        for (std::size_t k = 0; k + 1 < parts.begin.size();) {
            const index_t begin = parts.begin[k];
            for (++k; k + 1 < parts.begin.size() && parts.begin[k + 1] - begin <= group;) ++k;
            const std::span<const column_t> mine(parts.vertex.data() + begin,
                                                 as_size(parts.begin[k] - begin));
            open_part one{induced(p.graph, mine, place),
                          {},
                          p.first + begin,
                          hashed(p.seed, static_cast<std::uint64_t>(begin))};
            for (const column_t v : mine) one.vertex.push_back(p.vertex[as_size(v)]);
            open.push_back(std::move(one));
        }
        return open;
    }

    /// What is left of a part: nothing of those that one thread does to the end.
    std::vector<open_part> divide(open_part p, const first_error& error)
    {
        const bool to_the_end = p.graph.entries() <= part_of_thread;
        std::vector<open_part> open = halves(std::move(p));
        if (!to_the_end) return open;
        while (!open.empty() && !error.is_there()) {
            open_part last = std::move(open.back());
            open.pop_back();
            std::vector<open_part> more = halves(std::move(last));
            std::move(more.begin(), more.end(), std::back_inserter(open));
        }
        return open;
    }

    /// Orders the separator of a part, and returns what it leaves; orders a small part.
    std::vector<open_part> halves(open_part p)
    {
        if (p.graph.entries() <= small_part) return order_small(p);
        const separation s = separated(p.graph, p.seed);
        std::array<std::vector<column_t>, 3> side;
        for (column_t v = 0; v < p.graph.size(); ++v)
            side[as_size(static_cast<int>(s.of[as_size(v)]))].push_back(v);
        if (side[0].empty() || side[1].empty()) return order_small(p);
        index_t to = p.first + static_cast<index_t>(side[0].size() + side[1].size());
        for (const column_t v : side[2]) order_[as_size(to++)] = p.vertex[as_size(v)];
        std::vector<open_part> open;
        std::vector<column_t> place(as_size(p.graph.size()), -1);
        index_t first = p.first;
        for (const std::size_t k : {0u, 1u}) {
            open_part half{induced(p.graph, side[k], place), {}, first, hashed(p.seed, k + 1)};
            for (const column_t v : side[k]) half.vertex.push_back(p.vertex[as_size(v)]);
            first += static_cast<index_t>(side[k].size());
            std::vector<open_part> parts = connected(std::move(half));
            std::move(parts.begin(), parts.end(), std::back_inserter(open));
        }
        return open;
    }

    /// By minimum degree, beside the vertices of separators that it touches.
    std::vector<open_part> order_small(const open_part& p)
    {
        for (std::size_t v = 0; v < p.vertex.size(); ++v)
            place_[as_size(p.vertex[v])] = static_cast<column_t>(v);
        const auto inner = static_cast<column_t>(p.vertex.size());
        const std::vector<column_t> order = order_by_minimum_degree(with_halo(p), inner);
        for (std::size_t k = 0; k < order.size(); ++k)
            order_[as_size(p.first) + k] = p.vertex[as_size(order[k])];
        return {};
    }

    /// The graph of a part and of the vertices around it, without edges between those.
    weighted_graph with_halo(const open_part& p) const
    {
        std::vector<std::pair<column_t, column_t>> outward;  // edges to the vertices around
        std::vector<column_t> halo;
        for (std::size_t v = 0; v < p.vertex.size(); ++v)
            for (const column_t u : all_.of(p.vertex[v]))
                if (place_[as_size(u)] < 0) outward.push_back({u, static_cast<column_t>(v)});
        std::sort(outward.begin(), outward.end());
        for (const auto& [u, v] : outward)
            if (halo.empty() || halo.back() != u) halo.push_back(u);
        const auto place_of = [&](column_t u) {
            if (place_[as_size(u)] >= 0) return place_[as_size(u)];
            const auto k = std::lower_bound(halo.begin(), halo.end(), u) - halo.begin();
            return static_cast<column_t>(std::ssize(p.vertex) + k);
        };
        weighted_graph g;
        const auto close = [&](column_t v) {
            g.begin.push_back(g.entries());
            g.vertex_weight.push_back(all_.vertex_weight[as_size(v)]);
            g.weight += g.vertex_weight.back();
        };
        for (const column_t v : p.vertex) {
            for (const column_t u : all_.of(v)) g.neighbour.push_back(place_of(u));
            close(v);
        }
        auto edge = outward.begin();
        for (const column_t u : halo) {
            for (; edge != outward.end() && edge->first == u; ++edge)
                g.neighbour.push_back(edge->second);
            close(u);
        }
        return g;
    }

    const weighted_graph& all_;
    std::vector<column_t> order_;
    /// Of a vertex in its small part; -1 elsewhere.  A part touches none but its own vertices and
    /// those of separators, which keep -1: so parts can be ordered at the same time.
    std::vector<column_t> place_;
};

/// Those with more neighbours than AMD takes as dense, too.
std::vector<char> dense_columns(const adjacency& a)
{
    std::vector<char> is_dense(as_size(a.size()), 0);
    for (column_t j = 0; j < a.size(); ++j) {
        const index_t d = a.degree(j);
        is_dense[as_size(j)] = d > 16 && d * d > 100 * index_t{a.size()};
    }
    return is_dense;
}

}  // namespace

nested_dissection::nested_dissection(const adjacency& a)
    : is_dense_(dense_columns(a)), merged_(merge_alike_columns(a, is_dense_))
{
}

double nested_dissection::cost() const
{
    // Measured: 60 to 110 ns on grids in two and three dimensions.
    constexpr double of_entry_and_halving = 100;
    const auto entries = static_cast<double>(merged_.graph.entries());
    double halvings = 0;
    for (double part = entries; part > small_part; part /= 2) ++halvings;
    return of_entry_and_halving * entries * (1 + halvings);
}

std::vector<column_t> nested_dissection::order(const chunk_runner& run,
                                               const std::function<bool()>& beside) const
{
    const std::vector<column_t> vertices = dissection(merged_.graph).run(run, beside);
    std::vector<column_t> order;
    if (std::ssize(vertices) < merged_.graph.size()) return order;
    order.reserve(is_dense_.size());
    for (const column_t v : vertices)
        order.insert(order.end(), merged_.columns.begin() + merged_.first[as_size(v)],
                     merged_.columns.begin() + merged_.first[as_size(v) + 1]);
    for (std::size_t j = 0; j < is_dense_.size(); ++j)
        if (is_dense_[j] != 0) order.push_back(static_cast<column_t>(j));
    return order;
}

}  // namespace ddla::factor
