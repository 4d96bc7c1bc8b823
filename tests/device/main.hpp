// The main of a test program that needs a device.
#pragma once

#include "support/run_tests.hpp"

namespace test {

/// Without what it needs (`missing` says what), skips all cases.
inline int run_tests(const char* missing, int argc, char** argv)
{
    return missing ? skip_all(missing) : run_tests(argc, argv);
}

}  // namespace test
