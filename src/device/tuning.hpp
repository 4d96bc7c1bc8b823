// Numbers of the device backend that were measured: name, unit, evidence.  None of them changes a
// bit of a result.
//
// Measured on an H200 (132 SMs, 50 MB of L2 cache), CUDA 13.0.  "notes: X" is the page
// bench/notes/X.md.  "Registers" stands where the compiler decides: as many blocks on an
// SM as kernels without a spill allow; scripts/kernels shows what each of them has.
// "Chosen": sensible, but no other value was measured.
#pragma once

#include "formats/tuning.hpp"

namespace ddla::device_backend::tuning {

/// For conversions: src/formats/tuning.hpp says what each one is.
inline constexpr formats::tuning of_formats{
    .patterns =
        {
            .rows = 0,                 // no limit: few rows are solved from compressed rows
            .rows_of_kind = 256,       // chosen: a tile each
            .kinds_of_eight = 8,       // no limit: a thread has a row of its own
            .repeated_beside = false,  // slices read a byte a value; notes: device_patterns
            .longest_row = 96,         // rows of 129 lose; notes: device_patterns
            .slots_of_entry = 4,       // chosen
            .rows_if_long = 65536,     // chosen: below, slices give a row several threads
            .sampled_rows = 4096,      // chosen
        },
    .tiles =
        {
            .rows = 65536,            // 256 lists: two blocks an SM; notes: device_tiles
            .entries_of_row = 8,      // a leaf; notes: device_tiles
            .part_in_long_rows = 16,  // chosen: those are read from compressed rows
            .entries_of_column = 2,   // notes: device_tiles
            .sampled_lists = 64,      // chosen
            .padding = 1.25,          // notes: device_tiles
            .lists_to_join = 2000,    // 666 lists of 512 rows are 1.3 waves; notes: device_tiles
            .columns_to_join = 1000,  // x in DD: 16 KB, three blocks an SM
        },
    .even =
        {
            .padding = 1.05,  // notes: device_tiles, as the next two
            .far = 0.4,
            .widest = 128,
        },
    .slices =
        {
            .many_rows = 65536,  // chosen, as the next two: a row a lane would leave places empty
            .rows_of_slot = 1024,
            .least_slots = 8,
            .alike = 0.85,  // notes: device_slices, as the next three
            .leaves_of_mean = 1.5,
            .least_leaves = 2,
            .most_leaves = 4,
            .cost_of_slice = 48,  // chosen, as the next one
            .worth_more_lanes = 0.95,
        },
    .sorting = {.part = 16, .slots = 64},  // chosen
};

// Products of compressed rows; notes: device_csr.

/// Threads a row, by its mean length; below `few_rows` in double only where rows are longer.
struct threads_for_row {
    double shorter_than;
    int threads;
};
inline constexpr threads_for_row threads_by_mean[] = {
    {12, 1}, {36, 2}, {72, 4}, {200, 8}, {1e300, 16}};
inline constexpr double shortest_in_groups = 8;         ///< longest row, entries
inline constexpr double longest_of_mean_in_groups = 4;  ///< longest row / mean row
inline constexpr double mean_in_groups_double = 28;     ///< entries, where rows are many
inline constexpr index_t few_rows = 32768;
inline constexpr index_t threads_that_fill = 131072;  ///< fewer: twice as many a row
/// Tiles from which on a block takes two: one that moves few bytes is done before the next starts.
inline constexpr index_t tiles_for_two = 65536;
/// Blocks on an SM: registers.
constexpr int blocks_of_rows(bool staged, int words_of_value)
{
    return !staged ? 1 : words_of_value == 1 ? 3 : 2;
}
constexpr int blocks_of_groups(int words_of_value, bool two_vectors)
{
    return words_of_value == 1 && !two_vectors ? 3 : 2;
}
inline constexpr int blocks_of_short_rows = 4;
/// Bytes of terms that wait in shared memory, of a warp: 3 blocks of 8 warps and the L1 cache.
inline constexpr int staged_bytes_of_warp = 2688;
/// Levels above the leaves of a thread's entries where it sums for two vectors at once: registers.
inline constexpr int levels_of_pairs = 2;
inline constexpr int loads_of_rows = 4;  ///< entries that a thread has in flight, ...
inline constexpr int polls_of_rows = 3;  ///< ... where it polls for x: registers

// Rows of more than 256 entries; notes: device_long_rows.

/// Tiles (or slices) a warp: one for each `pieces_of_turn` of them, within 1 and `most_pieces`.
inline constexpr index_t pieces_of_turn = 16384;
inline constexpr index_t most_pieces = 4;
inline constexpr index_t rows_of_fold = 8192;  ///< the same for a warp that folds their tiles ...
inline constexpr index_t most_rows_of_fold = 8;
inline constexpr int tiles_of_thread = 8;  ///< ... whose rows of so few tiles a thread folds
inline constexpr int blocks_of_fold = 2;   ///< registers

// Products of slices; notes: device_slices, device_gathers.

inline constexpr double scattered = 0.75;  ///< more of the slots are far from the lane before
inline constexpr double interleaved_far = 3. / 7;  ///< the same for x with interleaved words,
inline constexpr index_t interleaved_entries = 8;  ///< if so many entries of a column pay for that
inline constexpr double direct_slots = 5;          ///< of a lane, sorted rows in double, at least
inline constexpr index_t direct_from = 2, direct_to = 128;  ///< entries of a row, in double
inline constexpr index_t staged_if_sorted = 16;  ///< entries of a row, in DD, sorted, at most
inline constexpr index_t short_x = 16384;        ///< columns; 12,000 and 50,000 were measured
inline constexpr int warps_of_slice_block = 4;
/// Slices a warp, of so many at most: with little work in each the device would spend its time on
/// starting blocks, with much of it blocks end too unevenly.
struct slices_of_warp {
    double sorted_alone = 7.5;  ///< slots of a lane from which a warp has one slice, sorted rows
    double sorted_pair = 5;     ///< ... two
    double unlike = 0.6;        ///< mean / widest slice, below
    double single = 1.5;        ///< slots of a lane up to which it has many
    int many = 8;               ///< slices then
    double scattered_alone = 7.5, scattered_alike = 2, alike = 0.9;
    double pair = 16;
};
inline constexpr slices_of_warp slices_of_warp{};
/// Warps on an SM: registers, and the L1 cache that they leave to x.
constexpr int resident_warps(int words, int words_of_matrix, bool staged, bool straight,
                             bool repeats, bool loads_values_first, bool two_vectors)
{
    if (two_vectors) return straight ? 28 : 20;
    if (words == 1) return !staged ? 24 : repeats ? 36 : 40;
    if (straight) return 36;
    if (staged && words_of_matrix == 2) return 28;  // and shared memory has room for no more
    return loads_values_first ? 20 : 32;
}
/// The same for tiles of long rows: fewer leave more of the L1 cache to x.
constexpr int resident_warps_of_tiles(int of_rows, int words_of_matrix, bool staged)
{
    return staged ? of_rows / 8 * 5 : words_of_matrix == 1 ? 28 : 24;
}

// Products of tiles; notes: device_tiles.

inline constexpr int warps_of_tile_block = 8;
inline constexpr int loads_of_list = 4;  ///< elements of x that a thread has in flight
/// Blocks on an SM that fit with some 1000 elements of x: registers.
constexpr int blocks_of_tiles(int words, int words_of_matrix)
{
    return words == 1 ? 4 : words_of_matrix == 1 ? 3 : 2;
}

// Products of patterns; notes: device_patterns.

/// Blocks on an SM: registers.
constexpr int blocks_of_patterns(int words, bool takes_two, bool values_beside)
{
    return words == 2 || takes_two ? 4 : values_beside ? 5 : 6;
}
/// Turns of a block, each a tile: one for every `rows_of_turn` rows, within 1 and these; where a
/// thread has one row at a time no more than one for every `rows_of_long_turn` (2 at least).
/// Measured from 1 to 9 million rows.
inline constexpr index_t rows_of_turn = 1 << 18, rows_of_long_turn = 1 << 20;
inline constexpr int most_turns_of_leaf = 8, most_turns_of_leaves = 2;
inline constexpr int most_summed_turns = 4;  ///< in DD with sums: 16 KB of shared memory

// One kernel a step; notes: device_steps.

/// Tiles from which on a warp, not a block, has a tile.
inline constexpr index_t warp_tiles_of_reads = 1024;   ///< steps that only read
inline constexpr index_t warp_tiles_of_writes = 4096;  ///< other steps
inline constexpr index_t tiles_for_four = 65536;       ///< then a warp takes four tiles at a time
inline constexpr int blocks_of_steps = 3;              ///< on an SM: registers
inline constexpr int blocks_of_sums = 4;               ///< of steps that only read: registers

// All steps between two products in one kernel; notes: device_sweep_sequences.

/// Tiles from which on that is faster than a block a tile.
constexpr index_t least_sequence_tiles(int words)
{
    return words == 1 ? 16 : 128;
}
inline constexpr int tiles_of_sequence_block = 2;  ///< threads of a block, in tiles of 256
/// Elements whose loads a thread has in flight, by the words that a step reads of one.
constexpr int elements_at_once(int words)
{
    return words <= 3 ? 8 : words <= 6 ? 4 : 2;
}
/// Copies of what all blocks look at: 132 that look at one place are in each other's way.
inline constexpr unsigned copies_of_sums = 4;

// Solves with triangles; notes: device_triangles.

inline constexpr int threads_of_triangles = 128;  ///< of a block of a wide span
/// Blocks on an SM, at most: more warps hide more of the latency of rows, and poll more for rows to
/// come.  There are two for each packet of a level, and one on each SM where packets suffice.
inline constexpr int blocks_of_triangles = 4;
inline constexpr int least_blocks_of_triangles = 64;  ///< where the number of SMs is not known
/// Unknowns that a thread polls for at once: registers.
constexpr int polls_of_triangles(int words)
{
    return words == 1 ? 8 : 4;
}

// Many iterations in one kernel; notes: device_small_systems.

inline constexpr index_t iterations_per_kernel = 512;  ///< some milliseconds
inline constexpr int entries_of_resident_row = 8;      ///< kept in registers
/// Blocks on an SM: registers, of which entries in double-double take a second block's.
constexpr int blocks_of_iterations(int words_of_matrix)
{
    return words_of_matrix == 1 ? 2 : 1;
}
inline constexpr int loads_of_resident_row = 4;  ///< elements of x in flight

/// In debug builds, nanoseconds that a thread waits for others at most: under compute-sanitizer all
/// takes a hundred times as long.
#ifndef DDLA_LONGEST_WAIT
#define DDLA_LONGEST_WAIT 60000000000
#endif
inline constexpr unsigned long long longest_wait = DDLA_LONGEST_WAIT;

// Graphs and looks at a solve; notes: device_small_systems.

/// Few enough that recording costs less than a solve, enough that gaps between replays vanish.
inline constexpr index_t iterations_per_graph = 8;
/// Iterations after which the host asks whether a long burst still does anything.
inline constexpr index_t iterations_per_look = 64;
/// Where the caller leaves it open: the wait for a look, 10 microseconds, does not show.
inline constexpr index_t usual_interval = 32;

}  // namespace ddla::device_backend::tuning
