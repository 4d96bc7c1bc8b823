// Run a check under every way in which the device backend cuts its work.
#pragma once

#include "device/under_schedule.hpp"
#include "support/random.hpp"
#include "support/same_bits.hpp"

#include <vector>

namespace test {

inline constexpr ddla::place gpu = ddla::device(0);

/// The backend's own choice, which takes whole systems in one kernel wherever they fit, single
/// steps and tiles, cuts unlike both, with all steps between two products in one kernel and with
/// none, compressed rows as they come and with few or many threads each, and without
/// programmatic dependent launch.
inline const std::vector<ddla::device_backend::schedule>& schedules()
{
    constexpr ddla::index_t never = INT64_MAX;
    static const std::vector<ddla::device_backend::schedule> all{
        {},
        {1, 1, 1, -1, -1, 0, 0, -1, -1},
        {4, never, 2, -1, never, 0, 0, -1},
        {2, never, 2, -1, never, 0, 0, 2},
        {256, 1, 3, -1, -1, 0, 0, -1},
        {16, never, 8, -1, never, 3, 0, 32}};
    return all;
}

template <class Check>
void under(const ddla::device_backend::schedule& s, const Check& check)
{
    INFO("tiles per block " << s.tiles_per_block << ", warp tiles from " << s.warp_tiles_from
                            << ", iterations per graph " << s.iterations_per_graph
                            << ", resident tiles " << s.resident_tiles << ", sequence tiles "
                            << s.sequence_tiles << ", sequence blocks " << s.sequence_blocks
                            << ", product sums " << s.product_sums << ", threads a row "
                            << s.threads_per_row << ", early launch " << s.early_launch);
    const under_schedule here(s);
    check();
}

template <class Check>
void under_every_schedule(const Check& check)
{
    for (const auto& s : schedules()) under(s, check);
}

}  // namespace test
