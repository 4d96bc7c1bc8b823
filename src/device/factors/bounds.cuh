// Where the rows of an update begin that tiles of its supernode have.
#pragma once

#include "numbers.cuh"

#include "factor/fronts/front_tasks.hpp"

namespace ddla::device_backend {

inline constexpr int warps_of_bounds = 4;
/// Of levels that are looked at together: 16 MB.
inline constexpr index_t most_bounds = index_t{1} << 22;

struct bounds_lists {
    column_t* bound;
    const index_t* begin;         ///< of the first update of each supernode
    const index_t* update_begin;  ///< which update that is

    /// Those of update k: for each unit of its supernode the first row of the update that is in
    /// that unit or behind it, then the number of rows.
    __device__ column_t* of_update(column_t q, index_t k, int units) const
    {
        return bound + begin[q] + (k - update_begin[q]) * (units + 1);
    }
};

/// Bounds of the updates of tasks, a warp each.
static __global__ void __launch_bounds__(warps_of_bounds* warp_size)
    find_bounds(supernode_lists s, bounds_lists bounds, const factor::bounds_task* tasks)
{
    const factor::bounds_task task = tasks[blockIdx.x];
    const int warp = threadIdx.x / warp_size, lane = threadIdx.x % warp_size;
    if (warp >= task.count) return;
    const supernode_place q(s, task.supernode);
    const int units = (q.blocks() + task.unit - 1) / task.unit;
    const index_t k = task.first + warp;
    column_t* const bound = bounds.of_update(task.supernode, k, units);
    const factor::supernode_update u = s.updates[k];
    const column_t* const row = s.row + s.row_begin[u.from];
    const auto below = static_cast<column_t>(s.row_begin[u.from + 1] - s.row_begin[u.from]);
    int before = -1;
    for (column_t at = u.begin; at <= below; at += warp_size) {
        const column_t i = at + lane;
        int mine = units;
        if (i < below) {
            const column_t r = row[i];
            const column_t slot =
                r < q.first + q.width
                    ? r - q.first
                    : 8 * q.own_blocks() + first_from(s.row + q.row_begin, 0, q.below, r);
            mine = slot / 8 / task.unit;
        }
        const int previous = __shfl_up_sync(whole_warp, mine, 1);
        for (int t = (lane == 0 ? before : previous) + 1; t <= mine && i <= below; ++t)
            bound[t] = i;
        before = __shfl_sync(whole_warp, mine, warp_size - 1);
    }
}

}  // namespace ddla::device_backend
