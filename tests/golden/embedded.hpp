// Files that a copy of the program carries with it.
#pragma once

#include <string_view>

namespace golden {

extern const std::string_view text_of_hashes;   ///< tests/golden/hashes.txt
extern const std::string_view text_of_494_bus;  ///< examples/494_bus.mtx

}  // namespace golden
