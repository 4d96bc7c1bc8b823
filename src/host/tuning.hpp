// Numbers of the host backend that were measured: name, unit, evidence.  None of them changes a bit
// of a result.
//
// Measured on an AMD EPYC and an Intel Xeon with AVX-512.  "notes: X" is the page bench/notes/X.md.
// "Chosen": sensible, but no other value was measured.
#pragma once

#include "formats/tuning.hpp"

#include <chrono>

namespace ddla::host_backend::tuning {

/// For conversions: see src/formats/tuning.hpp.  On the host, `automatic` takes patterns or
/// compressed rows, never tiles or slices; slices by name have one lane a row.
inline constexpr formats::tuning of_formats{
    .patterns =
        {
            .rows = 32768,            // below, compressed rows stay in the cache
            .rows_of_kind = 256,      // chosen
            .kinds_of_eight = 1.5,    // each pattern costs a sum of all eight; notes: host_products
            .repeated_beside = true,  // compressed rows do not store values as a byte
            .longest_row = 96,        // as on a device, like the next three: both take patterns
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
/// Elements and entries of a loop that asks whether it goes on (storage/asked_loops.hpp), and those
/// between two questions: about a millisecond in compressed rows, four in tiles.  Chosen.
inline constexpr index_t asked_work = index_t{1} << 20;
inline constexpr index_t work_between_questions = index_t{1} << 17;
/// How long a thread spins before it sleeps: longer than the gap between two sweeps of a solver,
/// far shorter than a time slice.
inline constexpr std::chrono::microseconds spin{20};

/// Triangles.  Elements of a part of their permutations; rows and entries of a level below which it
/// stays on the caller's thread; the fewest rows of a part of a level.  Chosen.
inline constexpr index_t elements_of_triangles = 4096;
inline constexpr index_t shared_work_of_triangles = 2048;
inline constexpr index_t least_rows_of_triangles = 32;
/// Prefetch distance of their permutations, elements; notes: host_triangles.
inline constexpr index_t triangle_elements_ahead = 64;

}  // namespace ddla::host_backend::tuning
