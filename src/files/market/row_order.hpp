// One row sorted by column, its duplicates summed.
#pragma once

#include "ddla/views.hpp"

#include <vector>

namespace ddla::text {

/// Columns and values of rows under construction.
template <scalar V>
struct row_arrays {
    column_t* column;
    vec<V> value;

    void move(index_t from, index_t to) const
    {
        column[to] = column[from];
        value.set(to, value.get(from));
    }
};

template <scalar V>
struct row_entry {
    column_t column;
    V value;
};

/// The memory that a thread needs to sort rows.
template <scalar V>
using row_workspace = std::vector<row_entry<V>>;

/// Sorts entries first … last-1 by column, stably, then sums those with equal columns by the rule
/// of summation.hpp.  Returns how many are left, at the front.  For rows that are sorted already,
/// only columns are read.
template <scalar V>
index_t order_row(const row_arrays<V>& a, index_t first, index_t last, row_workspace<V>& space);

}  // namespace ddla::text
