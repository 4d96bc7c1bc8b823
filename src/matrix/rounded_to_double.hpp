// A matrix rounded to double.
#pragma once

#include "ddla/views.hpp"

namespace ddla::api {

/// The values rounded to double, of the same memory: their high words.
template <scalar V>
csr<double> rounded_to_double(const csr<V>& a)
{
    if constexpr (words_of<V> == 1) {
        return a;
    } else {
        csr<double> rounded;
        rounded.rows = a.rows;
        rounded.columns = a.columns;
        rounded.row_begin = a.row_begin;
        rounded.column = a.column;
        rounded.value = vec<const double>(a.value.word(0), a.nonzeros());
        rounded.longest_row = a.longest_row;
        rounded.long_rows = a.long_rows;
        rounded.largest_value = a.largest_value;
        return rounded;
    }
}

}  // namespace ddla::api
