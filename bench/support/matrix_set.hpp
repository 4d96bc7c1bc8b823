// The matrices that products are measured on.
#pragma once

#include "ddla/csr_matrix.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

struct matrix_case {
    std::string name;
    std::string kind;  ///< one of matrix_kinds()
    std::string note;  ///< how it was made, where the name does not tell
    std::function<ddla::csr_matrix<double>()> build;  ///< on the host, by any thread
};

/// In the order of the tables.
const std::vector<std::string_view>& matrix_kinds();

/// At least 40, of 10^7 to 7 10^7 entries; with `quick` of some hundred thousand.
std::vector<matrix_case> generated_matrices(bool quick);

/// The Matrix Market files of a folder that store more than 10^5 entries, those of symmetric files
/// counted on both sides; replicated block-diagonally to at least 2 10^7 entries (quick: 4 10^5).
/// A file that cannot be read is named on the standard error.
std::vector<matrix_case> real_matrices(const std::filesystem::path& folder, bool quick);

}  // namespace bench
