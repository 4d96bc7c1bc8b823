#include "sum_plan.hpp"

#include "ddla/summation.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace ddla::ranks {

using levels = std::vector<node_level>;

/// Nodes of a level that have come from all ranks, by their number, and the slots where they are.
struct sum_plan::travelling {
    std::map<index_t, std::size_t> slot;
};

namespace {

/// The nodes of a rank, up to `top`, the level at which all travel; level 0 is that of tiles.
levels levels_of(const ranges& of, int rank, index_t top)
{
    levels all;
    index_t first = of.begin(rank) / tile_size, end = tiles(of.end(rank)), count = tiles(of.all());
    if (of.size(rank) == 0) first = end = 0;
    for (index_t k = 0; k <= top; ++k, count = tiles(count)) {
        const index_t next = tiles(first), next_end = end == count ? tiles(count) : end / tile_size;
        const bool goes_up = k < top && next < next_end;
        const index_t kept = goes_up ? next * tile_size : end;
        all.push_back({first, end, kept, goes_up ? std::min(end, next_end * tile_size) : end});
        first = goes_up ? next : 0;
        end = goes_up ? next_end : 0;
    }
    return all;
}

std::size_t travelling_of(const levels& all)
{
    index_t sent = 0;
    for (const node_level& one : all) sent += one.travelling();
    return static_cast<std::size_t>(sent);
}

std::size_t gathered_with(const ranges& of, index_t top)
{
    std::size_t sum = 0;
    for (int r = 0; r < of.count(); ++r) sum += travelling_of(levels_of(of, r, top));
    return sum;
}

/// The level from which the fewest numbers travel; the lowest of these.
index_t best_top(const ranges& of)
{
    index_t best = 0;
    std::size_t fewest = gathered_with(of, 0);
    index_t count = tiles(of.all());
    for (index_t top = 1; count > 1; ++top) {
        count = tiles(count);
        const std::size_t now = gathered_with(of, top);
        if (now < fewest) std::tie(best, fewest) = std::pair(top, now);
    }
    return best;
}

}  // namespace

sum_plan::sum_plan(const ranges& of, int rank, std::size_t most)
{
    const index_t top = best_top(of);
    if (gathered_with(of, top) <= most) {
        gather_all(of, rank, top);
        return;
    }
    index_t count = tiles(of.all()), level = 0;
    for (; static_cast<std::size_t>(count) > most && count > 1; ++level) count = tiles(count);
    add_stages(of, rank, level);
}

void sum_plan::gather_all(const ranges& of, int rank, index_t top)
{
    std::vector<travelling> at_level(static_cast<std::size_t>(top) + 1);
    for (int r = 0; r < of.count(); ++r) {
        const ranks::levels all = levels_of(of, r, top);
        sent_.push_back(travelling_of(all));
        for (std::size_t k = 0; k < all.size(); ++k) {
            const node_level& one = all[k];
            for (index_t i = one.first; i < one.kept_first; ++i) at_level[k].slot[i] = gathered_++;
            for (index_t i = one.kept_end; i < one.end; ++i) at_level[k].slot[i] = gathered_++;
        }
        if (r == rank) levels_ = all;
    }
    if (gathered_ > 0) add_folds(at_level, top);
}

/// The nodes of a level that ranks have: rank r those from begin[r] to begin[r + 1] - 1, of which
/// each is where its first child is.
struct sum_plan::owned_nodes {
    std::vector<index_t> begin;

    /// Of the level above.
    owned_nodes above() const
    {
        owned_nodes up;
        for (const index_t i : begin) up.begin.push_back(tiles(i));
        return up;
    }
    int owner(index_t node) const
    {
        return static_cast<int>(std::upper_bound(begin.begin(), begin.end(), node) -
                                begin.begin()) -
               1;
    }
};

namespace {

/// One after the other.
std::vector<std::size_t> slots_from(std::size_t first, index_t count)
{
    std::vector<std::size_t> slots(static_cast<std::size_t>(count));
    std::iota(slots.begin(), slots.end(), first);
    return slots;
}

}  // namespace

