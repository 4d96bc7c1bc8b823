// Formats that were found to be the fastest, remembered between runs.
//
//     const ddla::remembered_format known = ddla::recall_format<ddla::dd_real>(a);
//     ddla::set_format(a, known.options.value_or(ddla::format_options{}));
//
// The memory is a file of at most 1000 entries, ddla/formats.json in $XDG_CACHE_HOME, which is
// $HOME/.cache unless it is set to an absolute path.  An entry holds for the structure of a matrix
// (its sizes and where its entries are, not their values), the name of the device or the host, the
// precisions of vectors and values, and the version of ddla.  Nothing in ddla looks there unless it
// is asked to.
#pragma once

#include "csr_matrix.hpp"
#include "sparse_format.hpp"
#include "tune.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace ddla {

struct remembered_format {
    std::optional<format_options> options;  ///< nothing if none is known
    double seconds = 0;                     ///< of a product, when it was measured
    std::string problem;  ///< why the file was ignored, in one sentence; else empty
};

/// The format remembered for products of `a` with vectors of T where `a` lives.  A file that cannot
/// be read or understood is ignored, never thrown for; `problem` says why.
/// Cost: reading the file; a pass over the structure if it has a matrix of these sizes.
template <scalar T, scalar V>
requires acts_on<T, V> remembered_format recall_format(const csr_matrix<V>& a);

/// Remember a format as the fastest for products of `a` with vectors of T where `a` lives, and
/// return the file.  The file is replaced as a whole: of several processes that write it at once
/// the last one wins; a file that cannot be understood is replaced by a new one.
/// Throws resource_error if there is no such folder, or nothing can be written there.
template <scalar T, scalar V>
requires acts_on<T, V> std::filesystem::path remember_format(const csr_matrix<V>& a,
                                                             const measured_format& fastest);

/// The file; empty if neither XDG_CACHE_HOME nor HOME is an absolute path.
std::filesystem::path format_memory();

/// Remove the file; false if there was none.  Throws resource_error if it cannot be removed.
bool forget_formats();

/// A hash of the sizes of a matrix and of the places of its entries, the same wherever it lives.
template <scalar V>
std::uint64_t structure_hash(const csr_matrix<V>& a);

}  // namespace ddla
