// Sums of rows for eight vectors at once, one text for three instruction sets.
#pragma once

#include "column_rows.hpp"
#include "isa/isa.hpp"

namespace ddla::host_backend {

template <class T, class V>
void sum_rows_of_eight(const csr<V>& a, const interleaved<T>& x, index_t begin, index_t end,
                       lanes<T, 8>* ax)
{
    const auto by_adders = [&](index_t first, index_t last) {
        column_rows<T, V, additions_by::adders>(a, x, ax).sum(first, last);
    };
    // Also where there is one set alone.
    if (current_isa() == isa::baseline)
        by_adders(begin, end);
    else
        in_current_isa(
            [&](index_t first, index_t last) {
                column_rows<T, V, additions_by::all_units>(a, x, ax).sum(first, last);
            },
            by_adders, begin, end);
}

}  // namespace ddla::host_backend
