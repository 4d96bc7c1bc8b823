#include "sum_plan.hpp"

#include "ddla/summation.hpp"

#include <algorithm>
#include <map>
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

sum_plan::sum_plan(const ranges& of, int rank)
{
    const index_t top = best_top(of);
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
