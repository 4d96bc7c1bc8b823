// Sparse LU with threshold partial pivoting, one text for every kind of number.
//
// Left-looking: column k of the factors comes from a sparse triangular solve with the columns
// before it, whose pattern a search in the graph of L finds, so that the time is proportional to
// the arithmetic (Gilbert, Peierls, SIAM J. Sci. Stat. Comput. 9(5), 1988).  The search skips what
// symmetric pruning proves redundant (Eisenstat, Liu, SIAM J. Matrix Anal. Appl. 14(1), 1993).
// Columns of L with one pattern are kept together, a supernode, and update a column as a dense
// block (Demmel, Eisenstat, Gilbert, Li, Liu, SIAM J. Matrix Anal. Appl. 20(3), 1999).
//
// The order of updates is a rule (docs/factorisation.md): entry i of column k starts as a_ik and
// becomes entry - l_ip u_pk for each pivot p whose l_ip and u_pk are stored, in ascending order of
// p, a rounded product and a rounded difference each; then l_ik = entry / pivot.  Search, pruning
// and supernodes change which work is done together, and no bit.
#pragma once

#include "factor/block_update.hpp"
#include "factor/lu_columns.hpp"
#include "factor/order/ordering.hpp"
#include "factor/tuning.hpp"

#include "ddla/watched_scope.hpp"

#include <functional>
#include <limits>

namespace ddla::factor {

struct lu_options {
    /// A pivot is at least this part of the largest candidate of its column.
    double threshold = 0.1;
    /// … a preferred one at least this.
    double preferred_threshold = 0.01;
    /// A column whose candidates are all at most this part of its largest entry has no pivot.
    double negligible = 0;
    double most_operations = std::numeric_limits<double>::infinity();
    std::int64_t most_bytes = std::numeric_limits<std::int64_t>::max();
    /// Sees column, columns, entries and operations so far, each 16 columns; false ends it.
    /// Within columns the work is that of a watched_scope.
    std::function<bool(index_t, index_t, std::int64_t, double)> watch = {};
    /// Rows and columns that must have no pivot: known to depend on the others.
    std::vector<column_t> rows_without_pivot = {}, columns_without_pivot = {};
};

namespace detail {

template <class F>
class left_looking {
public:
    left_looking(const sparse_columns<F>& a, const elimination_order& order,
                 const lu_options& options)
        : a_(a), order_(order), options_(options), seen_(as_size(a.rows), -1),
          in_row_(as_size(a.rows), 0), row_excluded_(as_size(a.rows), 0),
          column_excluded_(as_size(a.columns), 0)
    {
        f_.n = a.columns;
        f_.pivot_of.assign(as_size(a.rows), -1);
        work_.resize(a.rows);
        for (index_t i = 0; i < a.rows; ++i) work_.set(i, F(0));
        for (const column_t i : a.row) ++in_row_[as_size(i)];
        for (const column_t i : options.rows_without_pivot) row_excluded_[as_size(i)] = 1;
        for (const column_t j : options.columns_without_pivot) column_excluded_[as_size(j)] = 1;
        for (index_t k = 0; k < a.entries(); ++k)
            largest_entry_ = std::max(largest_entry_, magnitude(a.value.get(k)));
    }
    lu_columns<F> run();

private:
    factor_end add_column(column_t step);
    void find_pattern(column_t step);
    void reach(column_t pivot, column_t step);
    void look_at(column_t row, column_t step);
    void update();
    factor_end look_at_candidates(column_t step);
    column_t choose_pivot(column_t step) const;
    void store(column_t pivot_row);
    void skip(column_t step);
    void clear_work();
    void prune(column_t pivot_row);

