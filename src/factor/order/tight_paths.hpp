// A maximum matching of those entries that a rule lets in: passes of depth-first searches.
//
// Pothen and Fan, "Computing the block triangular form of a sparse matrix", ACM TOMS 16(4), 1990:
// before a search goes deeper it looks ahead for a free row, in each column once.  Searches of a
// pass share no row.  Passes go through a column's entries in alternating directions (Duff, Kaya,
// Ucar, "Design, implementation, and analysis of maximum transversal algorithms", ACM TOMS 38(2),
// 2011).
#pragma once

#include "factor/columns.hpp"

namespace ddla::factor {

/// `is_tight(k, j)`: whether entry k, of column j, may be matched.  The matching is changed in
/// place.
template <class IsTight>
class tight_paths {
public:
    tight_paths(const std::vector<index_t>& begin, const std::vector<column_t>& row,
                std::vector<column_t>& row_of_column, std::vector<column_t>& column_of_row,
                const IsTight& is_tight)
        : begin_(begin), row_(row), row_of_column_(row_of_column), column_of_row_(column_of_row),
          is_tight_(is_tight), ahead_(begin.begin(), begin.end() - 1), next_(row_of_column.size()),
          seen_(column_of_row.size(), -1)
    {
    }

    /// How many columns one pass matches; 0: the matching of tight entries is as large as can be.
    /// `count(looks)` sees the entries that were looked at since the last call; false ends the
    /// pass.
    template <class Count>
    index_t pass(const Count& count)
    {
        ++pass_;
        std::copy(begin_.begin(), begin_.end() - 1, next_.begin());
        index_t found = 0;
        for (std::size_t j = 0; j < row_of_column_.size(); ++j) {
            if (row_of_column_[j] >= 0) continue;
            const column_t end = search(static_cast<column_t>(j), count);
            if (end == stopped) break;
            if (end < 0) continue;
            take_path(end);
            ++found;
        }
        return found;
    }

private:
    static constexpr column_t stopped = -2;

    /// A free row that alternating tight entries reach from column j, or -1, or `stopped`.
    template <class Count>
    column_t search(column_t j, const Count& count)
    {
        path_.assign(1, j);
        while (!path_.empty()) {
            if (!count(looks_ + 1)) return stopped;
            looks_ = 0;
            if (const column_t end = free_row_ahead(path_.back()); end >= 0) return end;
            if (const column_t deeper = next_column(path_.back()); deeper >= 0)
                path_.push_back(deeper);
            else
                path_.pop_back();
        }
        return -1;
    }

    /// Rows that are matched stay so: what was passed need not be looked at again.
    column_t free_row_ahead(column_t j)
    {
        for (index_t& k = ahead_[as_size(j)]; k < begin_[as_size(j) + 1]; ++k) {
            ++looks_;
            if (column_of_row_[as_size(row_[as_size(k)])] < 0 && is_tight_(k, j))
                return row_[as_size(k)];
        }
        return -1;
    }

    column_t next_column(column_t j)
    {
        const index_t first = begin_[as_size(j)], last = begin_[as_size(j) + 1];
        while (next_[as_size(j)] < last) {
            const index_t e = next_[as_size(j)]++, k = pass_ % 2 != 0 ? e : last - 1 - (e - first);
            const column_t i = row_[as_size(k)];
            ++looks_;
            if (seen_[as_size(i)] == pass_ || !is_tight_(k, j)) continue;
            seen_[as_size(i)] = pass_;
            return column_of_row_[as_size(i)];
        }
        return -1;
    }

    void take_path(column_t end)
    {
        for (std::size_t d = path_.size(); d-- > 0;) {
            const column_t j = path_[d], before = row_of_column_[as_size(j)];
            row_of_column_[as_size(j)] = end;
            column_of_row_[as_size(end)] = j;
            end = before;
        }
    }

    const std::vector<index_t>& begin_;
    const std::vector<column_t>& row_;
    std::vector<column_t>&row_of_column_, &column_of_row_;
    const IsTight& is_tight_;
    std::vector<index_t> ahead_, next_;  ///< of each column: where look-ahead and search go on
    std::vector<column_t> seen_;         ///< the last pass that met a row
    column_t pass_ = -1;
    std::vector<column_t> path_;  ///< columns
    std::int64_t looks_ = 0;
};

}  // namespace ddla::factor
