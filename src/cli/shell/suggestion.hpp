// The name that was meant.
#pragma once

#include <string>
#include <vector>

namespace ddla::cli {

/// ": did you mean "solve"?" where a name is near to the one that was given, else empty.
std::string suggestion(const std::string& given, const std::vector<std::string>& names);

}  // namespace ddla::cli
