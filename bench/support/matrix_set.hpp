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

/// Without .mtx or .mtx.gz; empty for other files.
std::string name_of_matrix(const std::filesystem::path& file);

/// The Matrix Market files of a folder by name, without those too small for so many entries.
std::vector<std::filesystem::path> matrix_files(const std::filesystem::path& folder,
                                                ddla::index_t least_entries);

/// The Matrix Market files of a folder that store more than 10^5 entries, those of symmetric files
/// counted on both sides; replicated block-diagonally to at least 2 10^7 entries (quick: 4 10^5).
/// A file that cannot be read is named on the standard error.
std::vector<matrix_case> real_matrices(const std::filesystem::path& folder, bool quick);

}  // namespace bench
