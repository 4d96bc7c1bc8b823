// The pattern of ILU(k): entries of a level of fill up to k.
//
// Entries of A have level 0; row k makes of entries (i, k) and (k, j) one at (i, j) of level
// level(i, k) + level(k, j) + 1, or lowers its level to that (Saad, Iterative Methods for Sparse
// Linear Systems, 10.3.3).
#pragma once

#include "row_factors.hpp"
#include "scaled_rows.hpp"

#include <queue>

namespace ddla::factor::detail {

/// Rows of columns, ascending; the diagonal always among them.
struct fill_pattern {
    std::vector<index_t> begin = {0};
    std::vector<column_t> column;
    std::vector<index_t> diagonal;  ///< its place, by row
    factor_end end = factor_end::complete;
};

class fill_levels {
public:
    fill_levels(index_t n, const incomplete_options& o)
        : o_(o), most_(o.fill), level_(as_size(n), 0), row_(as_size(n), -1), n_(n)
    {
    }

    fill_pattern run(const pattern_rows& a, std::int64_t most_entries)
    {
        reserve(std::min<std::int64_t>(a.begin[n_] + n_, most_entries));
        for (column_t i = 0; i < n_; ++i) {
            if (most_ == 0) {
                copy_row(a, i);
            } else {
                take_row(a, i);
                eliminate(i);
                store(i);
            }
            // The numbers take as many rows again.
            if (looked_at_ > looks_an_operation * o_.most_operations)
                p_.end = factor_end::over_work;
            else if (static_cast<std::int64_t>(p_.column.size()) > most_entries)
                p_.end = factor_end::over_memory;
            else if (!goes_on(o_, i + 1, 2 * n_))
                p_.end = factor_end::stopped;
            else
                continue;
            break;
        }
        return std::move(p_);
    }

private:
    /// Levels are whole numbers: so many are looked at while their numbers would take one of
    /// most_operations.
    static constexpr double looks_an_operation = 4;
    using queue = std::priority_queue<column_t, std::vector<column_t>, std::greater<>>;

    void reserve(std::int64_t entries)
    {
        p_.begin.reserve(as_size(n_) + 1);
        p_.diagonal.reserve(as_size(n_));
        p_.column.reserve(as_size(entries));
        if (most_ > 0) stored_level_.reserve(as_size(entries));
    }
    /// Without fill: the row of A and its diagonal.
    void copy_row(const pattern_rows& a, column_t i)
    {
        const column_t *const begin = a.column + a.begin[i], *const end = a.column + a.begin[i + 1];
        const column_t* const middle = std::find_if(begin, end, [i](column_t j) { return j >= i; });
        p_.column.insert(p_.column.end(), begin, middle);
        p_.diagonal.push_back(static_cast<index_t>(p_.column.size()));
        if (middle == end || *middle != i) p_.column.push_back(i);
        p_.column.insert(p_.column.end(), middle, end);
        p_.begin.push_back(static_cast<index_t>(p_.column.size()));
    }
    void take_row(const pattern_rows& a, column_t i)
    {
        columns_.clear();
        for (index_t k = a.begin[i]; k < a.begin[i + 1]; ++k) meet(a.column[k], i, 0);
        if (row_[as_size(i)] != i) meet(i, i, 0);
    }
    void meet(column_t j, column_t i, int level)
    {
        row_[as_size(j)] = i;
        level_[as_size(j)] = level;
        columns_.push_back(j);
        if (j < i && level < most_) waiting_.push(j);
    }
    /// Row j updates row i from a level below the highest on; its turn is still to come.
    void lower(column_t j, column_t i, int level)
    {
        if (j < i && level < most_ && level_[as_size(j)] >= most_) waiting_.push(j);
        level_[as_size(j)] = std::min(level_[as_size(j)], level);
    }
    /// Rows before i, ascending: the level of a column is final when it is its turn.
    void eliminate(column_t i)
    {
        while (!waiting_.empty()) {
            const column_t k = waiting_.top();
            waiting_.pop();
            const index_t looks = p_.begin[as_size(k) + 1] - p_.diagonal[as_size(k)] - 1;
            looked_at_ += static_cast<double>(looks);
            count_work(5 * (looks + 1));
            for (index_t s = p_.diagonal[as_size(k)] + 1; s < p_.begin[as_size(k) + 1]; ++s) {
                const int level = level_[as_size(k)] + stored_level_[as_size(s)] + 1;
                const column_t j = p_.column[as_size(s)];
                if (level > most_) continue;
                if (row_[as_size(j)] != i)
                    meet(j, i, level);
                else
                    lower(j, i, level);
            }
        }
    }
    void store(column_t i)
    {
        std::sort(columns_.begin(), columns_.end());
        for (const column_t j : columns_) {
            if (j == i) p_.diagonal.push_back(static_cast<index_t>(p_.column.size()));
            p_.column.push_back(j);
            stored_level_.push_back(level_[as_size(j)]);
        }
        p_.begin.push_back(static_cast<index_t>(p_.column.size()));
    }

    const incomplete_options& o_;
    int most_;
    std::vector<int> level_, stored_level_;
    std::vector<column_t> row_, columns_;
    index_t n_;
    queue waiting_;
    double looked_at_ = 0;  ///< entries of rows that update others
    fill_pattern p_;
};

}  // namespace ddla::factor::detail
