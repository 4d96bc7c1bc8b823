// The arrays that cuSPARSE wants and ddla's matrices do not have, made on the device.
#pragma once

#include "ddla/csr_matrix.hpp"

#include <cuda_runtime_api.h>

namespace bench {

/// The offsets of the rows in 32 bits.  Throws input_error for 2^31 entries and more.
ddla::buffer narrow_row_begin(const ddla::csr_matrix<double>& a, cudaStream_t stream);

/// Slices of 32 rows, each padded to its longest row and stored by columns.  Padding has column -1.
struct sliced_arrays {
    static constexpr int rows = 32;  ///< of a slice
    static constexpr double most_padding = 8;

    ddla::buffer begin, column, value;
    std::int64_t slots = 0;  ///< entries stored, those of padding included
};

/// Throws resource_error if there would be more than most_padding slots for each entry, or 2^31.
sliced_arrays slices_of(const ddla::csr_matrix<double>& a, cudaStream_t stream);

}  // namespace bench
