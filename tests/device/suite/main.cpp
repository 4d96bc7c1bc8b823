// The device suite: everything that the device computes has the bits of the host.
#include "support/run_tests.hpp"

#include "ddla/devices.hpp"

int main(int argc, char** argv)
{
    return test::run_tests(ddla::devices().empty() ? "no CUDA device" : nullptr, argc, argv);
}
