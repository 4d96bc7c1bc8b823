// Sums over elements that several ranks share.
#pragma once

#include "ddla/summation.hpp"

#include <cstddef>
#include <cstring>
#include <span>

namespace ddla {

/// Nodes of one level of the tree of the summation rule that a rank has, by their numbers.  Those
/// outside of `kept` travel; those inside are added up, 256 to a node of the next level.
struct node_level {
    index_t first, end;
    index_t kept_first, kept_end;  ///< a part of them; empty in the last level

    index_t travelling() const { return end - first - (kept_end - kept_first); }
};

/// Sums of the tiles of a rank, of several vectors or terms, wherever they are.
class rank_tiles {
public:
    virtual ~rank_tiles() = default;
    virtual std::size_t count() const = 0;
    /// Writes the nodes that travel to memory of the host: level after level of the first sum, then
    /// of the next one.
    virtual void pack(std::span<const node_level> levels, std::byte* to) = 0;
    /// Sum j over the elements of all ranks.
    virtual void set(std::size_t j, const std::byte* sum) = 0;
};

/// A sum as bytes, and how terms of it are folded: in place of a template of each kind of sum.
struct summand {
    std::size_t bytes;
    /// *sum = the sum of `count` terms, at most 256, by the summation rule.
    void (*fold)(const std::byte* term, int count, std::byte* sum);
};
template <class Sum>
summand summand_of()
{
    return {sizeof(Sum), [](const std::byte* term, int count, std::byte* sum) {
                Sum all[tile_size];
                std::memcpy(all, term, static_cast<std::size_t>(count) * sizeof(Sum));
                fold_in_half(all, count);
                std::memcpy(sum, all, sizeof(Sum));
            }};
}

/// Completes sums of which this rank has the elements of its range alone.  Sums of one rank move to
/// the others, and each rank adds the same numbers in the order of the summation rule: all get the
/// same bits, those of one rank with all elements.
class shared_sums {
public:
    virtual ~shared_sums() = default;
    /// The number of the first element of this rank, of a vector of which it has n; how many there
    /// are on all ranks, of vectors like b.  Every rank calls it.
    virtual index_t first_element(index_t n) = 0;
    virtual index_t all_elements() const = 0;
    /// Whether it is so on any rank; the largest number of all.  Every rank calls them.
    virtual bool anywhere(bool here) = 0;
    virtual index_t largest(index_t here) = 0;
    /// `mine`: of the `n` elements of this rank.  Every rank calls it, for as many sums.
    virtual void complete(rank_tiles& mine, index_t n, const summand& of) = 0;
};

}  // namespace ddla
