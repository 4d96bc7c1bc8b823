// How sweeps are cut into blocks and threads.  No bit of a result depends on it.
#pragma once

#include "ddla/summation.hpp"

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

schedule current_schedule();
/// For tests and measurements.
void choose_schedule(const schedule& wanted);

}  // namespace ddla::device_backend
