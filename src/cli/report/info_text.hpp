// A matrix_info as text.
#pragma once

#include "ddla/matrix_info.hpp"
#include "ddla/read_losses.hpp"

#include <filesystem>
#include <string>

namespace ddla::cli {

/// If `is_complex`, info tells of the real form of the matrix in the file.
/// For people: at most 80 columns, the histogram of row lengths drawn with bars.
std::string info_text(const std::filesystem::path& file, const matrix_info& info, bool is_complex);

/// For programs: every field under its name.
std::string info_json(const std::filesystem::path& file, const matrix_info& info, bool is_complex,
                      const read_losses& lost);

}  // namespace ddla::cli
