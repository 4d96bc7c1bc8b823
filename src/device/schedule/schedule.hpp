// How sweeps are divided into blocks and threads.  No bit of a result depends on it.
#pragma once

#include "ddla/summation.hpp"
#include "device/tuning.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace ddla::device_backend {

/// Zero lets the backend choose.
struct schedule {
    int tiles_per_block = 0;  ///< a power of two up to 256
    /// The number of tiles from which on a warp, not a block, sums a tile of elements.
    index_t warp_tiles_from = 0;
    int iterations_per_graph = 0;  ///< 1 launches each step by itself
    /// Most tiles of a system whose iterations are one kernel, each tile with a block of its own;
    /// they must all fit on the device at once.  Negative: no kernels of many iterations at all.
    int resident_tiles = 0;
    /// Most tiles for which steps over elements that follow on one another are one kernel, down to
    /// a single one.  Negative: always a kernel each.
    index_t sequence_tiles = 0;
    int sequence_blocks = 0;  ///< most blocks of such a kernel; zero: one per SM
    /// Negative: a product never leaves the sums of the step that it belongs to.
    int product_sums = 0;
    /// Of products of compressed rows, a power of two up to 32.  Negative: a warp takes the entries
    /// of 32 rows as they come.
    int threads_per_row = 0;
    /// Negative: no programmatic dependent launch.
    int early_launch = 0;
    /// Negative: factors never use tensor cores.
    int tensor_products = 0;
    /// Of factors: how many large tiles a level must have to be cut into them, not into small ones.
    index_t large_tiles_from = 0;
    /// Negative: solves with factors never copy panels into shared memory.
    int staged_panels = 0;
};

/// Rows of at most so many entries are summed several at once by a warp.
inline constexpr int longest_together = 32;
/// The most tiles of a sweep sequence: 256 groups, each of 256 tiles.
inline constexpr index_t most_sequence_tiles = index_t(tile_size) * tile_size;

/// Whether there are few tiles and no long rows, for which a warp would wait repeatedly.  Even then
/// it may be that not all blocks fit on the device at once.
inline bool iterates_in_one_kernel(const schedule& s, index_t rows, index_t longest_row)
{
    const int most = s.resident_tiles == 0 ? tile_size : s.resident_tiles;
    return rows > 0 && tiles(rows) <= std::min(most, tile_size) && longest_row <= longest_together;
}
/// Whether steps over n elements that follow on one another, in numbers of so many words, share a
/// kernel.  Of few tiles a block a tile is faster.
inline bool sweeps_together(const schedule& s, index_t n, int words)
{
    const index_t m = tiles(n);
    if (s.sequence_tiles != 0) return m > 0 && m <= std::min(s.sequence_tiles, most_sequence_tiles);
    return m >= tuning::least_sequence_tiles(words) && m <= most_sequence_tiles;
}
/// Threads a row, each with every so-many-th entry, in a product of compressed rows; 0 where it is
/// faster, or all that can be done, that a warp takes the entries of 32 rows as they come: where
/// all rows are short, where some are longer than a tile or much longer than the mean, and in
/// double, unless rows are few, where most have no more than 32 entries.
inline int threads_of_row(const schedule& s, index_t rows, index_t entries, index_t longest_row,
                          int words)
{
    if (rows == 0 || longest_row > tile_size) return 0;
    if (s.threads_per_row != 0) return std::max(s.threads_per_row, 0);
    const double mean = double(entries) / double(rows);
    if (double(longest_row) < tuning::shortest_in_groups ||
        double(longest_row) > tuning::longest_of_mean_in_groups * mean)
        return 0;
    if (words == 1 && rows > tuning::few_rows &&
        (longest_row <= longest_together || mean < tuning::mean_in_groups_double))
        return 0;
    const auto by_mean =
        std::find_if(std::begin(tuning::threads_by_mean), std::end(tuning::threads_by_mean),
                     [&](const auto& t) { return mean < t.shorter_than; });
    const int threads = by_mean->threads;
    return rows * threads < tuning::threads_that_fill ? 2 * threads : threads;
}
/// How many kernels of many iterations were started since the program began.
std::int64_t resident_kernels();
void count_resident_kernel();
/// How many kernels of several steps were started or recorded since the program began.
std::int64_t sweep_sequence_kernels();
void count_sweep_sequence_kernel();
/// How many products that left sums of tiles were started or recorded since the program began.
std::int64_t products_with_sums();
void count_product_with_sums();
/// How many solves with factors that stay at a device were done since the program began.
std::int64_t solves_with_factors();
void count_solve_with_factors();

/// How many iterations of programs were recorded since the program began.
std::int64_t program_graphs();
void count_program_graph();

/// What was chosen, and, where the environment turns something off, that:
///     DDLA_EARLY_LAUNCH=0   no programmatic dependent launch
///     DDLA_GRID_KERNELS=0   no cooperative kernels
/// Throws input_error if one of them is neither 0 nor 1.
schedule current_schedule();
/// For tests and measurements.
void choose_schedule(const schedule& wanted);

}  // namespace ddla::device_backend
