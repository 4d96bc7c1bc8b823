// Which solves of a device are kernels of many iterations or of several steps, and how many threads
// share a row: what follows from numbers alone.
#include "catch.hpp"

#include "device/schedule/schedule.hpp"

using ddla::index_t;
using ddla::tile_size;
using ddla::device_backend::iterates_in_one_kernel;
using ddla::device_backend::schedule;
using ddla::device_backend::sweeps_together;
using ddla::device_backend::threads_of_row;

TEST_CASE("small systems may have a block for each tile", "[schedule]")
{
    constexpr index_t most = tile_size * tile_size;
    CHECK(iterates_in_one_kernel({}, 1, 32));
    CHECK(iterates_in_one_kernel({}, most, 32));
    CHECK_FALSE(iterates_in_one_kernel({}, 0, 0));
    CHECK_FALSE(iterates_in_one_kernel({}, most + 1, 32));
    CHECK_FALSE(iterates_in_one_kernel({}, most, 33));
    const schedule two{.resident_tiles = 2};
    CHECK(iterates_in_one_kernel(two, 512, 32));
    CHECK_FALSE(iterates_in_one_kernel(two, 513, 32));
    CHECK_FALSE(iterates_in_one_kernel({.resident_tiles = -1}, 1, 1));
}

TEST_CASE("steps between two products may share a kernel", "[schedule]")
{
    constexpr index_t group = tile_size * tile_size;
    constexpr index_t most = tile_size * group;  // sums in 256 groups
    for (const int words : {1, 2}) {
        const index_t few = words == 1 ? 15 * tile_size : 127 * tile_size;
        CHECK_FALSE(sweeps_together({}, 0, words));
        CHECK_FALSE(sweeps_together({}, few, words));
        CHECK(sweeps_together({}, few + 1, words));
        CHECK(sweeps_together({}, most, words));
        CHECK_FALSE(sweeps_together({}, most + 1, words));
        const schedule all{.sequence_tiles = INT64_MAX};
        CHECK_FALSE(sweeps_together(all, 0, words));
        CHECK(sweeps_together(all, 1, words));
        CHECK(sweeps_together(all, most, words));
        CHECK_FALSE(sweeps_together(all, most + 1, words));
        const schedule two{.sequence_tiles = 2};
        CHECK(sweeps_together(two, 2 * tile_size, words));
        CHECK_FALSE(sweeps_together(two, 2 * tile_size + 1, words));
        CHECK_FALSE(sweeps_together({.sequence_tiles = -1}, group + 1, words));
    }
}

TEST_CASE("compressed rows have several threads each where they are long and alike", "[schedule]")
{
    const auto threads = [](index_t rows, double mean, index_t longest, int words) {
        return threads_of_row({}, rows, index_t(mean * double(rows)), longest, words);
    };
    for (const int words : {1, 2}) {
        for (const double mean : {30.0, 35.5}) CHECK(threads(1000000, mean, 40, words) == 2);
        CHECK(threads(1000000, 36, 40, words) == 4);
        CHECK(threads(1000000, 72, 80, words) == 8);
        CHECK(threads(1000000, 200, 256, words) == 16);
        // More, where they are few.
        CHECK(threads(131072 / 4, 36, 40, words) == 4);
        CHECK(threads(131072 / 4 - 1, 36, 40, words) == 8);
        CHECK(threads(1000, 9, 9, words) == 2);
        CHECK(threads(1, 256, 256, words) == 32);
        // Short ones; ones that are much longer than others; those of several tiles or of unknown
        // length; none.
        CHECK(threads(1000, 7, 7, words) == 0);
        CHECK(threads(1000, 40, 160, words) > 0);
        CHECK(threads(1000, 40, 161, words) == 0);
        CHECK(threads(1000, 250, 257, words) == 0);
        CHECK(threads(1000, 250, INT64_MAX, words) == 0);
        CHECK(threads(0, 0, 0, words) == 0);
    }
    // In double it is faster to load them as they come, up to 32 entries.
    CHECK(threads(32768, 20, 32, 1) == 4);
    CHECK(threads(32769, 20, 32, 1) == 0);
    CHECK(threads(1000000, 27, 33, 1) == 0);
    CHECK(threads(1000000, 9, 9, 2) == 1);
    CHECK(threads(1000000, 27, 27, 2) == 2);
    // Whoever asks for some has them, but for rows of several tiles.
    CHECK(threads_of_row({.threads_per_row = 16}, 10, 10, 1, 1) == 16);
    CHECK(threads_of_row({.threads_per_row = 16}, 10, 10, 257, 1) == 0);
    CHECK(threads_of_row({.threads_per_row = -1}, 1000, 40000, 40, 2) == 0);
}
