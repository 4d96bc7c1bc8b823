// What cannot be done on a device is said in one sentence, and leaves the device usable.
#include "cuda_streams.hpp"
#include "everywhere.hpp"

#include "ddla/devices.hpp"
#include "ddla/error.hpp"
#include "ddla/solve.hpp"
#include "device/core/gpu.hpp"

#include <cstdint>
#include <string>

using ddla::index_t;
using test::gpu;

TEST_CASE("mixing places names both", "[device]")
{
    ddla::vector<double> here{1, 2}, there = here.to(gpu);
    CHECK_THROWS_WITH(ddla::dot(here, there), "dot: x lives at host, y at device 0");
    CHECK_THROWS_WITH(ddla::axpy(2.0, there, here), "axpy: x lives at device 0, y at host");
    const ddla::csr_matrix<double> a(2, 2, {0, 1, 2}, {0, 1}, ddla::vector<double>{1, 2});
    CHECK_THROWS_WITH(ddla::solve(a, here, there), "solve: A lives at host, x at device 0");
    CHECK_THROWS_AS(ddla::diagonal(a.to(gpu)), ddla::input_error);
}

TEMPLATE_TEST_CASE("elements at a device are refused", "[device]", double, ddla::dd_real)
{
    const std::string why =
        "the elements of a vector at device 0 cannot be used on the host: copy it with "
        "to(ddla::host)";
    ddla::vector<TestType> x(3, TestType(1), gpu);
    const auto& read = x;
    CHECK_THROWS_AS(x[0] = 2.0, ddla::input_error);
    CHECK_THROWS_WITH(x[0] = 2.0, why);
    CHECK_THROWS_WITH(x[0] += 2.0, why);
    CHECK_THROWS_WITH(x.set(0, 2.0), why);
    CHECK_THROWS_WITH(TestType(read[0]), why);
    CHECK_THROWS_WITH(x.begin(), why);
    CHECK_THROWS_WITH(read.end(), why);
    CHECK(test::same_bits(x, ddla::vector<TestType>(3, TestType(1))));
}

TEST_CASE("out of memory says how much, and leaves the device usable", "[device][alone]")
{
    const auto most = static_cast<index_t>(ddla::devices()[0].bytes);
    ddla::vector<double> before(1000, 2.0, gpu);
    const auto kept = [] {
        std::uint64_t bytes = 0;
        const auto pool = ddla::device_backend::gpu_at(0).pool();
        test::require_cuda(
            cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &bytes));
        return bytes;
    };
    ddla::release_kept_memory(0);
    const std::uint64_t kept_before = kept();
    std::string message;
    try {
        const ddla::vector<double> too_long(most / 4, gpu);
    } catch (const ddla::resource_error& e) {
        message = e.what();
    }
    CHECK(message.find("out of memory on device 0: " + std::to_string(most / 4 * 8) +
                       " bytes were needed in one piece, ") == 0);
    CHECK(message.find(" bytes are free") != std::string::npos);
    CHECK(kept() == kept_before);  // other processes have their memory again
    CHECK(ddla::dot(before, before) == 4000);
}

TEST_CASE("a device that is not there", "[device]")
{
    CHECK_THROWS_AS(ddla::vector<double>(3, ddla::device(1000)), ddla::resource_error);
    CHECK_THROWS_WITH(ddla::vector<double>(3, ddla::device(1000)),
                      "there is no device 1000: this process sees " +
                          std::to_string(ddla::devices().size()) + " NVIDIA GPU" +
                          (ddla::devices().size() == 1 ? "" : "s"));
}

TEST_CASE("a device says what is free and what is wrong", "[device]")
{
    CHECK(ddla::why_no_device() == "");
    const ddla::device_state first = ddla::state_of_device(0);
    CHECK(first.problem == "");
    CHECK(first.usable());
    CHECK(first.free_bytes > 0);
    CHECK(first.free_bytes <= ddla::devices()[0].bytes);
    const ddla::device_state none = ddla::state_of_device(1000);
    CHECK(none.problem.find("there is no device of this number (cudaSetDevice at ") == 0);
    CHECK_FALSE(none.usable());
    CHECK(ddla::versions_of_cuda().driver >= "1");
    // The error of device 1000 is gone: no later launch finds it.
    CHECK(ddla::dot(ddla::vector<double>(9, 1.0, gpu), ddla::vector<double>(9, 1.0, gpu)) == 9);
}

TEST_CASE("what cannot be solved is refused there, too", "[device]")
{
    const ddla::csr_matrix<double> a(2, 2, {0, 1, 2}, {1, 0}, ddla::vector<double>{1, 2});
    const auto da = a.to(gpu);
    ddla::vector<double> x(2, gpu);
    const ddla::vector<double> b(2, 1.0, gpu);
    const auto nan = ddla::vector<double>{1, std::nan("")}.to(gpu);
    CHECK_THROWS_WITH(ddla::solve(da, nan, x), "solve: element 1 of b is Inf or NaN");
    CHECK_THROWS_WITH(
        ddla::solve(da, b, x,
                    {.method = ddla::method::bicgstab, .precond = ddla::preconditioning::jacobi}),
        "solve: Jacobi needs a diagonal without zeros, row 1 of A has none");
}
