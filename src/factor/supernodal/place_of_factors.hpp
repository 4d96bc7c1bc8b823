// Where factors are made.
#pragma once

#include <functional>

namespace ddla::factor {

class factor_operations;

/// Of so many operations, one in double-double counted as 12: a device, see factor_operations.hpp;
/// null: the host.
using place_of_factors = std::function<factor_operations*(double operations)>;

}  // namespace ddla::factor
