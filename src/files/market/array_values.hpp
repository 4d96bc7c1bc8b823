// The values of an array file, in column-major order.
#pragma once

#include "entries.hpp"

#include <vector>

namespace ddla::text {

/// Piece by piece, in the order of the file.
template <scalar V>
using array_values = std::vector<std::vector<V>>;

template <scalar V>
array_values<V> parse_array(characters text, const header& about, sharing how);

/// Assigns positions to the values, and passes on those that are not zero.
template <scalar V>
void give_places(const header& about, const array_values<V>& values, sharing how,
                 const piece_sink<V>& sink);

}  // namespace ddla::text
