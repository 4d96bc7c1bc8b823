// Sums of tiles on the host, for the other ranks.
#pragma once

#include "engine/shared_sums.hpp"

#include "ddla/summation.hpp"

#include <algorithm>
#include <cstring>

namespace ddla::host_backend {

/// Each in memory of its own; sums over all ranks go to the beginning.
class rank_tiles_on_host final : public rank_tiles {
public:
    rank_tiles_on_host(std::span<std::byte* const> each, const summand& of) : each_(each), of_(of)
    {
    }

    std::size_t count() const override { return each_.size(); }
    /// Folds what stays, in place.
    void pack(std::span<const node_level> levels, std::byte* to) override
    {
        for (std::byte* part : each_)
            for (const node_level& one : levels) {
                to = copy(to, part, one.kept_first - one.first);
                to = copy(to, at(part, one.kept_end - one.first), one.end - one.kept_end);
                part = at(part, one.kept_first - one.first);
                fold(part, one.kept_end - one.kept_first);
            }
    }
    void set(std::size_t j, const std::byte* sum) override { copy(each_[j], sum, 1); }

private:
    std::byte* at(std::byte* first, index_t i) const
    {
        return first + static_cast<std::size_t>(i) * of_.bytes;
    }
    std::byte* copy(std::byte* to, const std::byte* from, index_t count) const
    {
        if (count > 0) std::memcpy(to, from, static_cast<std::size_t>(count) * of_.bytes);
        return at(to, count);
    }
    /// Sums of 256 neighbours each, to the beginning.
    void fold(std::byte* first, index_t count) const
    {
        for (index_t i = 0, to = 0; i < count; i += tile_size, ++to)
            of_.fold(at(first, i), static_cast<int>(std::min<index_t>(tile_size, count - i)),
                     at(first, to));
    }

    std::span<std::byte* const> each_;
    const summand& of_;
};

}  // namespace ddla::host_backend
