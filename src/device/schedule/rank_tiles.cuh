// Sums of tiles at a device, for the other ranks: nodes that stay are folded here, those that
// travel go to memory of the host, level after level.
#pragma once

#include "device/core/fold.cuh"
#include "device/core/launch.cuh"
#include "device/core/launcher.cuh"
#include "engine/shared_sums.hpp"

#include <algorithm>
#include <cstring>

namespace ddla::device_backend {

/// The nodes of a level, in `count` lists, of which list k begins at from[k stride]: first those
/// that travel, then those that are folded, then others that travel.  All in numbers that fold by
/// themselves, `parts` to a node.
template <class Part>
struct nodes_of_level {
    const Part* from;
    index_t stride;
    index_t before, kept, behind;  ///< nodes
    index_t count;
    int parts;
};
/// Lists in memory: list k begins at to[k stride].
template <class Part>
struct node_lists {
    Part* to;
    index_t stride;
};

/// What travels goes to `out`, sums of 256 neighbours of what is kept go to `next`.
template <class Part>
void leave_level(launcher& to, const nodes_of_level<Part>& level, const node_lists<Part>& out,
                 const node_lists<Part>& next);

/// `Sum`s of `count` steps: sum k of tile t is tiles()[k m + t].
template <class Sum>
class rank_tiles_at_device final : public rank_tiles {
public:
    rank_tiles_at_device(launcher& to, const queue& in, index_t n, index_t count)
        : to_(to), in_(in), m_(ddla::tiles(n)), count_(count)
    {
        index_t all = 0;
        for (index_t m = m_; m > 0; m = m > 1 ? ddla::tiles(m) : 0) all += m;
        to_.memory().of_tiles.reserve(size(count * all), 0);
        to_.memory().of_ranks.reserve(size(count));
    }
    /// Memory for the sums of tiles.
    Sum* tiles() const { return static_cast<Sum*>(to_.memory().of_tiles.sums); }
    /// Sum k of all ranks, once they are set: in memory of the host that kernels read.
    const Sum* total(index_t k) const
    {
        return static_cast<const Sum*>(to_.memory().of_ranks.data()) + k;
    }

    std::size_t count() const override { return static_cast<std::size_t>(count_); }
    void pack(std::span<const node_level> levels, std::byte* to) override
    {
        index_t sent = 0;
        for (const node_level& one : levels) sent += one.travelling();
        to_.memory().of_ranks.reserve(size(count_ * std::max<index_t>(sent, 1)));
        auto* const out = static_cast<Sum*>(to_.memory().of_ranks.data());
        Sum* nodes = tiles();
        index_t at = 0;
        for (std::size_t k = 0; k < levels.size(); ++k) {
            const node_level& one = levels[k];
            const index_t all = one.end - one.first, kept = one.kept_end - one.kept_first;
            // What the last level has goes out as it is made.
            const bool is_last = kept > 0 && levels[k + 1].kept_first == levels[k + 1].kept_end;
            Sum* const next = is_last ? out + at + one.travelling() : nodes + count_ * all;
            leave(nodes, one, {parts_at(out + at), sent * parts},
                  {parts_at(next), (is_last ? sent : ddla::tiles(kept)) * parts});
            if (kept == 0 || is_last) break;
            at += one.travelling();
            nodes = next;
        }
        in_.wait();  // for what reads total(), too
        if (sent > 0)
            std::memcpy(to, out, size(count_ * sent));
        else  // what is left where no rank has an element
            std::fill_n(out, count_, Sum{});
    }
    void set(std::size_t j, const std::byte* sum) override
    {
        std::memcpy(static_cast<Sum*>(to_.memory().of_ranks.data()) + j, sum, sizeof(Sum));
    }

private:
    using part = typename parts_of<Sum>::part;
    static constexpr int parts = parts_of<Sum>::count;
    static_assert(sizeof(Sum) == parts * sizeof(part));

    static std::size_t size(index_t sums) { return static_cast<std::size_t>(sums) * sizeof(Sum); }
    static part* parts_at(Sum* node) { return reinterpret_cast<part*>(node); }
    void leave(Sum* nodes, const node_level& of, const node_lists<part>& out,
               const node_lists<part>& next) const
    {
        if (of.end > of.first)
            leave_level<part>(to_,
                              {parts_at(nodes), (of.end - of.first) * parts,
                               of.kept_first - of.first, of.kept_end - of.kept_first,
                               of.end - of.kept_end, count_, parts},
                              out, next);
    }

    launcher& to_;
    const queue& in_;
    index_t m_, count_;
};

}  // namespace ddla::device_backend
