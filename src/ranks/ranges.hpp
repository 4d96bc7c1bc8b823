// Which rank has which elements: contiguous ranges, in the order of ranks.
#pragma once

#include "ddla/views.hpp"

#include <vector>

namespace ddla::ranks {

/// Rank r has the elements from begin[r] to begin[r + 1] - 1.
class ranges {
public:
    ranges() : begin_{0} {}
    /// Ascending, from 0 on.
    explicit ranges(std::vector<index_t> begin) : begin_(std::move(begin)) {}

    int count() const { return static_cast<int>(begin_.size()) - 1; }
    index_t all() const { return begin_.back(); }
    index_t begin(int rank) const { return begin_[static_cast<std::size_t>(rank)]; }
    index_t end(int rank) const { return begin_[static_cast<std::size_t>(rank) + 1]; }
    index_t size(int rank) const { return end(rank) - begin(rank); }
    /// The rank that has element i of all().
    int owner(index_t i) const;
    friend bool operator==(const ranges&, const ranges&) = default;

private:
    std::vector<index_t> begin_;
};

/// About as many elements for each rank.  All boundaries but the last are multiples of `aligned`,
/// and of as high a power of 256 as leaves each rank 16 such parts: then few sums travel.
ranges even_ranges(index_t all, int ranks, index_t aligned);

/// All elements on rank 0.
ranges on_first_rank(index_t all, int ranks);

/// The ranges of the caller with each boundary moved up to a multiple of `aligned`.
ranges aligned_ranges(const ranges& asked, index_t aligned);

}  // namespace ddla::ranks
