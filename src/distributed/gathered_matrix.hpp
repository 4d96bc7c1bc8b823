// A matrix that all ranks send to rank 0, and what it takes there.
#pragma once

#include "rank_rows.hpp"

#include "refine/factor_stages.hpp"

#include "ddla/csr_matrix.hpp"

#include <optional>

namespace ddla::distributed {

/// A on one rank, in bytes.
std::size_t bytes_of_system(index_t rows, index_t entries, std::size_t bytes_of_value);

/// The limit that the entries alone would pass.
std::optional<refine::passed_limit> passed_by_entries(std::size_t bytes, std::int64_t most_memory);

/// What rank 0 holds while it gathers: columns as they come and as they are kept, and values.
std::size_t bytes_of_gathering(index_t rows, index_t entries, std::size_t bytes_of_value);

/// Throws resource_error on rank 0 unless its machine has the memory for gathering so much.
void require_memory_to_gather(int rank, std::size_t bytes);

/// On rank 0; the others get a matrix without rows.  Every rank calls it.
template <scalar V>
csr_matrix<V> gathered_matrix(const rank_layout& a, const row_parts<V>& parts);

}  // namespace ddla::distributed
