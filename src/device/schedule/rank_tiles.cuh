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

/// Of `count` lists of m sums, each of `parts` numbers that fold by themselves: list k begins at
/// from[k stride].  The sums of 256 neighbours each go to the lists in `target`.
template <class Part>
void fold_nodes(launcher& to, const Part* from, index_t stride, index_t m, index_t count, int parts,
                Part* target);

/// target[k target_stride + i] = from[k stride + i], i < n, k < count; words of 8 bytes.
void copy_nodes(launcher& to, const word* from, index_t stride, index_t n, index_t count,
                word* target, index_t target_stride);

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
        for (const node_level& one : levels) {
            const index_t all = one.end - one.first, kept = one.kept_end - one.kept_first;
            const index_t before = one.kept_first - one.first, behind = one.end - one.kept_end;
            copy(nodes, all, before, out + at, sent);
            copy(nodes + before + kept, all, behind, out + at + before, sent);
            at += before + behind;
            if (kept == 0) break;
            Sum* const next = nodes + count_ * all;
            fold_nodes(to_, reinterpret_cast<const part*>(nodes + before), all * parts, kept,
                       count_, parts, reinterpret_cast<part*>(next));
            nodes = next;
        }
        in_.wait();  // for what reads total(), too
        if (sent > 0) std::memcpy(to, out, size(count_ * sent));
    }
    void set(std::size_t j, const std::byte* sum) override
    {
        std::memcpy(static_cast<Sum*>(to_.memory().of_ranks.data()) + j, sum, sizeof(Sum));
    }

private:
    using part = typename parts_of<Sum>::part;
    static constexpr int parts = parts_of<Sum>::count;
    static_assert(sizeof(Sum) == parts * sizeof(part) && sizeof(Sum) % sizeof(word) == 0);
    static constexpr index_t words = sizeof(Sum) / sizeof(word);

    static std::size_t size(index_t sums) { return static_cast<std::size_t>(sums) * sizeof(Sum); }
    void copy(const Sum* from, index_t stride, index_t n, Sum* to, index_t to_stride)
    {
        if (n > 0)
            copy_nodes(to_, reinterpret_cast<const word*>(from), stride * words, n * words, count_,
                       reinterpret_cast<word*>(to), to_stride * words);
    }

    launcher& to_;
    const queue& in_;
    index_t m_, count_;
};

}  // namespace ddla::device_backend
