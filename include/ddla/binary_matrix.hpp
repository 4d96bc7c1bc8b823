// Matrices in a binary file: read and written as they are in memory, several times as fast as text.
//
//     ddla::write_binary_matrix("a.ddla", a);
//     const auto same = ddla::read_matrix<double>("a.ddla");   // every reader of matrices reads it
//
// What the file has, all numbers in the little-endian order: docs/files.md#binary-matrices.
#pragma once

#include "csr_matrix.hpp"

#include <filesystem>

namespace ddla {

/// Compressed rows, their entries in the order of the matrix, values with all their words.
/// is_complex: the matrix is the real form of a complex one (complex.hpp).  `.gz` compresses; then
/// ranks cannot read parts of it.  The file is written beside the target and renamed, so that a
/// failure leaves the target as it was.  Throws input_error for values that are not finite, for a
/// matrix at a device and for a name that promises another format, resource_error where writing
/// fails.  Cost: one pass.
template <scalar V>
void write_binary_matrix(const std::filesystem::path& file, const csr_matrix<V>& a,
                         bool is_complex = false);

}  // namespace ddla
