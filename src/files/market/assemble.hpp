// From entries to compressed rows: a counting sort by row that keeps the order of the file.
#pragma once

#include "buckets.hpp"
#include "ddla/csr_matrix.hpp"

namespace ddla::text {

/// Sorts rows by column, sums duplicates in the order of the file.
template <scalar V>
csr_matrix<V> assemble(const header& about, entry_buckets<V>& buckets, sharing how);

}  // namespace ddla::text
