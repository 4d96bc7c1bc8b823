// Which sums of tiles, and sums of these, go from each rank to all others, and how all are added.
//
// The summation rule adds in a tree: 256 tiles make a node, 256 of these the next one.  A rank adds
// the nodes that lie in its range.  At both ends of the range some children belong to a node that
// other ranks have a part of: these children travel themselves, at most 255 at a level and end.
// All the other nodes travel once they have come to the level of the plan.  Then each rank has the
// same numbers, and adds them by the same rule.
//
// With many ranks or elements that would be many numbers for each of them.  Then children go to the
// owner of their node first, the rank that has its first child, which adds them: level after level,
// until few enough nodes are left to go to all.
#pragma once

#include "ranges.hpp"

#include "engine/shared_sums.hpp"

#include <cstddef>
#include <map>
#include <vector>

namespace ddla::ranks {

/// Of sums over elements in ranges whose boundaries are multiples of 256.
class sum_plan {
public:
    /// More numbers than that go to owners first: a host adds them in some ten microseconds.
    static constexpr std::size_t usual_most = 2000;

    /// `rank` is the one that will add.  Cost: all nodes that travel, of all ranks, twice.
    sum_plan(const ranges& of, int rank, std::size_t most = usual_most);

    /// The numbers that a rank sends to all.
    std::size_t sent_by(int rank) const { return sent_[static_cast<std::size_t>(rank)]; }
    std::size_t gathered() const { return gathered_; }

    /// Of this rank.
    const std::vector<node_level>& levels() const { return levels_; }

    /// The sum of numbers at these slots goes to the next free slot.
    using fold = std::vector<std::size_t>;

    /// What this rank does with owners, before numbers go to all.  Its slots begin with the nodes
    /// that travel, level after level; then come those that it receives and adds, stage by stage.
    struct stage {
        struct part {
            int rank;
            std::vector<std::size_t> slots;  ///< to an owner; or, received, where it comes to
        };
        std::vector<part> sends, receives;
        std::vector<fold> folds;
    };
    const std::vector<stage>& stages() const { return stages_; }
    /// Where the numbers are that go to all, and how many slots there are; without stages, all that
    /// travel.
    const std::vector<std::size_t>& leaving() const { return leaving_; }
    std::size_t slots_of_stages() const { return slots_of_stages_; }

    /// Of what all have sent: slots from 0 to gathered() - 1 are that, in the order of ranks.
    const std::vector<fold>& folds() const { return folds_; }
    /// Where the sum is in the end; no slot if there are no elements.
    bool is_empty() const { return gathered_ == 0; }
    std::size_t result() const { return result_; }

private:
    struct travelling;
    struct owned_nodes;

    void gather_all(const ranges& of, int rank, index_t top);
    void add_stages(const ranges& of, int rank, index_t top);
    /// Slots by the numbers of nodes.
    using nodes_of_rank = std::map<index_t, std::size_t>;
    stage stage_of(const owned_nodes& now, int rank, nodes_of_rank& at);
    void add_folds(std::vector<travelling>& at_level, index_t last_level);

    std::vector<node_level> levels_;
    std::vector<stage> stages_;
    std::vector<std::size_t> leaving_;
    std::size_t slots_of_stages_ = 0;
    std::vector<std::size_t> sent_;
    std::size_t gathered_ = 0, result_ = 0;
    std::vector<fold> folds_;
};

}  // namespace ddla::ranks
