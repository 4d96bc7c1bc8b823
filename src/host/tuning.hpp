// Every number of the host backend that was measured: name, unit, evidence.  None of them changes a
// bit of a result.
//
// Measured on an AMD EPYC and an Intel Xeon with AVX-512.  "notes: X" is the page bench/notes/X.md.
// "Chosen": sensible, but no other value was measured.
#pragma once

#include "formats/tuning.hpp"

#include <chrono>

namespace ddla::host_backend::tuning {

/// For conversions: src/formats/tuning.hpp says what each one is.  `automatic` takes patterns or
/// compressed rows here, never tiles or slices; slices by name have a row a lane.
inline constexpr formats::tuning of_formats{
    .patterns =
        {
            .rows = 32768,            // below, compressed rows stay in the cache
            .rows_of_kind = 256,      // chosen
            .kinds_of_eight = 1.5,    // all eight are summed for each kind; notes: host_products
            .repeated_beside = true,  // compressed rows do not read a byte a value
            .longest_row = 96,        // as on a device, so that both take patterns; so what follows
            .slots_of_entry = 4,
            .rows_if_long = 65536,
            .sampled_rows = 4096,
        },
    .tiles = {},
    .even = {},
    .slices = {},
    .sorting = {.part = 16, .slots = 64},  // chosen
};

/// Elements and matrix entries below which a sweep stays on the caller's thread: waking others
/// costs more, and on a busy machine far more, than they could save.  notes: host_vectors.
inline constexpr index_t worth_sharing = 32768;
/// Pieces of a sweep for each thread, so that a slow one does not hold up the rest.  Chosen.
inline constexpr index_t chunks_per_thread = 8;
/// How long a thread spins before it sleeps: longer than the gap between two sweeps of a solver,
/// far shorter than a time slice.
inline constexpr std::chrono::microseconds spin{20};

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
/// Up to so many whole eights a row has straight code of its own, by the words of A: of more, GCC
/// makes worse code of all of it.
constexpr int straight_eights(int words_of_matrix)
{
    return words_of_matrix == 1 ? 16 : 8;
}

}  // namespace ddla::host_backend::tuning
