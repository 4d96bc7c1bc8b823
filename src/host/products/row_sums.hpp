// Sums of rows, one text for three instruction sets: apart from the steps that use them, because
// this is the largest loop of the library.
#pragma once

#include "isa/isa.hpp"
#include "row_tile.hpp"
#include "rows.hpp"

namespace ddla::host_backend {

template <class T, class V>
void sum_rows(const csr<V>& a, vec<const T> x, index_t begin, index_t end, lanes<T>& ax)
{
    in_current_isa(
        [&](index_t first, index_t last) {
            row_tile<T, V, straight_line>(a, x, first, last, ax).sum();
        },
        [&](index_t first, index_t last) { row_tile<T, V, in_loops>(a, x, first, last, ax).sum(); },
        begin, end);
}

}  // namespace ddla::host_backend
