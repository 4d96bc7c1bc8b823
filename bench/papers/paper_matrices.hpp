// The matrices of the papers' parts: files at their own size and replicated, and generated ones.
#pragma once

#include "support/matrix_set.hpp"

namespace bench {

/// The kinds of files; generated matrices have those of matrix_kinds().
inline constexpr const char* own_size = "own size";
inline constexpr const char* replicated_size = "replicated";

struct paper_set {
    std::string folder;                        ///< of Matrix Market files; empty: none
    ddla::index_t least_rows = 1813;           ///< of a file: the least of the 2013 paper
    std::vector<ddla::index_t> entries = {0};  ///< 0: own size; else replicated to at least so many
    bool generated = false;                    ///< those of generated_matrices(), too
    bool densities = false;                    ///< random rows of 1 to 5 % of all columns, too
    bool quick = false;
};

/// By what the files say of their size; files that cannot be read and are not square are left out.
std::vector<matrix_case> paper_matrices(const paper_set& set);

/// Finite elements of Wathen (1987) on nx x ny squares of eight nodes, with densities between 0
/// and 100 drawn from `seed`: 3 nx ny + 2 nx + 2 ny + 1 rows.  wathen120 of the collection is
/// 120 x 100 with other densities.
ddla::csr_matrix<double> wathen(ddla::index_t nx, ddla::index_t ny, std::uint64_t seed);

}  // namespace bench
