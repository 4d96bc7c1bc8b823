// The undirected graph of a square pattern.
#pragma once

#include "factor/numbers.hpp"

#include <span>

namespace ddla::factor {

/// Neighbours of each column in A + A^T, ascending, itself left out.
class adjacency {
public:
    adjacency() = default;
    /// Column j of the pattern has the rows row[begin[j]] to row[begin[j + 1]], in any order, each
    /// once.  Cost: three passes over the entries; of a symmetric pattern two.
    adjacency(const std::vector<index_t>& begin, const std::vector<column_t>& row);

    column_t size() const { return static_cast<column_t>(begin_.size() - 1); }
    index_t entries() const { return begin_.back(); }
    index_t degree(column_t j) const { return begin_[as_size(j) + 1] - begin_[as_size(j)]; }
    std::span<const column_t> of(column_t j) const
    {
        return {neighbour_.data() + begin_[as_size(j)], as_size(degree(j))};
    }

private:
    void take(const std::vector<index_t>& begin, const std::vector<column_t>& row);
    void unite(const std::vector<index_t>& begin, const std::vector<column_t>& row,
               const std::vector<index_t>& other_begin, const std::vector<column_t>& other_row);

    std::vector<index_t> begin_ = {0};
    std::vector<column_t> neighbour_;
};

}  // namespace ddla::factor
