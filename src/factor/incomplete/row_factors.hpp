// Incomplete factors in the making, row by row, and the row that is worked on.
#pragma once

#include "factor/tuning.hpp"
#include "incomplete.hpp"
#include "isa/isa.hpp"

#include "ddla/watched_scope.hpp"

namespace ddla::factor::detail {

/// The order of pivots, and the matrix in it.
template <scalar F>
struct ordered_rows {
    std::vector<column_t> row_of, column_of;
    exponents scaling;
    ordering used = ordering::natural;
    bool matched = false;
    bool as_stored = false;  ///< the order is that of A
    sparse_rows<F> rows;     ///< else: in the order of pivots, columns numbered likewise, scaled

    index_t n() const { return static_cast<index_t>(row_of.size()); }
};

/// Numbers by column; those of the row that is worked on are marked.
template <scalar F>
class working_row {
public:
    explicit working_row(index_t n) : value_(as_size(n), F(0)), row_(as_size(n), -1) {}

    void start(column_t i) { now_ = i; }
    bool has(column_t j) const { return row_[as_size(j)] == now_; }
    void add(column_t j, const F& value)
    {
        row_[as_size(j)] = now_;
        value_[as_size(j)] = value;
    }
    F& operator[](column_t j) { return value_[as_size(j)]; }
    const F& operator[](column_t j) const { return value_[as_size(j)]; }

private:
    std::vector<F> value_;
    std::vector<column_t> row_;
    column_t now_ = -1;
};

template <scalar F>
void append(sparse_rows<F>& rows, column_t j, const F& value)
{
    rows.column.push_back(j);
    rows.value.push_back(value);
}

/// Whether the making goes on after the step `done` of `all`: asks the watch now and then.
inline bool goes_on(const incomplete_options& o, index_t done, index_t all)
{
    constexpr index_t steps_between_looks = 256;
    return !o.watch || done % steps_between_looks != 0 ||
           o.watch(static_cast<double>(done) / static_cast<double>(all));
}

/// Levels of the rows of two triangles.
struct half_levels {
    level_sets lower, upper;
};

/// The pivot of a row, made larger if it is bad.
template <scalar F>
struct kept_pivot {
    F value;
    bool is_bad;

    /// `largest`: of the row of A.
    kept_pivot(const F& found, double largest, const incomplete_options& o)
        : value(found), is_bad(magnitude(found) <= o.tiny * largest || magnitude(found) == 0)
    {
        if (!is_bad) return;
        // A power of two: the largest itself would put its digits into the factors.
        const double size = o.shifted * scaled(1.0, largest > 0 ? exponent_of(largest) : 0);
        value = F(word<0>(value) < 0 ? -size : size);
    }
};

/// Both triangles and the limits they keep.
template <scalar F>
struct row_factors {
    sparse_rows<F> lower, upper;
    number_list<F> pivot;
    factor_end end = factor_end::complete;
    double operations = 0;
    index_t shifts = 0;
    column_t bad_row = -1;     ///< in the order of pivots
    double bad_part = 0;       ///< see incomplete_report
    index_t steps_before = 0;  ///< of the work before these rows, as the watch sees it
    bool is_finite = true;     ///< the entries of the triangles
    half_levels levels;        ///< of the triangles, if they were found

    /// Room for rows that begin there; a triangle without rows stays empty.
    void make_room(unfilled<index_t> in_lower, unfilled<index_t> in_upper)
    {
        pivot.resize_unfilled(static_cast<index_t>(in_lower.size()) - 1);
        const auto make = [](sparse_rows<F>& rows, unfilled<index_t> begin) {
            rows.begin = std::move(begin);
            rows.column.resize(as_size(rows.begin.back()));
            rows.value.resize_unfilled(rows.begin.back());
        };
        make(lower, std::move(in_lower));
        if (!in_upper.empty()) make(upper, std::move(in_upper));
    }
    /// Of rows 0, ..., i.
    std::int64_t bytes_until(index_t i) const
    {
        const index_t above = upper.rows() > 0 ? upper.begin[as_size(i) + 1] : 0;
        return (lower.begin[as_size(i) + 1] + above + i + 1) *
               static_cast<std::int64_t>(sizeof(F) + sizeof(column_t));
    }
    /// Ends the making with row i, with or without its pivot; rows behind it are dropped.
    bool end_at(index_t i, factor_end why, bool has_pivot)
    {
        for (sparse_rows<F>* rows : {&lower, &upper}) {
            if (rows->rows() == 0) continue;
            rows->begin.resize(as_size(i) + 2);
            rows->column.resize(as_size(rows->begin.back()));
            rows->value.resize_unfilled(rows->begin.back());
        }
        pivot.resize_unfilled(i + has_pivot);
        return stop(why);
    }

    std::int64_t entries() const { return lower.entries() + upper.entries() + pivot.size(); }
    std::int64_t bytes() const
    {
        return entries() * static_cast<std::int64_t>(sizeof(F) + sizeof(column_t));
    }

    /// Ends row i of n with its pivot; `largest`: of row i of A.  False: end says why.
    bool finish_row(const F& value, double largest, index_t n, const incomplete_options& o)
    {
        if (!isfinite(value)) return stop(factor_end::not_finite);
        const kept_pivot<F> kept(value, largest, o);
        if (kept.is_bad) {
            if (bad_row < 0) {
                bad_row = static_cast<column_t>(pivot.size());
                bad_part = largest > 0 ? word<0>(value) / largest : 0;
            }
            if (o.pivots == bad_pivots::refuse) return stop(factor_end::bad_pivot);
            ++shifts;
        }
        pivot.push_back(kept.value);
        lower.begin.push_back(lower.entries());
        upper.begin.push_back(upper.entries());
        if (operations > o.most_operations) return stop(factor_end::over_work);
        if (bytes() > o.most_bytes) return stop(factor_end::over_memory);
        if (!goes_on(o, steps_before + pivot.size(), steps_before + n))
            return stop(factor_end::stopped);
        return true;
    }
    bool stop(factor_end why)
    {
        end = why;
        return false;
    }
};

/// Calls row(i) for i = 0, 1, … until it returns false or n rows are done.  Without FMA each
/// product of DD calls a function.
template <class Row>
void each_row(index_t n, const Row& row)
{
    const auto rows = [&](index_t begin, index_t end) {
        for (index_t i = begin; i < end && row(static_cast<column_t>(i)); ++i) {
        }
    };
    host_backend::in_isa_with_fma(rows, 0, n);
}

/// w_k becomes l_ik = w_k / pivot_k.
template <scalar F>
F divide_by_pivot(working_row<F>& w, column_t k, const row_factors<F>& f)
{
    return w[k] = w[k] / f.pivot.get(k);
}

}  // namespace ddla::factor::detail
