// What a solve with two triangles does at a device, level by level.
//
// Forwards the unknowns of a level take all that comes from outside of their front, each its own
// pivots in ascending order; then the panels of a front follow, each of which updates what is left
// of it.  Backwards it is the other way round: a panel sums over all rows below.
#pragma once

#include "front_tasks.hpp"

namespace ddla::factor {

/// Of a wide panel: its unknowns, and rows below from `first` on that are in its front.
struct forward_task {
    column_t supernode, first;
};
/// Of a wide panel: sums of columns from `column` on; `at`: where those of the panel begin among
/// the sums of its step, counted in columns.
struct sums_task {
    column_t supernode, column;
    index_t at;
};

/// The k-th panels of the fronts of a level.
struct panel_step {
    task_range narrow;    ///< those that are the last of their front: one warp does all of one
    task_range wide;      ///< the others; where their sums begin is beside them
    task_range forward;   ///< of these
    task_range sums;      ///< of those that have rows below
    index_t columns = 0;  ///< of the wide ones
    column_t width = 0;   ///< of the widest of these
};
struct sweep_level {
    task_range unknowns;
    std::vector<panel_step> steps;
};

struct sweep_sizes {
    column_t narrow;  ///< columns of narrow panels at most
    column_t rows;    ///< of a forward_task
    column_t sums;    ///< columns of a sums_task
};

struct sweep_tasks {
    std::vector<column_t> unknowns;                ///< by levels
    std::vector<column_t> front_begin, front_end;  ///< of each supernode: columns of its front
    std::vector<column_t> narrow;
    std::vector<sums_task> wide;  ///< of column 0
    std::vector<forward_task> forward;
    std::vector<sums_task> sums;
    std::vector<sweep_level> levels;
    index_t most_columns = 0;  ///< of the wide panels of a step
};

/// Cost: that of a few lists as long as supernodes and unknowns.
sweep_tasks sweep_tasks_of(const supernodes& s, const sweep_sizes& size);

}  // namespace ddla::factor
