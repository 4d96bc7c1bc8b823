// The systems that have reference answers: matrices as stored in double, and right-hand sides.
//
// A matrix is known by its name: a generated one (generated_names), or NAME.mtx or NAME.mtx.gz in a
// folder.  Both are the same bits on every machine.  docs/reference.md describes them.
#pragma once

#include "ddla/csr_matrix.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace reference {

/// Names of the matrices that are generated: hilbert_10, rump_40, ...
const std::vector<std::string>& generated_names();
bool is_generated(const std::string& name);

/// A generated matrix.  Throws ddla::input_error for any other name.
ddla::csr_matrix<double> generated_matrix(const std::string& name);

/// NAME.mtx or NAME.mtx.gz of the folder; nothing if neither is there.
std::optional<std::filesystem::path> file_of(const std::string& name,
                                             const std::filesystem::path& folder);

/// The 64-bit FNV-1a hash of the sizes and of the position and the bits of each stored entry, in
/// the order of rows and columns.
std::uint64_t hash_of(const ddla::csr_matrix<double>& a);

/// Same pattern and bits as its transpose.
bool is_symmetric(const ddla::csr_matrix<double>& a);

/// Right-hand sides that need no file:
///   ones    all 1
///   random  multiples of 2^-20 in [-1, 1), from a hash of the index
///   unit    1 in row n / 2 (from 0), else 0
/// "large" is stored with its answers.  Throws ddla::input_error for any other name.
std::vector<double> right_hand_side(const std::string& name, ddla::index_t n);

}  // namespace reference