void sum_plan::add_stages(const ranges& of, int rank, index_t top)
{
    levels_ = levels_of(of, rank, top);
    slots_of_stages_ = travelling_of(levels_);
    owned_nodes now;
    for (int r = 0; r <= of.count(); ++r)
        now.begin.push_back(tiles(r < of.count() ? of.begin(r) : of.all()));
    std::size_t slot = 0;  // of the next node that travels
    nodes_of_rank at;
    for (std::size_t k = 0;; ++k, now = now.above()) {
        for (const auto& [first, end] : {std::pair(levels_[k].first, levels_[k].kept_first),
                                         std::pair(levels_[k].kept_end, levels_[k].end)})
            for (index_t i = first; i < end; ++i) at[i] = slot++;
        if (k == static_cast<std::size_t>(top)) break;
        stages_.push_back(stage_of(now, rank, at));
    }
    for (const auto& [node, from] : at) leaving_.push_back(from);
    std::vector<travelling> last(static_cast<std::size_t>(top) + 1);
    for (std::size_t r = 0; r + 1 < now.begin.size(); ++r) {
        sent_.push_back(static_cast<std::size_t>(now.begin[r + 1] - now.begin[r]));
        for (index_t i = now.begin[r]; i < now.begin[r + 1]; ++i) last.back().slot[i] = gathered_++;
    }
    if (gathered_ > 0) add_folds(last, top);
}

/// Of the nodes `at` that this rank has and has not added yet; they become those above.
sum_plan::stage sum_plan::stage_of(const owned_nodes& now, int rank, nodes_of_rank& at)
{
    const auto me = static_cast<std::size_t>(rank);
    const owned_nodes up = now.above();
    stage made;
    // The first ones, whose node another rank has.
    while (!at.empty() && at.begin()->first < up.begin[me] * tile_size) {
        const int to = up.owner(at.begin()->first / tile_size);
        if (made.sends.empty() || made.sends.back().rank != to) made.sends.push_back({to, {}});
        made.sends.back().slots.push_back(at.begin()->second);
        at.erase(at.begin());
    }
    // What others have of the last node of this rank.
    const index_t end = std::min(up.begin[me + 1] * tile_size, now.begin.back());
    for (std::size_t r = me + 1; up.begin[me] < up.begin[me + 1] && now.begin[r] < end; ++r) {
        const index_t last = std::min(end, now.begin[r + 1]);
        if (last <= now.begin[r]) continue;
        made.receives.push_back(
            {static_cast<int>(r), slots_from(slots_of_stages_, last - now.begin[r])});
        for (index_t i = now.begin[r]; i < last; ++i) at[i] = slots_of_stages_++;
    }
    nodes_of_rank above;
    for (const auto& [node, from] : at) {
        if (above.try_emplace(node / tile_size, slots_of_stages_).second) {
            made.folds.emplace_back();
            ++slots_of_stages_;
        }
        made.folds.back().push_back(from);
    }
    at = std::move(above);
    return made;
}

/// Nodes that several ranks have a part of, level by level; from the last level on all nodes.
void sum_plan::add_folds(std::vector<travelling>& at_level, index_t last_level)
{
    std::size_t next_slot = gathered_;
    for (std::size_t k = 0;; ++k) {
        const std::map<index_t, std::size_t>& now = at_level[k].slot;
        const bool is_last = static_cast<index_t>(k) >= last_level;
        if (is_last && now.size() == 1) {
            result_ = now.begin()->second;
            return;
        }
        if (k + 1 == at_level.size()) at_level.emplace_back();
        std::map<index_t, std::size_t>& next = at_level[k + 1].slot;
        for (const auto& [node, slot] : at_level[k].slot) {
            if (next.try_emplace(node / tile_size, next_slot).second) {
                folds_.emplace_back();
                ++next_slot;
            }
            folds_.back().push_back(slot);
        }
    }
}

}  // namespace ddla::ranks
