// The systems that are measured.
#pragma once

#include "ddla/csr_matrix.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace bench {

struct system_case {
    std::string name;
    std::string kind;  ///< "7-point", "convection", "elasticity", "real"
    std::function<ddla::csr_matrix<double>()> build;
};

/// The generated ones; with `quick` a quarter of the edges.  Then the Matrix Market files of a
/// folder, if it has a name, with at least so many entries stored, those of symmetric files counted
/// on both sides.  A file that cannot be read is named on the standard error.
std::vector<system_case> preconditioned_systems(bool quick, const std::filesystem::path& folder,
                                                ddla::index_t least_entries);

}  // namespace bench
