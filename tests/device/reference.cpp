// Solves on a device against the reference answers: reference/solves.cpp.
#define CATCH_CONFIG_RUNNER
#include "device/main.hpp"

#include "ddla/devices.hpp"

int main(int argc, char** argv)
{
    return test::run_tests(ddla::devices().empty() ? "no CUDA device" : nullptr, argc, argv);
}
