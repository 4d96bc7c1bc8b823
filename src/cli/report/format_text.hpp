// Formats of matrices and their measured times, for people.
#pragma once

#include "ddla/tune.hpp"

#include <string>
#include <vector>

namespace ddla::cli {

/// "tiles", "crs_t T=4"
std::string format_name(const format_report& report);
std::string format_name(const measured_format& m);

/// A line for each, in the order given; `entries` of the matrix, the copy `bandwidth` at its place;
/// the first line is marked if `first_is_best`.
std::string format_table(const std::vector<measured_format>& formats, index_t entries,
                         double bandwidth, bool first_is_best);

}  // namespace ddla::cli