    const sparse_columns<F>& a_;
    const elimination_order& order_;
    const lu_options& options_;
    lu_columns<F> f_;
    number_list<F> work_;           ///< the new column by rows of A; zeros between columns
    std::vector<column_t> seen_;    ///< the last step whose column has the row, below the pivots
    std::vector<column_t> in_row_;  ///< entries of each row of A
    std::vector<char> row_excluded_, column_excluded_;
    std::vector<column_t> below_;       ///< rows of the new column that are no pivots yet
    std::vector<column_t> supernodes_;  ///< those that update the new column
    // Of each supernode:
    std::vector<column_t> reached_;                   ///< the last step that it updated
    std::vector<column_t> from_;                      ///< … from this column on
    std::vector<index_t> pruned_begin_, pruned_end_;  ///< what of L's graph is left, or -1
    std::vector<column_t> pruned_;
    bool is_finite_ = true;
    double largest_entry_ = 0, largest_in_column_ = 0, largest_candidate_ = 0;
    block_update<F> block_;
};

template <class F>
lu_columns<F> left_looking<F>::run()
{
    constexpr column_t columns_between_looks = 16;
    for (column_t step = 0; step < f_.n; ++step) {
        if (options_.watch && step % columns_between_looks == 0 &&
            !options_.watch(step, f_.n, f_.entries(), f_.operations))
            f_.end = factor_end::stopped;
        else
            f_.end = add_column(step);
        if (f_.end != factor_end::complete) return std::move(f_);
    }
    f_.growth = largest_entry_ > 0 ? f_.growth / largest_entry_ : 0;
    f_.number_the_rest();
    return std::move(f_);
}

template <class F>
factor_end left_looking<F>::add_column(column_t step)
{
    find_pattern(step);
    update();
    const factor_end end = look_at_candidates(step);
    if (end != factor_end::complete) return end;
    if (largest_candidate_ > options_.negligible * largest_in_column_)
        store(choose_pivot(step));
    else
        skip(step);
    if (f_.operations > options_.most_operations) return factor_end::over_work;
    if (f_.bytes() > options_.most_bytes) return factor_end::over_memory;
    return factor_end::complete;
}

/// The column of A, and what its rows reach in the graph of L.
template <class F>
void left_looking<F>::find_pattern(column_t step)
{
    below_.clear();
    supernodes_.clear();
    const column_t j = order_.column[as_size(step)];
    for (index_t k = a_.begin[as_size(j)]; k < a_.begin[as_size(j) + 1]; ++k) {
        look_at(a_.row[as_size(k)], step);
        work_.set(a_.row[as_size(k)], a_.value.get(k));
    }
    for (std::size_t next = 0; next < supernodes_.size(); ++next) {
        const std::size_t s = as_size(supernodes_[next]);
        const bool pruned = pruned_begin_[s] >= 0;
        const column_t last = f_.last_column(s);
        const std::vector<column_t>& rows = pruned ? pruned_ : f_.l_row;
        const index_t begin = pruned ? pruned_begin_[s] : f_.row_begin[as_size(last)];
        const index_t end = pruned ? pruned_end_[s] : begin + f_.length(last);
        for (index_t k = begin; k < end; ++k) look_at(rows[as_size(k)], step);
    }
    std::sort(supernodes_.begin(), supernodes_.end());
}

template <class F>
void left_looking<F>::look_at(column_t row, column_t step)
{
    const column_t pivot = f_.pivot_of[as_size(row)];
    if (pivot >= 0) {
        reach(pivot, step);
    } else if (seen_[as_size(row)] != step) {
        seen_[as_size(row)] = step;
        below_.push_back(row);
    }
}

/// A column of a supernode reaches the later ones of it.
template <class F>
void left_looking<F>::reach(column_t pivot, column_t step)
{
    const column_t s = f_.supernode_of[as_size(pivot)];
    if (reached_[as_size(s)] == step) {
        from_[as_size(s)] = std::min(from_[as_size(s)], pivot);
        return;
    }
    reached_[as_size(s)] = step;
    from_[as_size(s)] = pivot;
    supernodes_.push_back(s);
}

template <class F>
void left_looking<F>::update()
{
    largest_in_column_ = 0;
    for (const column_t s : supernodes_) {
        const column_t from = from_[as_size(s)], last = f_.last_column(as_size(s));
        const double before = f_.operations;
        block_.run(f_, from, last, work_);
        count_work(tuning::nanoseconds_of_lu<F> *
                   static_cast<std::int64_t>(f_.operations - before));
        make_room(f_.u_row, f_.u_row.size() + as_size(last + 1 - from));
        f_.u_value.make_room(f_.u_value.size() + last + 1 - from);
        for (column_t c = from; c <= last; ++c) {
            const F u = work_.get(f_.row_of[as_size(c)]);
            f_.u_row.push_back(c);
            f_.u_value.push_back(u);
            const double m = magnitude(u);
            is_finite_ = is_finite_ && m <= std::numeric_limits<double>::max();
            largest_in_column_ = std::max(largest_in_column_, m);
        }
    }
}

template <class F>
factor_end left_looking<F>::look_at_candidates(column_t step)
{
    largest_candidate_ = 0;
    const column_t j = order_.column[as_size(step)];
    for (const column_t i : below_) {
        const double m = magnitude(work_.get(i));
        is_finite_ = is_finite_ && m <= std::numeric_limits<double>::max();
        f_.growth = std::max(f_.growth, m);
        if (row_excluded_[as_size(i)] == 0) largest_candidate_ = std::max(largest_candidate_, m);
    }
    if (!is_finite_) return factor_end::not_finite;
    f_.growth = std::max(f_.growth, largest_in_column_);
    if (column_excluded_[as_size(j)] != 0) largest_candidate_ = 0;
    for (index_t k = a_.begin[as_size(j)]; k < a_.begin[as_size(j) + 1]; ++k)
        largest_in_column_ = std::max(largest_in_column_, magnitude(a_.value.get(k)));
    return factor_end::complete;
}

/// The preferred row if it is large enough; else, of those that are, the one with the fewest
/// entries in A; of these, the first.
template <class F>
column_t left_looking<F>::choose_pivot(column_t step) const
{
    if (!order_.preferred.empty()) {
        const column_t i = order_.preferred[as_size(order_.column[as_size(step)])];
        if (seen_[as_size(i)] == step && f_.pivot_of[as_size(i)] < 0 &&
            row_excluded_[as_size(i)] == 0 &&
            magnitude(work_.get(i)) >= options_.preferred_threshold * largest_candidate_)
            return i;
    }
    const double least = options_.threshold * largest_candidate_;
    column_t best = -1;
    for (const column_t i : below_) {
        const double m = magnitude(work_.get(i));
        if (m < least || m == 0 || row_excluded_[as_size(i)] != 0) continue;
        if (best < 0 || in_row_[as_size(i)] < in_row_[as_size(best)] ||
            (in_row_[as_size(i)] == in_row_[as_size(best)] && i < best))
            best = i;
    }
    return best;
}

/// The new column as column k of L and U; one more column of the last supernode, if it has the
/// pattern for that.
template <class F>
void left_looking<F>::store(column_t pivot_row)
{
    const auto k = static_cast<column_t>(f_.rank());
    const bool joins =
        k > 0 && reached_[as_size(f_.supernode_of[as_size(k) - 1])] == seen_[as_size(pivot_row)] &&
        static_cast<index_t>(below_.size()) == f_.length(k - 1);
    const F pivot = work_.get(pivot_row);
    if (joins) {
        f_.bring_to_front(k - 1, pivot_row);
        f_.append_to_supernode(pivot_row);
    } else {
        std::erase(below_, pivot_row);
        f_.open_supernode(pivot_row, below_);
        reached_.push_back(-1);
        from_.push_back(-1);
        pruned_begin_.push_back(-1);
        pruned_end_.push_back(-1);
    }
    const index_t begin = f_.row_begin[as_size(k)];
    const divisor<F> divide(pivot);
    const index_t first = f_.value_begin[as_size(k)];
    f_.l_value.make_room(first + f_.length(k));
    f_.l_value.resize(first + f_.length(k));
    for (index_t e = 0; e < f_.length(k); ++e)
        f_.l_value.set(first + e, divide(work_.get(f_.l_row[as_size(begin + e)])));
    f_.finish_column(pivot, order_.column[as_size(seen_[as_size(pivot_row)])]);
    clear_work();
    work_.set(pivot_row, F(0));
    prune(pivot_row);
}

template <class F>
void left_looking<F>::skip(column_t step)
{
    f_.skip_column(order_.column[as_size(step)]);
    clear_work();
}

template <class F>
void left_looking<F>::clear_work()
{
    for (const column_t i : below_) work_.set(i, F(0));
    for (const column_t s : supernodes_)
        for (column_t c = from_[as_size(s)]; c <= f_.last_column(as_size(s)); ++c)
            work_.set(f_.row_of[as_size(c)], F(0));
}

/// Where L's column of a supernode has the new pivot's row, all rows that are no pivots yet are
/// reached through the new column from now on.
template <class F>
void left_looking<F>::prune(column_t pivot_row)
{
    const column_t newest = f_.supernode_of.back();
    for (const column_t supernode : supernodes_) {
        const std::size_t s = as_size(supernode);
        if (supernode == newest || pruned_begin_[s] >= 0) continue;
        const column_t last = f_.last_column(s);
        const auto begin = f_.l_row.begin() + f_.row_begin[as_size(last)];
        const auto end = begin + f_.length(last);
        if (std::find(begin, end, pivot_row) == end) continue;
        pruned_begin_[s] = static_cast<index_t>(pruned_.size());
        std::copy_if(begin, end, std::back_inserter(pruned_),
                     [&](column_t i) { return f_.pivot_of[as_size(i)] >= 0; });
        pruned_end_[s] = static_cast<index_t>(pruned_.size());
    }
}

}  // namespace detail

/// P A Q = L U of A with its columns in this order.  Cost: the operations, and memory for the
/// entries.
template <class F>
lu_columns<F> factorise(const sparse_columns<F>& a, const elimination_order& order,
                        const lu_options& options = {})
{
    return detail::left_looking<F>(a, order, options).run();
}

}  // namespace ddla::factor
