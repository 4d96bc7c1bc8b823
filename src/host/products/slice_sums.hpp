// Sums of rows in slices, one text for three instruction sets: apart, as row_sums.hpp.
#pragma once

#include "host/simd/isa.hpp"
#include "slice_tile.hpp"

namespace ddla::host_backend {

template <class T, class V>
void sum_slices(const csr<V>& a, vec<const T> x, index_t begin, index_t end, lanes<T>& ax)
{
    const auto with = [&](auto numbered) {
        in_current_isa(
            [&](index_t first, index_t last) {
                slice_tile<T, V, numbered>(a, x, first, last, ax).sum();
            },
            begin, end);
    };
    if (words_of<V> == 1 && a.storage->slices.distinct.size > 0)
        with(std::bool_constant<words_of<V> == 1>{});
    else
        with(std::false_type{});
}

}  // namespace ddla::host_backend
