// Sparse LU with partial pivoting, one text for every kind of number.
//
// Left-looking: column k of the factors comes from a sparse triangular solve with the columns
// before it, whose pattern a depth-first search finds, so that the time is proportional to the
// arithmetic (Gilbert, Peierls, SIAM J. Sci. Stat. Comput. 9(5), 1988).
//
// A number T has =(double), -= and /=, and the functions sign_of, is_finite, smaller and
// subtract_product (double_number.hpp, mp_number.hpp).  New numbers are copies of a zero that the
// caller gives: it has their precision.
#pragma once

#include "double_number.hpp"
#include "sparse_columns.hpp"

#include <cstdint>
#include <functional>
#include <utility>

namespace ddla::validate {

struct lu_options {
    /// The diagonal becomes the pivot if its magnitude is at least this part of the largest one;
    /// 1: always the largest one.
    double threshold = 1;
    /// Go on with 1 where no pivot is usable: the factors are wrong, their counts are not.
    bool count_only = false;
    /// Sees column, entries and operations so far, before each column and within those that take
    /// many; false ends the factorisation.
    std::function<bool(index_t, std::int64_t, std::int64_t)> watch = {};
};

enum class lu_end {
    complete,
    structurally_singular,  ///< proved: no value at these places makes the matrix regular
    zero_pivot,             ///< all candidates are zero in these numbers
    not_finite,             ///< all candidates are, or one is not finite
    stopped,                ///< by `watch`
};

/// Is called at least once in so many operations of a triangular solve; may throw to end it.
using solve_look = std::function<void()>;
constexpr index_t operations_between_looks = 1 << 14;

/// P A Q = L U: rows row_of, columns column_of in the order of pivots; L has ones on its diagonal.
template <class T>
struct lu_factors {
    lu_end end = lu_end::complete;
    index_t n = 0;
    index_t at = 0;  ///< the column of A where the factorisation ended, if it is not complete
    std::vector<column_t> row_of, column_of;
    std::vector<index_t> l_begin, u_begin;
    std::vector<column_t> l_row, u_row;  ///< numbers of pivots
    std::vector<T> l_value, u_value, pivot;
    std::int64_t operations = 0;  ///< a multiplication with a subtraction, or a division

    std::int64_t entries() const
    {
        return static_cast<std::int64_t>(l_row.size() + u_row.size() + pivot.size());
    }
    /// x of A x = b.  Cost: one operation an entry.
    std::vector<T> solve(const std::vector<T>& b, const solve_look& look = {}) const;
    /// x of A^T x = b.
    std::vector<T> solve_transposed(const std::vector<T>& b, const solve_look& look = {}) const;
};

/// The factors of A with its columns in this order.  Cost: the operations, and memory for the
/// entries of the factors.
template <class T>
lu_factors<T> factorise(const sparse_columns& a, const std::vector<column_t>& order, const T& zero,
                        const lu_options& options = {});

namespace detail {

template <class I>
std::size_t at(I i)
{
    return static_cast<std::size_t>(i);
}

/// Counts the operations of a solve, and looks where enough have been done.
class solve_counter {
public:
    explicit solve_counter(const solve_look& look) : look_(look) {}
    void add(index_t operations)
    {
        if ((since_ += operations) < operations_between_looks) return;
        since_ = 0;
        if (look_) look_();
    }

private:
    const solve_look& look_;
    index_t since_ = operations_between_looks;  // the first look is before the work
};

/// The columns of L so far, rows by their numbers in A, and which rows a new column has.
template <class T>
class lu_columns {
public:
    lu_columns(const sparse_columns& a, const std::vector<column_t>& order, const T& zero)
        : a_(a), zero_(zero), work_(at(a.n), zero), seen_(at(a.n), -1), pivot_of_(at(a.n), -1)
    {
        f_.n = a.n;
        f_.column_of = order;
        f_.l_begin = f_.u_begin = {0};
    }
    lu_factors<T> run(const lu_options& options);

private:
    lu_end add_column(index_t k, const lu_options& options);
    void find_rows(index_t k);
    void search(column_t row, index_t k);
    bool eliminate(index_t k, const lu_options& options);
    column_t choose_pivot(index_t k, const lu_options& options) const;
    lu_end usable(column_t row) const;
    void store(column_t pivot_row);
    void number_by_pivots();

