// What ranks agree on beside sums.
#pragma once

#include "ddla/communicator.hpp"
#include "ddla/views.hpp"

namespace ddla::ranks {

/// The largest of what the ranks have; NaN where one is.
double largest_of(communicator& among, double mine);
/// The smallest.
index_t smallest_of(communicator& among, index_t mine);
}  // namespace ddla::ranks
