// What the programs of this folder share: operands, the speed of copies, what ran where.
#pragma once

#include "timing.hpp"

#include "ddla/blas.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace bench {

using json = nlohmann::ordered_json;

/// Values between -1 and 1, low words too, by formula.
ddla::vector<ddla::dd_real> operand(ddla::index_t n);

/// Bytes a second of y = x, read and written, 256 MB each.
double copy_speed(int threads);

std::string processor();
/// The version of Lis, or "none".
std::string lis_version();
/// Date, processor, versions.
json environment();

}  // namespace bench
