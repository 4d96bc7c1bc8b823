// Triangles by rows, and solves with them.
//
// Row i is x_i = (b_i - sum) / pivot_i, where the sum is that of the summation rule over the row's
// stored entries times the x of their columns, columns ascending.  Rows can be done in any order
// that has their columns before them, so levels or single rows, on a host or a device, give the
// same bits.
#pragma once

#include "lu_columns.hpp"

#include "isa/isa.hpp"
#include "isa/row_sum.hpp"

#include "ddla/watched_scope.hpp"

namespace ddla::factor {

/// Rows of numbers, columns ascending.
template <class F>
struct sparse_rows {
    unfilled<index_t> begin = {0};
    unfilled<column_t> column;
    number_list<F> value;

    index_t rows() const { return static_cast<index_t>(begin.size()) - 1; }
    index_t entries() const { return static_cast<index_t>(column.size()); }
    index_t length(index_t i) const { return begin[as_size(i) + 1] - begin[as_size(i)]; }
};

/// The transpose of rows that have this number of columns.  Cost: two passes.
template <class F, class Begins, class Columns>
sparse_rows<F> transposed(const Begins& begin, const Columns& column, const number_list<F>& value,
                          index_t columns)
{
    sparse_rows<F> t;
    const index_t rows = static_cast<index_t>(begin.size()) - 1;
    t.begin.assign(as_size(columns) + 1, 0);
    for (index_t i = 0; i < rows; ++i) {
        count_work(2 * (begin[as_size(i) + 1] - begin[as_size(i)]));
        for (index_t k = begin[as_size(i)]; k < begin[as_size(i) + 1]; ++k)
            ++t.begin[as_size(column[as_size(k)]) + 1];
    }
    std::partial_sum(t.begin.begin(), t.begin.end(), t.begin.begin());
    resize_touched(t.column, column.size());
    t.value.resize_touched(value.size());
    std::vector<index_t> next(t.begin.begin(), t.begin.end() - 1);
    for (index_t i = 0; i < rows; ++i) {
        count_work(5 * (begin[as_size(i) + 1] - begin[as_size(i)]));
        for (index_t k = begin[as_size(i)]; k < begin[as_size(i) + 1]; ++k) {
            const index_t to = next[as_size(column[as_size(k)])]++;
            t.column[as_size(to)] = static_cast<column_t>(i);
            t.value.set(to, value.get(k));
        }
    }
    return t;
}
template <class F>
sparse_rows<F> transposed(const sparse_rows<F>& a, index_t columns)
{
    return transposed(a.begin, a.column, a.value, columns);
}

/// Rows that need only rows of earlier levels: level l has the rows row[begin[l]] … of the list,
/// ascending.
struct level_sets {
    std::vector<index_t> begin = {0};
    std::vector<column_t> row;

    index_t levels() const { return static_cast<index_t>(begin.size()) - 1; }
};

/// A square triangle; rows hold what is off the diagonal.
template <class F>
struct triangle {
    sparse_rows<F> off_diagonal;
    number_list<F> pivot;  ///< the diagonal; empty: ones
    bool is_lower = true;

