// What the environment turns off.  A program of its own, for it is read once.
#include "catch.hpp"
#include "support/run_tests.hpp"
#include "support/same_bits.hpp"

#include "ddla/devices.hpp"
#include "ddla/error.hpp"
#include "ddla/generate.hpp"
#include "ddla/solve.hpp"
#include "device/schedule/schedule.hpp"

#include <cstdlib>
#include <string>

namespace {

constexpr ddla::place gpu = ddla::device(0);

std::string message_of_dot()
try {
    const ddla::vector<double> x(10, 1.0, gpu);
    (void)ddla::dot(x, x);
    return "";
} catch (const ddla::input_error& e) {
    return e.what();
}

}  // namespace

TEST_CASE("the environment turns off kernels that start early and kernels that wait")
{
    setenv("DDLA_GRID_KERNELS", "no", 1);
    CHECK(message_of_dot() == "DDLA_GRID_KERNELS is \"no\", not 0 or 1");
    setenv("DDLA_GRID_KERNELS", "0", 1);
    setenv("DDLA_EARLY_LAUNCH", "2", 1);
    CHECK(message_of_dot() == "DDLA_EARLY_LAUNCH is \"2\", not 0 or 1");
    setenv("DDLA_EARLY_LAUNCH", "0", 1);
    CHECK(message_of_dot() == "");
    CHECK(ddla::device_backend::current_schedule().early_launch < 0);

    // A system that would be one kernel, and one whose steps would share kernels.
    for (const ddla::index_t n : {12, 40}) {
        const auto a = ddla::generate::convection_diffusion(n, n, n);
        const ddla::vector<double> b(a.rows(), 1.0);
        const ddla::solve_options options{.method = ddla::method::bicgstab, .tolerance = 1e-10};
        ddla::vector<double> x(a.rows()), x_there(a.rows(), gpu);
        const auto here = ddla::solve(a, b, x, options);
        const auto there = ddla::solve(a.to(gpu), b.to(gpu), x_there, options);
        CHECK(here.iterations == there.iterations);
        CHECK(test::same_bits(x_there.to(ddla::host), x));
    }
    CHECK(ddla::device_backend::resident_kernels() == 0);
    CHECK(ddla::device_backend::sweep_sequence_kernels() == 0);
}

int main(int argc, char** argv)
{
    return test::run_tests(ddla::devices().empty() ? "no CUDA device" : nullptr, argc, argv);
}
