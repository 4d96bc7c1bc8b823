// Sums of rows that have patterns, one text for three instruction sets: apart, as row_sums.hpp.
#pragma once

#include "isa/isa.hpp"
#include "pattern_tile.hpp"
#include "rows.hpp"

namespace ddla::host_backend {

template <class T, class V>
void sum_patterns(const csr<V>& a, vec<const T> x, index_t begin, index_t end, lanes<T>& ax)
{
    const auto with = [&](auto beside) {
        in_current_isa(
            [&](index_t first, index_t last) {
                pattern_tile<T, V, beside, straight_line>(a, x, first, last, ax).sum();
            },
            [&](index_t first, index_t last) {
                pattern_tile<T, V, beside, in_loops>(a, x, first, last, ax).sum();
            },
            begin, end);
    };
    if (a.storage->patterns.has_values())
        with(std::false_type{});
    else
        with(std::true_type{});
}

}  // namespace ddla::host_backend
