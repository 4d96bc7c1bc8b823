// Where factors are made.
#pragma once

#include <functional>

namespace ddla::factor {

class factor_operations;

/// An operation in double-double, in those of double, both by supernodes.
inline constexpr double supernodes_in_dd = 12;

/// Of so many operations, in those of double: a device, see factor_operations.hpp; null: the host.
using place_of_factors = std::function<factor_operations*(double operations)>;

}  // namespace ddla::factor
