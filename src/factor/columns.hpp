// A sparse matrix by columns, from compressed rows.
#pragma once

#include "first_error.hpp"
#include "numbers.hpp"

#include "ddla/summation.hpp"
#include "ddla/watched_scope.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <numeric>

namespace ddla::factor {

/// Column j has the entries begin[j] to begin[j + 1], rows ascending, no row twice, no zeros.
template <class F>
struct sparse_columns {
    index_t rows = 0, columns = 0;
    std::vector<index_t> begin;
    std::vector<column_t> row;
    number_list<F> value;

    index_t entries() const { return static_cast<index_t>(row.size()); }
    /// Of these columns with values in G.
    template <class G = F>
    std::int64_t bytes() const
    {
        return columns * static_cast<std::int64_t>(sizeof(index_t)) +
               entries() * static_cast<std::int64_t>(sizeof(column_t) + sizeof(G));
    }
};

namespace detail {

/// Rows in the making: entries of one place summed, zeros left out.
template <scalar V>
struct clean_rows {
    std::vector<index_t> begin = {0};
    std::vector<column_t> column;
    number_list<V> value;
    index_t entries = 0;

    explicit clean_rows(index_t most)
    {
        column.resize(as_size(most));
        value.resize_unfilled(most);
    }
    void add(column_t j, const V& v)
    {
        if (v == V(0)) return;
        column[as_size(entries)] = j;
        value.set(entries++, v);
    }
};

/// Row i of A with its columns in any order and entries that share a place, which are summed by the
/// summation rule in stored order.
template <scalar V>
void add_jumbled_row(const csr<V>& a, index_t i, clean_rows<V>& to)
{
    const index_t first = a.row_begin[i];
    std::vector<index_t> entry(as_size(a.row_length(i)));
    std::iota(entry.begin(), entry.end(), first);
    std::stable_sort(entry.begin(), entry.end(),
                     [&](index_t x, index_t y) { return a.column[x] < a.column[y]; });
    for (std::size_t k = 0; k < entry.size();) {
        const column_t j = a.column[entry[k]];
        std::size_t end = k + 1;
        while (end < entry.size() && a.column[entry[end]] == j) ++end;
        if (end == k + 1) {
            to.add(j, a.value.get(entry[k]));
        } else {
            const auto sum = std::make_unique<running_sum<V>>();
            for (std::size_t e = k; e < end; ++e) sum->add(a.value.get(entry[e]));
            to.add(j, sum->sum(V(0)));
        }
        k = end;
    }
}

template <scalar V>
clean_rows<V> clean_rows_of(const csr<V>& a)
{
    clean_rows<V> rows(a.nonzeros());
    rows.begin.reserve(as_size(a.rows) + 1);
    for (index_t i = 0; i < a.rows; ++i) {
        count_work(5 * a.row_length(i));
        bool ascending = true;
        for (index_t k = a.row_begin[i] + 1; k < a.row_begin[i + 1]; ++k)
            ascending = ascending && a.column[k - 1] < a.column[k];
        if (ascending)
            for (index_t k = a.row_begin[i]; k < a.row_begin[i + 1]; ++k)
                rows.add(a.column[k], a.value.get(k));
        else
            add_jumbled_row(a, i, rows);
        rows.begin.push_back(rows.entries);
    }
    rows.column.resize(as_size(rows.entries));
    rows.value.resize(rows.entries);
    return rows;
}

/// Whether columns ascend in all rows, and no entry is zero.
template <scalar V>
bool are_clean(const csr<V>& a, const chunk_runner& run)
{
    std::atomic<bool> are = true;
    run_pieces(run, a.rows, run.work(), [&](index_t begin, index_t end) {
        if (!are) return;
        count_work(2 * (a.row_begin[end] - a.row_begin[begin]));
        bool clean = true;
        for (index_t i = begin; i < end; ++i) {
            const index_t first = a.row_begin[i], last = a.row_begin[i + 1];
            for (index_t k = first; k < last; ++k)
                clean = clean && !(a.value.get(k) == V(0)) &&
                        (k == first || a.column[k - 1] < a.column[k]);
        }
        if (!clean) are = false;
    });
    return are;
}

/// Rows as they are; threads that copy values touch their memory first.
template <scalar V>
sparse_columns<V> copy_of_rows(const csr<V>& a, const chunk_runner& run)
{
    sparse_columns<V> to{a.columns, a.rows, {}, {}, {}};
    to.begin.resize(as_size(a.rows) + 1);
    for (index_t i = 0; i <= a.rows; ++i) to.begin[as_size(i)] = a.row_begin[i];
    to.row.resize(as_size(a.nonzeros()));
    to.value.resize_unfilled(a.nonzeros());
    run_pieces(run, a.nonzeros(), 16 * run.work(), [&](index_t begin, index_t end) {
        count_work(2 * (end - begin));
        std::copy(a.column + begin, a.column + end, to.row.begin() + begin);
        for (index_t k = begin; k < end; ++k) to.value.set(k, a.value.get(k));
    });
    return to;
}

}  // namespace detail

/// Columns of the transpose: the rows.  Cost: one pass, one more matrix.
template <class F>
sparse_columns<F> transposed(const sparse_columns<F>& a)
{
    sparse_columns<F> t;
    t.rows = a.columns;
    t.columns = a.rows;
    t.begin.assign(as_size(a.rows) + 1, 0);
    for (const column_t i : a.row) ++t.begin[as_size(i) + 1];
    std::partial_sum(t.begin.begin(), t.begin.end(), t.begin.begin());
    t.row.resize(a.row.size());
    t.value.resize_touched(a.entries());
    std::vector<index_t> next(t.begin.begin(), t.begin.end() - 1);
    for (index_t j = 0; j < a.columns; ++j) {
        count_work(5 * (a.begin[as_size(j) + 1] - a.begin[as_size(j)]));
        for (index_t k = a.begin[as_size(j)]; k < a.begin[as_size(j) + 1]; ++k) {
            const index_t to = next[as_size(a.row[as_size(k)])]++;
            t.row[as_size(to)] = static_cast<column_t>(j);
            t.value.set(to, a.value.get(k));
        }
    }
    return t;
}

/// The columns of A.  Stored zeros are left out; entries at one place are summed by the summation
/// rule in stored order, a sum of zero is left out, too.  Cost: two passes, two more matrices.
template <scalar V>
sparse_columns<V> columns_of(const csr<V>& a)
{
    detail::clean_rows<V> rows = detail::clean_rows_of(a);
    sparse_columns<V> by_rows{a.columns, a.rows, std::move(rows.begin), std::move(rows.column),
                              std::move(rows.value)};
    return transposed(by_rows);
}

/// The same of a symmetric A, whose rows are its columns.  Values in double-double may differ there
/// in the sign of a zero, and are transposed.  Cost: one pass, one more matrix.
template <scalar V>
sparse_columns<V> columns_of_symmetric(const csr<V>& a, const chunk_runner& run = {})
{
    if constexpr (words_of < V >> 1) return columns_of(a);
    if (detail::are_clean(a, run)) return detail::copy_of_rows(a, run);
    detail::clean_rows<V> rows = detail::clean_rows_of(a);
    return {a.columns, a.rows, std::move(rows.begin), std::move(rows.column),
            std::move(rows.value)};
}

}  // namespace ddla::factor
