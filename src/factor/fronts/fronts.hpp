// Supernodes as a device takes them: in fronts, and fronts level by level.
#pragma once

#include "factor/supernodal/supernodes.hpp"

namespace ddla::factor {

/// A front is a chain of supernodes, each of which has the columns of the next, and what that has
/// below, as its rows below: the panels of a wide supernode, and more where the tree is a path.
/// Fronts of one level do not need each other, only lower levels.
struct fronts {
    std::vector<column_t> first;        ///< the first supernode of each, and s.size()
    std::vector<column_t> by_level;     ///< all fronts, ascending within a level
    std::vector<column_t> level_begin;  ///< of each level in by_level, and the end

    column_t levels() const { return static_cast<column_t>(level_begin.size()) - 1; }
    /// f(first supernode, end) of each front of a level.
    template <class Do>
    void each(column_t level, const Do& f) const
    {
        for (column_t k = level_begin[as_size(level)]; k < level_begin[as_size(level) + 1]; ++k) {
            const std::size_t front = as_size(by_level[as_size(k)]);
            f(first[front], first[front + 1]);
        }
    }
};

/// Cost: a few operations a supernode.
fronts fronts_of(const supernodes& s);

}  // namespace ddla::factor
