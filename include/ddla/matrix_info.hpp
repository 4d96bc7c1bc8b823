// What a matrix looks like: sizes, symmetry, row lengths, diagonal.
//
//     const ddla::matrix_info info = ddla::inspect(a);
//     if (info.symmetric && info.negative_diagonal == 0) std::cout << "try CG\n";
#pragma once

#include "csr_matrix.hpp"
#include "describe.hpp"

#include <vector>

namespace ddla {

struct row_length_bin {
    index_t from, to;  ///< lengths from <= length <= to
    index_t rows;
};

template <class Visit, class... Like>
void describe(described<row_length_bin>, const Visit& visit, Like&... b)
{
    using namespace about;
    visit(field{"from"}, b.from...);
    visit(field{"to"}, b.to...);
    visit(field{"rows"}, b.rows...);
}

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

/// Not described: row_lengths, a table of its own, which C has not.
template <class Visit, class... Like>
void describe(described<matrix_info>, const Visit& visit, Like&... m)
{
    using namespace about;
    visit(field{"rows"}, m.rows...);
    visit(field{"columns"}, m.columns...);
    visit(field{"nonzeros"}, m.nonzeros...);
    visit(field{"explicit_zeros"}, m.explicit_zeros...);
    visit(field{"symmetric_pattern"}, m.symmetric_pattern...);
    visit(field{"symmetric"}, m.symmetric...);
    visit(field{"skew_symmetric"}, m.skew_symmetric...);
    visit(field{"shortest_row"}, m.shortest_row...);
    visit(field{"longest_row"}, m.longest_row...);
    visit(field{"mean_row"}, m.mean_row...);
    visit(field{"empty_rows"}, m.empty_rows...);
    visit(field{"empty_columns"}, m.empty_columns...);
    visit(field{"missing_diagonal"}, m.missing_diagonal...);
    visit(field{"negative_diagonal"}, m.negative_diagonal...);
    visit(field{"dominant_rows"}, m.dominant_rows...);
    visit(field{"lower_bandwidth"}, m.lower_bandwidth...);
    visit(field{"upper_bandwidth"}, m.upper_bandwidth...);
    visit(field{"smallest_magnitude"}, m.smallest_magnitude...);
    visit(field{"largest_magnitude"}, m.largest_magnitude...);
    visit(field{"finite"}, m.finite...);
}

/// Works on the host (a matrix elsewhere is copied).
/// Cost: one pass over A and one over its transpose.
template <scalar V>
matrix_info inspect(const csr_matrix<V>& a);

}  // namespace ddla
