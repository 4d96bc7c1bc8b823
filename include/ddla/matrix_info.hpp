// What a matrix looks like: sizes, symmetry, row lengths, diagonal.
//
//     const ddla::matrix_info info = ddla::inspect(a);
//     if (info.symmetric && info.negative_diagonal == 0) std::cout << "try CG\n";
#pragma once

#include "csr_matrix.hpp"

#include <vector>

namespace ddla {

struct row_length_bin {
    index_t from, to;  ///< lengths from <= length <= to
    index_t rows;
};

/// The three symmetries are false for a rectangular matrix; an absent entry counts as 0 in the
/// values, and a zero matrix is both symmetric and skew-symmetric.
struct matrix_info {
    index_t rows = 0, columns = 0, nonzeros = 0;  ///< nonzeros: entries stored
    index_t explicit_zeros = 0;
    bool symmetric_pattern = false;  ///< of the stored entries
    bool symmetric = false;
    bool skew_symmetric = false;
    index_t shortest_row = 0, longest_row = 0;
    double mean_row = 0;
    index_t empty_rows = 0, empty_columns = 0;
    std::vector<row_length_bin> row_lengths =
        {};                        ///< 0, 1, 2, 3-4, 5-8, 9-16, …; from shortest to longest
    index_t missing_diagonal = 0;  ///< rows whose diagonal is absent or zero
    index_t negative_diagonal = 0;
    index_t dominant_rows = 0;  ///< rows with |a_ii| >= sum of the other |a_ij|
    index_t lower_bandwidth = 0, upper_bandwidth = 0;
    double smallest_magnitude = 0, largest_magnitude = 0;  ///< of the nonzero values
    bool finite = true;
};

/// Works on the host (a matrix elsewhere is copied).
/// Cost: one pass over A and one over its transpose.
template <scalar V>
matrix_info inspect(const csr_matrix<V>& a);

}  // namespace ddla
