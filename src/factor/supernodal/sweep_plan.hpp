// What threads share of a solve with L and L^T.
//
// Forwards, subtrees of the elimination tree do not need each other but for rows above them, which
// they all update, in ascending order of pivots.  So each subtree first does its own rows.  Then
// steps follow, in ascending order: the rows above some subtrees are shared out, and each takes the
// updates of all these subtrees in their order; then come the supernodes above that follow next.
// Backwards, all that is above comes first, then subtrees, which only read it.  Of wide supernodes
// above, threads share the rows below: forwards by rows, backwards by columns.  No sum is split:
// the bits are those of one thread.
#pragma once

#include "supernodes.hpp"

#include "factor/chunks.hpp"

#include <vector>

namespace ddla::factor {

/// Supernodes begin, …, end - 1.
struct supernode_range {
    column_t begin, end;
};

struct sweep_step {
    std::vector<supernode_range> outside = {};  ///< of subtrees, those with rows above, ascending
    /// Rows above in parts of about equal work: part k begins at rows[k].
    std::vector<column_t> rows = {};
    supernode_range top;

    std::size_t parts() const { return rows.empty() ? 0 : rows.size() - 1; }
};

struct sweep_plan {
    std::vector<supernode_range> subtrees;  ///< ascending
    std::vector<sweep_step> steps;          ///< ascending

    /// Whether there is anything to share.
    bool is_parallel() const { return subtrees.size() > 1; }
};

/// For so many threads; empty for one, and for little work.  Cost: the rows of all supernodes.
sweep_plan plan_of_sweeps(const supernodes& s, const chunk_runner& run);

}  // namespace ddla::factor
