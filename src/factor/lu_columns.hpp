// The columns of L and U as a factorisation makes them, and a supernode's update of a column.
#pragma once

#include "columns.hpp"
#include "factor_end.hpp"

namespace ddla::factor {

/// P A Q = L U: pivot k is row row_of[k] and column column_of[k] of A; L has ones on its diagonal.
/// If the rank is less than n, pivotless rows follow, ascending, and pivotless columns in the order
/// of elimination.
template <class F>
struct lu_columns {
    factor_end end = factor_end::complete;
    index_t n = 0;
    std::vector<column_t> row_of, column_of;
    std::vector<column_t> pivot_of;  ///< by rows of A: the number of the pivot, -1 for none
    double operations = 0;           ///< multiplications with a subtraction
    /// The largest magnitude of a candidate or an entry of U; when complete, over that of A.
    double growth = 0;

    // Column k of L has the rows l_row[row_begin[k] + e], numbers in A, and the values
    // l_value[value_begin[k] + e], e < length(k).  Columns of a supernode share their rows: column
    // k + 1 has those of column k but for the first, which is the row of its pivot.
    std::vector<column_t> supernode_of, first_column;
    std::vector<index_t> row_begin, value_begin = {0};
    std::vector<column_t> l_row;
    number_list<F> l_value;
    // Column k of U above its pivot, rows ascending.
    std::vector<index_t> u_begin = {0};
    std::vector<column_t> u_row;
    number_list<F> u_value;
    number_list<F> pivot;
    // The same of columns without pivot, in the order of elimination.
    std::vector<column_t> skipped;
    std::vector<index_t> skipped_begin = {0};
    std::vector<column_t> skipped_row;
    number_list<F> skipped_value;

    index_t rank() const { return static_cast<index_t>(pivot.size()); }
    std::int64_t entries() const
    {
        return l_value.size() + u_value.size() + skipped_value.size() + rank();
    }
    /// What the finished factors take, by rows and transposed.
    std::int64_t bytes() const
    {
        constexpr auto entry = static_cast<std::int64_t>(sizeof(F) + sizeof(column_t));
        return 2 * entries() * entry;
    }
    /// What making them took at most, beside two copies of A: lists that grow have room for twice
    /// what is in them; then come L and U by rows.
    std::int64_t making_bytes() const
    {
        constexpr auto number = static_cast<std::int64_t>(sizeof(F)),
                       entry = number + static_cast<std::int64_t>(sizeof(column_t));
        const auto rows = static_cast<std::int64_t>(l_row.size() * sizeof(column_t));
        const std::int64_t l = l_value.size(), u = u_value.size() + skipped_value.size();
        return 2 * (l * number + rows + u * entry) + (l + u) * entry;
    }
    index_t length(column_t k) const
    {
        return value_begin[as_size(k) + 1] - value_begin[as_size(k)];
    }
    column_t last_column(std::size_t s) const
    {
        return s + 1 < first_column.size() ? first_column[s + 1] - 1
                                           : static_cast<column_t>(rank() - 1);
    }

    /// Row i of A becomes the first row of column c and of its supernode's columns.
    void bring_to_front(column_t c, column_t i)
    {
        const index_t front = row_begin[as_size(c)];
        const index_t place =
            std::find(l_row.begin() + front, l_row.begin() + front + length(c), i) - l_row.begin();
        std::swap(l_row[as_size(front)], l_row[as_size(place)]);
        for (column_t d = first_column.back(); d <= c; ++d) {
            const index_t offset = value_begin[as_size(d)] - row_begin[as_size(d)];
            const F first = l_value.get(offset + front);
            l_value.set(offset + front, l_value.get(offset + place));
            l_value.set(offset + place, first);
        }
    }
    void append_to_supernode(column_t pivot_row)
    {
        const std::size_t before = row_of.size() - 1;
        row_begin.push_back(row_begin[before] + 1);
        add_pivot(pivot_row, length(static_cast<column_t>(before)) - 1);
    }
    void open_supernode(column_t pivot_row, const std::vector<column_t>& rows)
    {
        row_begin.push_back(static_cast<index_t>(l_row.size()));
        make_room(l_row, l_row.size() + rows.size());
        l_row.insert(l_row.end(), rows.begin(), rows.end());
        first_column.push_back(static_cast<column_t>(row_of.size()));
        add_pivot(pivot_row, static_cast<index_t>(rows.size()));
    }
    void finish_column(const F& value, column_t column)
    {
        pivot.push_back(value);
        column_of.push_back(column);
        u_begin.push_back(u_value.size());
    }
    /// The entries of U after the last column become a column without pivot.
    void skip_column(column_t column)
    {
        for (index_t k = u_begin.back(); k < u_value.size(); ++k) {
            skipped_row.push_back(u_row[as_size(k)]);
            skipped_value.push_back(u_value.get(k));
        }
        u_row.resize(as_size(u_begin.back()));
        u_value.resize(u_begin.back());
        skipped.push_back(column);
        skipped_begin.push_back(skipped_value.size());
    }
    /// Pivotless rows after the pivots.
    void number_the_rest()
    {
        for (std::size_t i = 0; i < pivot_of.size(); ++i)
            if (pivot_of[i] < 0) {
                pivot_of[i] = static_cast<column_t>(row_of.size());
                row_of.push_back(static_cast<column_t>(i));
            }
        column_of.insert(column_of.end(), skipped.begin(), skipped.end());
    }

private:
    void add_pivot(column_t row, index_t length)
    {
        pivot_of[as_size(row)] = static_cast<column_t>(row_of.size());
        row_of.push_back(row);
        supernode_of.push_back(static_cast<column_t>(first_column.size() - 1));
        value_begin.push_back(value_begin.back() + length);
    }
};

}  // namespace ddla::factor
