// The device suite: everything that the device computes has the bits of the host.
#define CATCH_CONFIG_RUNNER
#include "catch.hpp"

#include "ddla/devices.hpp"

#include <cstdio>

/// Exit code 4 says "skipped" to ctest (Catch2 2 has no SKIP).
int main(int argc, char** argv)
{
    if (ddla::devices().empty()) {
        std::puts("skipped: no CUDA device");
        return 4;
    }
    return Catch::Session().run(argc, argv);
}
