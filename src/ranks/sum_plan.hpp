// Which sums of tiles, and sums of these, go from each rank to all others, and how all are added.
//
// The summation rule adds in a tree: 256 tiles make a node, 256 of these the next one.  A rank adds
// the nodes that lie in its range.  At both ends of the range some children belong to a node that
// other ranks have a part of: these children travel themselves, at most 255 at a level and end.
// All the other nodes travel once they have come to the level of the plan.  Then each rank has the
// same numbers, and adds them by the same rule.
#pragma once

#include "ranges.hpp"

#include "engine/shared_sums.hpp"

#include <cstddef>
#include <vector>

namespace ddla::ranks {

/// Of sums over elements in ranges whose boundaries are multiples of 256.
class sum_plan {
public:
    /// `rank` is the one that will add.
    sum_plan(const ranges& of, int rank);

    /// The numbers that a rank sends.
    std::size_t sent_by(int rank) const { return sent_[static_cast<std::size_t>(rank)]; }
    std::size_t gathered() const { return gathered_; }

    /// Of this rank.
    const std::vector<node_level>& levels() const { return levels_; }

    /// The sum of numbers at these slots goes to the next free slot; slots from 0 to gathered() - 1
    /// are what all have sent, in the order of ranks.
    using fold = std::vector<std::size_t>;
    const std::vector<fold>& folds() const { return folds_; }
    /// Where the sum is in the end; no slot if there are no elements.
    bool is_empty() const { return gathered_ == 0; }
    std::size_t result() const { return result_; }

private:
    struct travelling;

    void add_folds(std::vector<travelling>& at_level, index_t last_level);

    std::vector<node_level> levels_;
    std::vector<std::size_t> sent_;
    std::size_t gathered_ = 0, result_ = 0;
    std::vector<fold> folds_;
};

}  // namespace ddla::ranks
