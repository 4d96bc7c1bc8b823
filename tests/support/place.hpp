// Where the shared test cases run, and in how many ways: each program that has them says so, the
// host tests in host_place.cpp, the device suite in device/suite/device_place.cpp.
#pragma once

#include "ddla/place.hpp"
#include "ddla/views.hpp"

#include <functional>
#include <vector>

namespace test {

ddla::place place_under_test();

/// Runs a check under every way in which the backend there cuts its work: instruction sets and
/// numbers of threads, or schedules.
void under_every_cut(const std::function<void()>& check);

/// Under those of them that have the least in common: for checks in which numbers matter, not
/// sizes.
void under_few_cuts(const std::function<void()>& check);

/// Around tiles, tiles of tiles, and where the backend there changes how it cuts its work.
const std::vector<ddla::index_t>& sizes();

/// For checks of many numbers that have to be done under every cut: three levels of sums.
inline constexpr ddla::index_t three_levels = 65537;

/// After how many iterations the host looks, in solves under one more cut.
std::vector<std::int64_t> next_intervals();

}  // namespace test
