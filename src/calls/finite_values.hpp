// Values of a matrix that are Inf or NaN are refused where they stand.
#pragma once

#include "at_host.hpp"
#include "place_of.hpp"

namespace ddla::api {

/// The row of entry k, from 0.
template <scalar V>
index_t row_of_entry(const csr<V>& a, index_t k)
{
    index_t first = 0, last = a.rows;  // the row is in [first, last)
    while (last - first > 1) {
        const index_t middle = first + (last - first) / 2;
        (a.row_begin[middle] <= k ? first : last) = middle;
    }
    return first;
}

/// Throws input_error, naming row and column from 0, unless all values are finite.
template <scalar V>
void require_finite_values(engine& here, const char* call, const csr<V>& a, place at)
{
    const index_t k = here.vectors<V>().first_not_finite(a.value);
    if (k == steps::first_index::none) return;
    const rows_at_host<V> rows(a, at);
    throw input_error(std::string(call) + ": the value of A in row " +
                      std::to_string(row_of_entry(rows.view(), k)) + ", column " +
                      std::to_string(rows.view().column[k]) + " is Inf or NaN");
}

}  // namespace ddla::api
