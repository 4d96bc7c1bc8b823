// What the programs of this folder share: operands, the speed of copies, the machine with Lis.
#pragma once

#include "support/machine.hpp"
#include "timing.hpp"

#include "ddla/blas.hpp"

#include <initializer_list>
#include <string>

namespace bench {

/// Values between -1 and 1, low words too, by formula.
ddla::vector<ddla::dd_real> operand(ddla::index_t n);

/// Bytes a second of y = x, read and written, 256 MB each.
double copy_speed(int threads);

/// The version of Lis, or "none".
std::string lis_version();
/// machine(), and that version.
json machine_with_lis();
/// One line with these of it: "ddla 0.1.0, lis none, AMD EPYC".
void print(const json& machine, std::initializer_list<const char*> names);

}  // namespace bench
