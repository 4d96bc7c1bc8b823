// What a table says of a matrix.
#pragma once

#include "ddla/csr_matrix.hpp"

namespace bench {

struct matrix_shape {
    ddla::index_t rows = 0, columns = 0, entries = 0;
    ddla::index_t shortest = 0, longest = 0;  ///< rows
    double mean = 0, deviation = 0;           ///< of the lengths of the rows
    bool ascending = true;                    ///< columns in all rows, without duplicates
};

/// Of a matrix on the host.
matrix_shape shape_of(const ddla::csr_matrix<double>& a);

}  // namespace bench
