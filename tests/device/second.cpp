// A second device: the bits of the first, and no confusion between the two.
#include "catch.hpp"
#include "support/random.hpp"
#include "support/run_tests.hpp"
#include "support/same_bits.hpp"

#include "ddla/devices.hpp"
#include "ddla/error.hpp"
#include "ddla/generate.hpp"
#include "ddla/sparse_format.hpp"
#include "ddla/stream.hpp"

#include <cuda_runtime_api.h>

using ddla::dd_real;
using ddla::vector;
using test::same_bits;

namespace {

constexpr ddla::place first = ddla::device(0), second = ddla::device(1);

int current_device()
{
    int index = -1;
    cudaGetDevice(&index);
    return index;
}

}  // namespace

int main(int argc, char** argv)
{
    const std::size_t count = ddla::devices().size();
    return test::run_tests(count >= 2   ? nullptr
                           : count == 1 ? "one CUDA device alone"
                                        : "no CUDA device",
                           argc, argv);
}

TEMPLATE_TEST_CASE("vectors on two devices", "[device]", double, dd_real)
{
    const auto x = test::random_vector<TestType>(100'001, 1);
    const auto on_first = x.to(first), on_second = x.to(second);
    CHECK(on_second.where() == second);
    CHECK(same_bits(on_second, x));
    CHECK(same_bits(on_first.to(second), x));
    CHECK(same_bits(on_second.to(first), x));
    CHECK(same_bits(ddla::dot(on_second, on_second), ddla::dot(x, x)));
    CHECK(ddla::hash_of(on_second) == ddla::hash_of(x));
    CHECK_THROWS_WITH(ddla::dot(on_first, on_second), "dot: x lives at device 0, y at device 1");
}

TEMPLATE_TEST_CASE("solves on the second device", "[device]", double, dd_real)
{
    for (const ddla::index_t side : {10, 60})  // in one kernel, and in many
        for (const auto format : {ddla::sparse_format::csr, ddla::sparse_format::slices}) {
            const auto a = ddla::generate::convection_diffusion(side, side, side);
            const vector<TestType> b(a.rows(), 1.0);
            vector<TestType> here(a.rows()), there(a.rows(), second);
            const ddla::solve_options options{
                .method = ddla::method::bicgstab, .tolerance = 0, .max_iterations = 20};
            const auto expected = ddla::solve(a, b, here, options);
            auto da = a.to(second);
            ddla::set_format(da, {.format = format});
            const auto report = ddla::solve(da, b.to(second), there, options);
            CHECK(report.where == second);
            CHECK(report.solution_hash == expected.solution_hash);
            CHECK(same_bits(there, here));
        }
}

TEST_CASE("the device that was current is current again", "[device]")
{
    const auto x = test::random_vector<dd_real>(1000, 2);
    for (const int before : {0, 1}) {
        REQUIRE(cudaSetDevice(before) == cudaSuccess);
        for (const ddla::place at : {first, second}) {
            CHECK(same_bits(ddla::nrm2(x.to(at)), ddla::nrm2(x)));
            CHECK(current_device() == before);
        }
    }
    cudaSetDevice(0);
}

TEST_CASE("streams of two devices", "[device][streams]")
{
    const auto x = test::random_vector<dd_real>(1000, 3);
    const auto on_second = x.to(second);
    REQUIRE(cudaSetDevice(1) == cudaSuccess);
    cudaStream_t native = nullptr;
    REQUIRE(cudaStreamCreateWithFlags(&native, cudaStreamNonBlocking) == cudaSuccess);
    cudaSetDevice(0);
    {
        ddla::stream on(second, native);
        CHECK(same_bits(ddla::nrm2(on, on_second.view()), ddla::nrm2(x)));
        const auto on_first = x.to(first);
        CHECK_THROWS_AS(ddla::nrm2(on, on_first.view()), ddla::input_error);
    }
    cudaStreamDestroy(native);
}
