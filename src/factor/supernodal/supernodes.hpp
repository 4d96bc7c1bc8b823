// What factors of a symmetric pattern store, by supernodes, before the first operation.
#pragma once

#include "amalgamation.hpp"
#include "factor/symmetric/symmetric_order.hpp"

namespace ddla::factor {

/// Rows begin to end of the list of supernode `from` are columns of the one that is updated.
struct supernode_update {
    column_t from;
    column_t begin, end;
};

/// L by supernodes: a dense triangle of columns each, and rows below.  Wide ones are cut into a
/// chain of panels, each a supernode of its own.
struct supernodes {
    std::vector<column_t> order;      ///< columns of the matrix in the order of elimination
    std::vector<column_t> first;      ///< the first column of each, and n
    std::vector<column_t> of_column;  ///< the supernode of a column
    /// Of the tree in which all that updates a supernode is below it, and subtrees are one after
    /// the other: the next panel, else the first panel of the columns with the first row below; -1:
    /// none.
    std::vector<column_t> parent;
    std::vector<index_t> row_begin = {0};
    std::vector<column_t> row;  ///< below each, ascending; eight more at the end, so that eight can
                                ///< be read from any place
    std::vector<index_t> update_begin;      ///< which update s: update_begin[s] … of the list
    std::vector<supernode_update> updates;  ///< from lower ones first

    index_t exact_entries = 0;    ///< of L, without stored zeros
    double exact_operations = 0;  ///< multiplications with a subtraction of L L^T, likewise
    index_t entries = 0;          ///< with stored zeros

    column_t columns() const { return first.back(); }
    column_t size() const { return static_cast<column_t>(first.size()) - 1; }
    column_t width(column_t s) const { return first[as_size(s) + 1] - first[as_size(s)]; }
    column_t below(column_t s) const
    {
        return static_cast<column_t>(row_begin[as_size(s) + 1] - row_begin[as_size(s)]);
    }
    std::int64_t bytes() const
    {
        return static_cast<std::int64_t>(
            (order.size() + first.size() + of_column.size() + parent.size() + row.size()) *
                sizeof(column_t) +
            (row_begin.size() + update_begin.size()) * sizeof(index_t) +
            updates.size() * sizeof(supernode_update));
    }
    const column_t* rows(column_t s) const { return row.data() + row_begin[as_size(s)]; }
    /// Multiplications with a subtraction for the columns of s, stored zeros included.
    double operations(column_t s) const
    {
        const double w = width(s), r = below(s);
        return w * r * (r + 1) / 2 + r * w * (w - 1) / 2 + (w - 1) * w * (w + 1) / 6;
    }
};

/// Columns of a panel at most: its updates stay in the second cache.
constexpr column_t most_panel_columns = 128;

/// Of the symmetric pattern with this graph, in this order but for renumbering that changes no
/// entry of L.  Cost: the rows of all supernodes; integers only.
supernodes supernodes_of(const adjacency& a, const std::vector<column_t>& order,
                         const relaxation& relax = {});
/// The same, where the order was counted.
supernodes supernodes_of(const adjacency& a, const elimination_counts& counts);
/// Of the pattern of a symmetric matrix; both rows of a pair are in one panel.
supernodes supernodes_of_pivots(const pattern& a, const symmetric_order& order);

}  // namespace ddla::factor
