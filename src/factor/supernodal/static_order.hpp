// A matrix as factorisations with static pivots take it.
#pragma once

#include "supernodes.hpp"

#include "factor/columns.hpp"
#include "factor/order/ordering.hpp"

namespace ddla::factor {

/// Row numbers by the columns whose diagonal they are.
inline std::vector<column_t> columns_of_rows(const std::vector<column_t>& diagonal)
{
    std::vector<column_t> column(diagonal.size());
    for (std::size_t j = 0; j < column.size(); ++j)
        column[as_size(diagonal[j])] = static_cast<column_t>(j);
    return column;
}

/// The supernodes of the symmetrised pattern, the diagonal in its place.
template <class V>
supernodes supernodes_on_diagonal(const sparse_columns<V>& a, const elimination_order& order)
{
    if (const counted_graph& known = order.counted; known.counts)
        return supernodes_of(*known.graph, *known.counts);
    const std::vector<column_t> column_of_row = columns_of_rows(order.preferred);
    std::vector<column_t> row(a.row.size());
    for (std::size_t e = 0; e < row.size(); ++e) row[e] = column_of_row[as_size(a.row[e])];
    return supernodes_of(adjacency(a.begin, row), order.column);
}

/// Rows and columns in the order of elimination; value(v, row, column): of entry v of A.
template <class F, class V, class Value>
sparse_columns<F> in_order_of(const supernodes& s, const sparse_columns<V>& a,
                              const std::vector<column_t>& diagonal, const Value& value)
{
    const std::vector<column_t> column_of_row = columns_of_rows(diagonal);
    std::vector<column_t> place(as_size(a.columns));
    for (std::size_t k = 0; k < place.size(); ++k)
        place[as_size(s.order[k])] = static_cast<column_t>(k);
    sparse_columns<F> b{a.rows, a.columns, {0}, {}, {}};
    b.row.reserve(a.row.size());
    b.value.resize_unfilled(a.entries());
    for (const column_t j : s.order) {
        count_work(10 * (a.begin[as_size(j) + 1] - a.begin[as_size(j)]));
        for (index_t e = a.begin[as_size(j)]; e < a.begin[as_size(j) + 1]; ++e) {
            const column_t i = a.row[as_size(e)];
            b.value.set(b.entries(), value(a.value.get(e), i, j));
            b.row.push_back(place[as_size(column_of_row[as_size(i)])]);
        }
        b.begin.push_back(b.entries());
    }
    return b;
}

}  // namespace ddla::factor
