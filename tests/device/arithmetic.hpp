// evaluate() on a device, for many operands.
#pragma once

#include <ddla/dd_real.hpp>

#include <vector>

namespace ddla::test {

/// 0 where there is no device or no driver.
int device_count();

/// The results of one operation for all pairs.  Throws std::runtime_error on any CUDA error.
std::vector<dd_real> evaluate_on_device(int operation, const std::vector<dd_real>& x,
                                        const std::vector<dd_real>& y);

}  // namespace ddla::test
