// Files of other programs that are not read, by their first bytes, with the command that makes of
// them what is read.
#pragma once

#include "files/decimal/decimal_scan.hpp"

#include <filesystem>

namespace ddla::text {

/// Throws input_error for such a file; its text was compressed by gzip or not.
void refuse_foreign(const std::filesystem::path& file, characters text, bool was_compressed);

}  // namespace ddla::text
