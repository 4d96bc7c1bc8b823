// The order of nested dissection: separators last.
//
//     const auto order = nested_dissection(graph).order(run);
#pragma once

#include "weighted_graph.hpp"

#include "factor/chunks.hpp"

#include <functional>

namespace ddla::factor {

/// The columns in the order of elimination (George, SIAM J. Numer. Anal. 10(2), 1973): the parts on
/// both sides of a separator, then the separator; small parts by minimum degree.  Columns with very
/// many neighbours come last.  Integers only: the same on every machine and for every number of
/// threads.
class nested_dissection {
public:
    /// Merges columns that are alike.  Cost: five passes over the entries.
    explicit nested_dissection(const adjacency& a);

    /// Of order(), in operations of about a nanosecond, by the entries of the merged graph and the
    /// halvings that they take.
    double cost() const;
    /// `beside`: work that one thread does first, while others begin to dissect; none are ordered
    /// if it returns false.
    std::vector<column_t> order(const chunk_runner& run,
                                const std::function<bool()>& beside = {}) const;

private:
    std::vector<char> is_dense_;  ///< of each column: whether it comes last
    merged_graph merged_;
};

}  // namespace ddla::factor
