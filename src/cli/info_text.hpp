// A matrix_info as text.
#pragma once

#include "ddla/matrix_info.hpp"

#include <filesystem>
#include <string>

namespace ddla::cli {

/// For people: at most 80 columns, the histogram of row lengths drawn with bars.
std::string info_text(const std::filesystem::path& file, const matrix_info& info);

/// For programs: every field under its name.
std::string info_json(const std::filesystem::path& file, const matrix_info& info);

}  // namespace ddla::cli
