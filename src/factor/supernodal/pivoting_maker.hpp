// What factorisations by supernodes have in common whose pivots are exchanged within diagonal
// blocks.
#pragma once

#include "supernode_maker.hpp"

namespace ddla::factor {

/// Which pivots blocks have taken.
struct exchanged_pivots {
    /// The row, by its place in the order of elimination, that became each pivot.
    std::vector<column_t> row;
    column_t replaced = 0;  ///< pivots
    bool moved = false;     ///< a row became another pivot than its own

    /// Of rows that are numbered within their blocks.
    void take_pivots(const supernodes& s, column_t replaced_pivots)
    {
        replaced = replaced_pivots;
        moved = false;
        for (column_t k = 0; k < s.columns(); ++k) {
            row[as_size(k)] += s.first[as_size(s.of_column[as_size(k)])];
            moved = moved || row[as_size(k)] != k;
        }
    }
};

/// The rows of L below supernodes, by pivots.
inline std::vector<column_t> rows_by_pivots(const supernodes& s, const exchanged_pivots& pivots)
{
    std::vector<column_t> pivot(pivots.row.size()), rows = s.row;
    for (std::size_t k = 0; k < pivot.size(); ++k)
        pivot[as_size(pivots.row[k])] = static_cast<column_t>(k);
    for (std::size_t e = 0; e < as_size(s.row_begin.back()); ++e) rows[e] = pivot[as_size(rows[e])];
    return rows;
}

template <scalar F>
class pivoting_maker : public supernode_maker<F> {
    using base = supernode_maker<F>;

public:
    pivoting_maker(const supernodes& s, std::vector<supernode_side<F>> sides,
                   exchanged_pivots& pivots, const chunk_runner& run, std::atomic<double>& done)
        : base(s, std::move(sides), run, done), pivots_(pivots), moved_(as_size(s.size()), 0)
    {
        pivots.row.resize(as_size(s.columns()));
    }

    /// The first column of the supernode in which a pivot was not finite, or -1.
    column_t run()
    {
        const column_t failed = base::run();
        pivots_.take_pivots(s_, replaced_);
        return failed;
    }

protected:
    using base::s_;

    /// Of supernode q, whose row j becomes pivot j unless it says another; returns how many pivots
    /// were replaced, or -1 where one is not finite.
    virtual column_t factor_block(column_t q, column_t* row) = 0;
    /// The row of the block that became each pivot of it; null: its own.
    const column_t* exchanged(column_t q) const
    {
        return moved_[as_size(q)] != 0 ? &pivots_.row[as_size(s_.first[as_size(q)])] : nullptr;
    }

private:
    column_t factor_diagonal(column_t q) final
    {
        const column_t first = s_.first[as_size(q)], w = s_.width(q);
        column_t* const row = &pivots_.row[as_size(first)];
        for (column_t j = 0; j < w; ++j) row[j] = j;
        const column_t replaced = factor_block(q, row);
        if (replaced < 0) return first;
        replaced_ += replaced;
        for (column_t j = 0; j < w; ++j)
            if (row[j] != j) moved_[as_size(q)] = 1;
        return -1;
    }

    exchanged_pivots& pivots_;
    std::vector<char> moved_;  ///< of each supernode
    std::atomic<column_t> replaced_{0};
};

}  // namespace ddla::factor