    const sparse_columns& a_;
    const T zero_;
    lu_factors<T> f_;
    std::vector<T> work_;            ///< the new column, by rows of A
    std::vector<index_t> seen_;      ///< the last column whose search met the row
    std::vector<index_t> pivot_of_;  ///< the pivot that a row of A has become, or -1
    std::vector<column_t> rows_;     ///< of the new column, each before those that it updates
    std::vector<std::pair<column_t, index_t>> stack_;
};

template <class T>
lu_factors<T> lu_columns<T>::run(const lu_options& options)
{
    for (index_t k = 0; k < f_.n; ++k) {
        if (options.watch && !options.watch(k, f_.entries(), f_.operations))
            f_.end = lu_end::stopped;
        else
            f_.end = add_column(k, options);
        if (f_.end == lu_end::complete) continue;
        f_.at = f_.column_of[at(k)];
        return std::move(f_);
    }
    number_by_pivots();
    return std::move(f_);
}

template <class T>
lu_end lu_columns<T>::add_column(index_t k, const lu_options& options)
{
    find_rows(k);
    if (!eliminate(k, options)) return lu_end::stopped;
    column_t row = choose_pivot(k, options);
    if (row < 0 && !options.count_only) return lu_end::structurally_singular;
    for (column_t i = 0; row < 0; ++i)  // only the counts matter: any row that is left
        if (pivot_of_[at(i)] < 0) {
            row = i;
            rows_.push_back(i);
            work_[at(i)] = 0.0;
        }
    const lu_end end = usable(row);
    if (end != lu_end::complete) {
        if (!options.count_only) return end;
        work_[at(row)] = 1.0;
    }
    store(row);
    return lu_end::complete;
}

/// Depth first, from the rows of the column in A along the columns of L, without recursion.
template <class T>
void lu_columns<T>::find_rows(index_t k)
{
    rows_.clear();
    const index_t j = f_.column_of[at(k)];
    for (index_t e = a_.begin[at(j)]; e < a_.begin[at(j) + 1]; ++e)
        if (seen_[at(a_.row[at(e)])] != k) search(a_.row[at(e)], k);
    std::reverse(rows_.begin(), rows_.end());
    for (const column_t i : rows_) work_[at(i)] = 0.0;
    for (index_t e = a_.begin[at(j)]; e < a_.begin[at(j) + 1]; ++e)
        work_[at(a_.row[at(e)])] = a_.value[at(e)];
}

template <class T>
void lu_columns<T>::search(column_t row, index_t k)
{
    const auto first = [&](column_t i) {
        const index_t pivot = pivot_of_[at(i)];
        return pivot < 0 ? index_t{0} : f_.l_begin[at(pivot)];
    };
    seen_[at(row)] = k;
    stack_.push_back({row, first(row)});
    while (!stack_.empty()) {
        const auto [i, from] = stack_.back();
        const index_t pivot = pivot_of_[at(i)];
        const index_t end = pivot < 0 ? 0 : f_.l_begin[at(pivot) + 1];
        index_t e = from;
        while (e < end && seen_[at(f_.l_row[at(e)])] == k) ++e;
        if (e < end) {
            const column_t next = f_.l_row[at(e)];
            stack_.back().second = e + 1;
            seen_[at(next)] = k;
            stack_.push_back({next, first(next)});
        } else {
            rows_.push_back(i);
            stack_.pop_back();
        }
    }
}

/// False where the watch ends it: one column can take minutes.
template <class T>
bool lu_columns<T>::eliminate(index_t k, const lu_options& options)
{
    std::int64_t next_look = f_.operations + operations_between_looks;
    for (const column_t i : rows_) {
        const index_t pivot = pivot_of_[at(i)];
        if (pivot < 0 || sign_of(work_[at(i)]) == 0) continue;
        const index_t begin = f_.l_begin[at(pivot)], end = f_.l_begin[at(pivot) + 1];
        for (index_t e = begin; e < end; ++e)
            subtract_product(work_[at(f_.l_row[at(e)])], f_.l_value[at(e)], work_[at(i)]);
        f_.operations += end - begin;
        if (f_.operations < next_look) continue;
        if (options.watch && !options.watch(k, f_.entries(), f_.operations)) return false;
        next_look = f_.operations + operations_between_looks;
    }
    return true;
}

/// The row of the largest candidate, or of the diagonal if it is large enough; -1 if there is none.
template <class T>
column_t lu_columns<T>::choose_pivot(index_t k, const lu_options& options) const
{
    column_t largest = -1;
    bool has_diagonal = false;
    const column_t diagonal = f_.column_of[at(k)];
    for (const column_t i : rows_) {
        if (pivot_of_[at(i)] >= 0) continue;
        if (largest < 0 || smaller(work_[at(largest)], work_[at(i)])) largest = i;
        has_diagonal = has_diagonal || i == diagonal;
    }
    if (options.threshold >= 1 || !has_diagonal) return largest;
    T wanted = work_[at(largest)];
    wanted *= options.threshold;
    return smaller(work_[at(diagonal)], wanted) ? largest : diagonal;
}

/// Whether the candidates can be divided by this one.
template <class T>
lu_end lu_columns<T>::usable(column_t row) const
{
    for (const column_t i : rows_)
        if (!is_finite(work_[at(i)])) return lu_end::not_finite;
    return sign_of(work_[at(row)]) == 0 ? lu_end::zero_pivot : lu_end::complete;
}

template <class T>
void lu_columns<T>::store(column_t pivot_row)
{
    const auto k = static_cast<index_t>(f_.pivot.size());
    for (const column_t i : rows_) {
        if (i == pivot_row) continue;
        const index_t pivot = pivot_of_[at(i)];
        if (pivot >= 0) {
            f_.u_row.push_back(static_cast<column_t>(pivot));
            f_.u_value.push_back(work_[at(i)]);
        } else {
            f_.l_row.push_back(i);
            f_.l_value.push_back(work_[at(i)]);
            f_.l_value.back() /= work_[at(pivot_row)];
            ++f_.operations;
        }
    }
    f_.pivot.push_back(work_[at(pivot_row)]);
    f_.row_of.push_back(pivot_row);
    pivot_of_[at(pivot_row)] = k;
    f_.l_begin.push_back(static_cast<index_t>(f_.l_row.size()));
    f_.u_begin.push_back(static_cast<index_t>(f_.u_row.size()));
}

template <class T>
void lu_columns<T>::number_by_pivots()
{
    for (column_t& i : f_.l_row) i = static_cast<column_t>(pivot_of_[at(i)]);
}

}  // namespace detail

template <class T>
lu_factors<T> factorise(const sparse_columns& a, const std::vector<column_t>& order, const T& zero,
                        const lu_options& options)
{
    return detail::lu_columns<T>(a, order, zero).run(options);
}

template <class T>
std::vector<T> lu_factors<T>::solve(const std::vector<T>& b, const solve_look& look) const
{
    using detail::at;
    std::vector<T> z, x = b;
    for (const column_t i : row_of) z.push_back(b[at(i)]);
    detail::solve_counter done(look);
    for (std::size_t k = 0; k < z.size(); ++k) {
        done.add(l_begin[k + 1] - l_begin[k]);
        for (index_t e = l_begin[k]; e < l_begin[k + 1]; ++e)
            subtract_product(z[at(l_row[at(e)])], l_value[at(e)], z[k]);
    }
    for (std::size_t k = z.size(); k-- > 0;) {
        done.add(u_begin[k + 1] - u_begin[k] + 1);
        z[k] /= pivot[k];
        for (index_t e = u_begin[k]; e < u_begin[k + 1]; ++e)
            subtract_product(z[at(u_row[at(e)])], u_value[at(e)], z[k]);
        x[at(column_of[k])] = z[k];
    }
    return x;
}

template <class T>
std::vector<T> lu_factors<T>::solve_transposed(const std::vector<T>& b,
                                               const solve_look& look) const
{
    using detail::at;
    std::vector<T> z, x = b;
    for (const column_t j : column_of) z.push_back(b[at(j)]);
    detail::solve_counter done(look);
    for (std::size_t k = 0; k < z.size(); ++k) {
        done.add(u_begin[k + 1] - u_begin[k] + 1);
        for (index_t e = u_begin[k]; e < u_begin[k + 1]; ++e)
            subtract_product(z[k], u_value[at(e)], z[at(u_row[at(e)])]);
        z[k] /= pivot[k];
    }
    for (std::size_t k = z.size(); k-- > 0;) {
        done.add(l_begin[k + 1] - l_begin[k]);
        for (index_t e = l_begin[k]; e < l_begin[k + 1]; ++e)
            subtract_product(z[k], l_value[at(e)], z[at(l_row[at(e)])]);
        x[at(row_of[k])] = z[k];
    }
    return x;
}

}  // namespace ddla::validate
