// The values of an array file, in column-major order.
#pragma once

#include "text/buckets.hpp"
#include "text/entries.hpp"

#include <vector>

namespace ddla::text {

/// Piece by piece, in the order of the file.
template <scalar V>
using array_values = std::vector<std::vector<V>>;

template <scalar V>
array_values<V> parse_array(characters text, const header& about, sharing how);

/// Assigns positions to the values, and keeps those that are not zero.
template <scalar V>
void give_places(const header& about, const array_values<V>& values, sharing how,
                 entry_buckets<V>& to);

}  // namespace ddla::text