    index_t rows() const { return off_diagonal.rows(); }
    bool has_unit_diagonal() const { return pivot.size() == 0; }
};

/// The levels of a triangle's rows.  Cost: one pass.
template <class F>
level_sets levels_of(const triangle<F>& t)
{
    const sparse_rows<F>& a = t.off_diagonal;
    const index_t n = a.rows();
    std::vector<column_t> level(as_size(n), 0);
    level_sets sets;
    for (index_t step = 0; step < n; ++step) {
        const index_t i = t.is_lower ? step : n - 1 - step;
        column_t l = 0;
        for (index_t k = a.begin[as_size(i)]; k < a.begin[as_size(i) + 1]; ++k)
            l = std::max(l, level[as_size(a.column[as_size(k)])] + 1);
        level[as_size(i)] = l;
        if (as_size(l) + 1 >= sets.begin.size()) sets.begin.push_back(0);
        ++sets.begin[as_size(l) + 1];
    }
    std::partial_sum(sets.begin.begin(), sets.begin.end(), sets.begin.begin());
    std::vector<index_t> next(sets.begin.begin(), sets.begin.end() - 1);
    sets.row.resize(as_size(n));
    for (index_t i = 0; i < n; ++i)
        sets.row[as_size(next[as_size(level[as_size(i)])]++)] = static_cast<column_t>(i);
    return sets;
}

namespace detail {

/// The sum of row i times x, by the summation rule; terms in x's precision.
template <scalar T, scalar F>
class row_sum {
public:
    [[gnu::always_inline]] T operator()(const sparse_rows<F>& a, index_t i, vec<const T> x)
    {
        const index_t begin = a.begin[as_size(i)];
        return sum_(a.value.view().part(begin, a.length(i)), a.column.data() + begin, x);
    }

private:
    host_backend::row_sum<T, F> sum_;
};

}  // namespace detail

namespace detail {

struct piece_of_rows {
    index_t end;
    std::int64_t work;
};

/// Steps of a solve between two looks at the watch; a longer row is one by itself.
template <scalar F>
piece_of_rows next_piece(const triangle<F>& a, index_t begin)
{
    constexpr index_t of_entry = words_of<F> == 1 ? 2 : 8;
    piece_of_rows piece{begin, 0};
    for (; piece.end < a.rows() && piece.work < operations_between_looks / 4; ++piece.end)
        piece.work += of_entry * (4 + a.off_diagonal.length(a.is_lower ? piece.end
                                                                       : a.rows() - 1 - piece.end));
    return piece;
}

}  // namespace detail

/// Each of `systems` vectors x becomes the solution of (triangle) x = x.  They share each row while
/// it is in the cache.  Cost: two operations an entry and system; pivots divide.
template <scalar T, scalar F>
void solve_in_place(const triangle<F>& a, const vec<T>* x, index_t systems)
{
    const index_t n = a.rows();
    const auto rows = [&](index_t begin, index_t end) {
        detail::row_sum<T, F> sum;
        for (index_t step = begin; step < end; ++step) {
            const index_t i = a.is_lower ? step : n - 1 - step;
            for (index_t s = 0; s < systems; ++s) {
                const T rest = x[s].get(i) - sum(a.off_diagonal, i, x[s]);
                x[s].set(i, a.has_unit_diagonal() ? rest : rest / a.pivot.get(i));
            }
        }
    };
    for (index_t begin = 0; begin < n;) {
        const detail::piece_of_rows next = detail::next_piece(a, begin);
        host_backend::in_current_isa(rows, begin, next.end);
        count_work(next.work * systems);
        begin = next.end;
    }
}
template <scalar T, scalar F>
void solve_in_place(const triangle<F>& a, vec<T> x)
{
    solve_in_place(a, &x, 1);
}

/// The lower factor: its first rank rows, and those of pivotless rows.
template <class F>
struct lower_rows {
    sparse_rows<F> square, rest;
};

/// The first rows, and the others.
template <class F>
lower_rows<F> split(sparse_rows<F> all, index_t first)
{
    lower_rows<F> parts;
    const index_t cut = all.begin[as_size(first)];
    for (index_t i = first; i < all.rows(); ++i) {
        for (index_t k = all.begin[as_size(i)]; k < all.begin[as_size(i) + 1]; ++k) {
            parts.rest.column.push_back(all.column[as_size(k)]);
            parts.rest.value.push_back(all.value.get(k));
        }
        parts.rest.begin.push_back(parts.rest.entries());
    }
    all.begin.resize(as_size(first) + 1);
    all.column.resize(as_size(cut));
    all.value.resize(cut);
    parts.square = std::move(all);
    return parts;
}

/// L by rows, numbered by pivots.  Cost: two passes over the entries.
template <class F>
lower_rows<F> rows_of_lower(const lu_columns<F>& f)
{
    const column_t rank = static_cast<column_t>(f.rank());
    sparse_rows<F> all;
    all.begin.assign(as_size(f.n) + 1, 0);
    for (column_t k = 0; k < rank; ++k) {
        count_work(5 * f.length(k));
        for (index_t e = 0; e < f.length(k); ++e)
            ++all.begin[as_size(
                            f.pivot_of[as_size(f.l_row[as_size(f.row_begin[as_size(k)] + e)])]) +
                        1];
    }
    std::partial_sum(all.begin.begin(), all.begin.end(), all.begin.begin());
    resize_touched(all.column, as_size(f.l_value.size()));
    all.value.resize_touched(f.l_value.size());
    std::vector<index_t> next(all.begin.begin(), all.begin.end() - 1);
    for (column_t k = 0; k < rank; ++k) {
        count_work(10 * f.length(k));
        for (index_t e = 0; e < f.length(k); ++e) {
            const column_t row = f.l_row[as_size(f.row_begin[as_size(k)] + e)];
            const index_t to = next[as_size(f.pivot_of[as_size(row)])]++;
            all.column[as_size(to)] = k;
            all.value.set(to, f.l_value.get(f.value_begin[as_size(k)] + e));
        }
    }
    return split(std::move(all), rank);
}

/// U by rows; its pivotless columns are skipped_columns_of.
template <class F>
sparse_rows<F> rows_of_upper(const lu_columns<F>& f)
{
    return transposed(f.u_begin, f.u_row, f.u_value, f.rank());
}
template <class F>
sparse_rows<F> skipped_columns_of(const lu_columns<F>& f)
{
    return {{f.skipped_begin.begin(), f.skipped_begin.end()},
            {f.skipped_row.begin(), f.skipped_row.end()},
            f.skipped_value};
}

}  // namespace ddla::factor
