// The device suite: everything that the device computes has the bits of the host.
#define CATCH_CONFIG_RUNNER
#include "device/main.hpp"

#include "ddla/devices.hpp"

int main(int argc, char** argv)
{
    return test::run_tests(ddla::devices().empty() ? "no CUDA device" : nullptr, argc, argv);
}
