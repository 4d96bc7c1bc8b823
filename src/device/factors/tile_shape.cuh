// What a block of threads has of a tile of a supernode, and of the updates that it takes.
#pragma once

#include "bounds.cuh"
#include "definite_panels.cuh"
#include "numbers.cuh"
#include "panels.cuh"

#include "device/schedule/schedule.hpp"
#include "factor/fronts/front_tasks.hpp"

namespace ddla::device_backend {

/// How many warps stand beside each other, and the entries of a thread: 8 I rows and 16 J columns
/// of a warp.
template <class F, bool small>
struct tile_shape {
    static constexpr int down = small ? 1 : 2, across = small ? 1 : 2, I = 4,
                         J = !small && words_of<F> == 1 ? 2 : 1;
    static constexpr int R = down * 8 * I, C = across * 16 * J, warps = down * across,
                         threads = warps * warp_size;
    /// Row-blocks: tiles begin at multiples of it, also in columns.
    static constexpr int unit = (R < C ? R : C) / 8;
    /// Of a step, whose loads are under way while others are multiplied: a small tile has few.
    static constexpr int pivots = small && words_of<F> == 1 ? 16 : 8;
    /// Steps whose loads are under way or done.
    static constexpr int stages = small && words_of<F> == 2 ? 4 : 3;
    /// Blocks on an SM, as registers allow.
    static constexpr int blocks = words_of<F> == 1 ? (small ? 8 : 3) : small ? 4 : 2;
};
/// With fewer large tiles in a level, small ones: more SMs have work, each with fewer updates.
inline constexpr index_t few_large_tiles = 400;
template <class F>
factor::task_sizes sizes_of_tasks()
{
    using small = tile_shape<F, true>;
    using large = tile_shape<F, false>;
    const index_t few = current_schedule().large_tiles_from;
    return {{small::R / 8, small::C, small::unit},
            {large::R / 8, large::C, large::unit},
            few > 0 ? few : few_large_tiles,
            threads_of_rows / 8,
            rows_of_panel_block / 8,
            warps_of_bounds,
            most_bounds};
}

/// What a tile takes of an update.
struct alignas(16) tile_update {
    index_t values;       ///< of the rows below the lower supernode
    const column_t* row;  ///< those rows
    column_t width;       ///< its pivots
    column_t begin, column_begin;
    int rows, columns;
};

template <class F, bool small>
struct shared_tile {
    using shape = tile_shape<F, small>;
    static constexpr int words = words_of<F>, R = shape::R, C = shape::C;
    static constexpr int pivots = shape::pivots, stages = shape::stages, updates = stages + 1;
    /// Whole row-blocks are loaded, of which the first rows may belong to another tile.  With 4
    /// more no two of 16 lanes are in one bank.
    static constexpr int ld_rows = R + 8 + 4, ld_columns = C + 8 + 4, ld = R + 1;

    alignas(16) double rows[stages][words][pivots][ld_rows];
    alignas(16) double columns[stages][words][pivots][ld_columns];
    double tile[words][C][ld];
    tile_update list[shape::threads];
    column_t row_of[R];                                       ///< of the tile, those below
    column_t listed[updates][R], listed_columns[updates][C];  ///< of an update
    short row_at[updates][R], column_at[updates][C];          ///< the same in the tile
    int found[shape::warps];
};

template <class F>
struct tile_arguments {
    supernode_lists s;
    double* target;         ///< values
    const double* rows;     ///< values that are multiplied: those of the rows …
    const double* columns;  ///< … and of what becomes columns
    const factor::tile_task* tasks;
    const column_t* failed;
    bounds_lists bounds;
};

}  // namespace ddla::device_backend
