// How sweeps are cut into blocks and threads.  No bit of a result depends on it.
#pragma once

#include "ddla/summation.hpp"

#include <algorithm>
#include <cstdint>

namespace ddla::device_backend {

/// Zero lets the backend choose.
struct schedule {
    int tiles_per_block = 0;  ///< a power of two up to 256
    /// The number of tiles from which on a warp, not a block, sums a tile of elements.
    index_t warp_tiles_from = 0;
    int iterations_per_graph = 0;  ///< 1 launches each step by itself
    /// Most tiles of a system whose iterations are one kernel; they must all fit on the device at
    /// once.  Negative: none.
    int persistent_tiles = 0;
};

/// A row of so many entries is summed together with those beside it by a warp.
inline constexpr int longest_together = 32;
/// Iterations that one kernel does at most: so many take some milliseconds.
inline constexpr index_t iterations_per_kernel = 512;

/// Few tiles, and no rows for which a warp would have to wait again and again.  Even then it may be
/// that not all blocks can be on the device at once.
inline bool iterates_in_one_kernel(const schedule& s, index_t rows, index_t longest_row)
{
    const int most = s.persistent_tiles == 0 ? tile_size : s.persistent_tiles;
    return rows > 0 && tiles(rows) <= std::min(most, tile_size) && longest_row <= longest_together;
}
/// How many such kernels were started since the program began.
std::int64_t kernels_of_iterations();
void count_kernel_of_iterations();

schedule current_schedule();
/// For tests and measurements.
void choose_schedule(const schedule& wanted);

}  // namespace ddla::device_backend
