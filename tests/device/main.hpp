// The main of a test program that needs a device.
#pragma once

#include "catch.hpp"

#include <cstdio>

namespace test {

/// Without what it needs, says what is missing and how many test cases that skips, and returns 4,
/// which says "skipped" to ctest and tests/device/run (Catch2 2 has no SKIP).
inline int run_tests(const char* missing, int argc, char** argv)
{
    if (missing) {
        const auto& all = Catch::getRegistryHub().getTestCaseRegistry();
        const std::size_t cases = all.getAllTests().size();
        std::printf("skipped: %s (%zu test case%s)\n", missing, cases, cases == 1 ? "" : "s");
        return 4;
    }
    // Catch2 2 returns the number of failures, and four of them are no skip.
    return Catch::Session().run(argc, argv) == 0 ? 0 : 1;
}

}  // namespace test
