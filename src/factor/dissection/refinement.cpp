// One-sided passes over a vertex separator.
#include "refinement.hpp"

#include "hashing.hpp"

#include "ddla/watched_scope.hpp"

#include <algorithm>

namespace ddla::factor {

namespace {

constexpr std::size_t at(part p)
{
    return static_cast<std::size_t>(p);
}
constexpr part opposite(part side)
{
    return side == part::first ? part::second : part::first;
}
/// A side may weigh at most this: wide bounds find separators that are smaller by more than uneven
/// sides cost.
index_t most_of_side(index_t weight)
{
    return weight * 13 / 20 + 1;
}
/// A pass ends where the separator is heavier than this.
index_t most_weight_beside(const std::array<index_t, 3>& best)
{
    return best[2] * 7 / 5 + 10;
}
index_t excess(const std::array<index_t, 3>& w)
{
    return std::max<index_t>(0, std::max(w[0], w[1]) - most_of_side(w[0] + w[1] + w[2]));
}

}  // namespace

bool is_better(const std::array<index_t, 3>& x, const std::array<index_t, 3>& y)
{
    const index_t ex = excess(x), ey = excess(y);
    if (ex != ey) return ex < ey;
    if (x[2] != y[2]) return x[2] < y[2];
    return std::max(x[0], x[1]) < std::max(y[0], y[1]);
}

refinement::refinement(const weighted_graph& g)
    : g_(g), most_(most_of_side(g.weight)),
      queue_(g.size(), std::max<index_t>(1, g.weight / (16 * std::max<index_t>(1, g.size())))),
      gain_(as_size(g.size()), 0)
{
}

void refinement::refine(separation& s)
{
    list_separator(s);
    // The lighter side first.
    part to = s.weight[0] < s.weight[1] ? part::first : part::second;
    const index_t most_moves = 50 + 16 * static_cast<index_t>(separator_.size());
    for (int vain = 0; vain < 2; to = opposite(to)) vain = pass(s, to, most_moves) ? 0 : vain + 1;
}

separation refinement::grown(std::uint64_t seed)
{
    separation s;
    s.of.assign(as_size(g_.size()), part::second);
    s.weight = {0, g_.weight, 0};
    separator_.clear();
    start_pass(s, part::first);
    std::array<index_t, 3> best = s.weight;
    std::size_t kept = 0;
    const auto n = static_cast<index_t>(g_.size());
    const auto start = static_cast<index_t>(hashed(seed) % static_cast<std::uint64_t>(n));
    // Until the first side is a little heavier than half.
    for (index_t tried = 0; 20 * s.weight[0] <= 11 * g_.weight;) {
        if (queue_.is_empty()) {  // at first, and where a connected part is on the first side
            while (tried < n && s.of[as_size((start + tried) % n)] != part::second) ++tried;
            if (tried == n) break;
            moves_.push_back({-1, 0});
            pull(s, static_cast<column_t>((start + tried) % n));
            moves_.back().pulled_end = pulled_.size();
        }
        if (do_best_move(s) && is_better(s.weight, best)) {
            best = s.weight;
            kept = moves_.size();
        }
    }
    undo(s, kept);
    return s;
}

void refinement::list_separator(const separation& s)
{
    separator_.clear();
    count_work(g_.size());
    for (column_t v = 0; v < g_.size(); ++v)
        if (s.of[as_size(v)] == part::separator) separator_.push_back(v);
}

/// Whether the state is better than before.
bool refinement::pass(separation& s, part to, index_t most_moves)
{
    start_pass(s, to);
    const std::array<index_t, 3> before = s.weight;
    std::array<index_t, 3> best = before;
    std::size_t kept = 0;
    index_t in_vain = 0;
    while (!queue_.is_empty() && in_vain < most_moves && s.weight[2] <= most_weight_beside(best)) {
        if (!do_best_move(s)) continue;
        ++in_vain;
        if (!is_better(s.weight, best)) continue;
        best = s.weight;
        kept = moves_.size();
        in_vain = 0;
    }
    undo(s, kept);
    // The separator is what is left of the old list, and what was pulled.
    separator_.insert(separator_.end(), pulled_.begin(), pulled_.end());
    std::erase_if(separator_, [&](column_t v) { return s.of[as_size(v)] != part::separator; });
    return is_better(best, before);
}

void refinement::start_pass(const separation& s, part to)
{
    to_ = to;
    other_ = opposite(to);
    queue_.clear();
    count_work(3 * work_);
    work_ = 0;
    moves_.clear();
    pulled_.clear();
    for (const column_t v : separator_) enqueue(s, v);
}

/// Of the vertices of the separator: what it loses less what it wins.
void refinement::enqueue(const separation& s, column_t v)
{
    work_ += 1 + g_.degree(v);
    index_t gain = g_.vertex_weight[as_size(v)];
    for (const column_t u : g_.of(v))
        if (s.of[as_size(u)] == other_) gain -= g_.vertex_weight[as_size(u)];
    gain_[as_size(v)] = gain;
    queue_.insert(v, gain);
}

/// False if the best one does not fit.
bool refinement::do_best_move(separation& s)
{
    const column_t v = queue_.take();
    const index_t weight = g_.vertex_weight[as_size(v)];
    // A side that is too heavy already may be left by any move.
    if (s.weight[at(to_)] + weight > most_) return false;
    s.of[as_size(v)] = to_;
    s.weight[at(to_)] += weight;
    s.weight[2] -= weight;
    moves_.push_back({v, 0});
    for (const column_t u : g_.of(v))
        if (s.of[as_size(u)] == other_) pull(s, u);
    moves_.back().pulled_end = pulled_.size();
    return true;
}

void refinement::pull(separation& s, column_t v)
{
    const index_t weight = g_.vertex_weight[as_size(v)];
    s.of[as_size(v)] = part::separator;
    s.weight[at(other_)] -= weight;
    s.weight[2] += weight;
    pulled_.push_back(v);
    work_ += 1 + g_.degree(v);
    index_t gain = weight;
    for (const column_t u : g_.of(v)) {
        if (s.of[as_size(u)] == other_) {
            gain -= g_.vertex_weight[as_size(u)];
        } else if (s.of[as_size(u)] == part::separator && queue_.has(u)) {
            queue_.erase(u);
            queue_.insert(u, gain_[as_size(u)] += weight);
        }
    }
    gain_[as_size(v)] = gain;
    queue_.insert(v, gain);
}

void refinement::undo(separation& s, std::size_t kept)
{
    while (moves_.size() > kept) {
        const move last = moves_.back();
        moves_.pop_back();
        const std::size_t begin = moves_.empty() ? 0 : moves_.back().pulled_end;
        for (; pulled_.size() > begin; pulled_.pop_back()) {
            const column_t u = pulled_.back();
            s.of[as_size(u)] = other_;
            s.weight[at(other_)] += g_.vertex_weight[as_size(u)];
            s.weight[2] -= g_.vertex_weight[as_size(u)];
        }
        if (last.vertex < 0) continue;
        s.of[as_size(last.vertex)] = part::separator;
        s.weight[at(to_)] -= g_.vertex_weight[as_size(last.vertex)];
        s.weight[2] += g_.vertex_weight[as_size(last.vertex)];
    }
}

}  // namespace ddla::factor
