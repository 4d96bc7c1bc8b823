// Solves on a device against the reference answers: reference_answers/solves.cpp.
#include "support/run_tests.hpp"

#include "ddla/devices.hpp"

int main(int argc, char** argv)
{
    return test::run_tests(ddla::devices().empty() ? "no CUDA device" : nullptr, argc, argv);
}
