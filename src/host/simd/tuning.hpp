// Measured numbers of sums over vectors and over rows, as host/tuning.hpp has those of the rest of
// the host backend.
#pragma once

#include "ddla/views.hpp"

namespace ddla::host_backend::tuning {

/// Prefetch distance of sums over vectors, elements; notes: host_vectors.
inline constexpr index_t elements_ahead = 128;
/// Prefetch distance of products of compressed rows, entries: 6 KB, some 500 ns; notes:
/// host_products.
inline constexpr index_t entries_ahead = 512;
/// Rows of at most so many entries are short, by the words of x; notes: host_products.
constexpr int longest_short_row(int words)
{
    return words == 1 ? 16 : 8;
}
/// So many vectors are interleaved for products of compressed rows, by their words: eight at once
/// take as long as 4 to 5 in double-double, 3 to 4 in double, one after the other; notes:
/// host_columns.
constexpr int fewest_interleaved(int words)
{
    return words == 1 ? 4 : 5;
}
/// Rows of fewer full groups of eight entries have straight-line code.  Twice as many take the
/// compiler twice as long for nothing with AVX-512 and 5 % with AVX2; notes: host_products.
inline constexpr int straight_eights = 8;

}  // namespace ddla::host_backend::tuning
