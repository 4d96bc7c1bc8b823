// What cannot be done on a device is said in one sentence, and leaves the device usable.
#include "everywhere.hpp"

#include "ddla/devices.hpp"
#include "ddla/error.hpp"
#include "ddla/solve.hpp"
#include "device/check.hpp"

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
    CHECK_THROWS_AS(ddla::transpose(a.to(gpu)), ddla::input_error);
}

TEST_CASE("out of memory says how much, and leaves the device usable", "[device]")
{
    const auto most = static_cast<index_t>(ddla::devices()[0].bytes);
    ddla::vector<double> before(1000, 2.0, gpu);
    std::string message;
    try {
        const ddla::vector<double> too_long(most / 4, gpu);
    } catch (const ddla::resource_error& e) {
        message = e.what();
    }
    CHECK(message.find("out of memory on device 0: " + std::to_string(most / 4 * 8) +
                       " bytes were needed in one piece, ") == 0);
    CHECK(message.find(" bytes are free") != std::string::npos);
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

TEST_CASE("what cannot be solved is refused there, too", "[device]")
{
    const ddla::csr_matrix<double> a(2, 2, {0, 1, 2}, {1, 0}, ddla::vector<double>{1, 2});
    const auto da = a.to(gpu);
    ddla::vector<double> x(2, gpu);
    const ddla::vector<double> b(2, 1.0, gpu);
    const auto nan = ddla::vector<double>{1, std::nan("")}.to(gpu);
    CHECK_THROWS_WITH(ddla::solve(da, nan, x), "solve: element 1 of b is Inf or NaN");
    CHECK_THROWS_WITH(ddla::solve(da, b, x, {.precond = ddla::preconditioner::jacobi}),
                      "solve: Jacobi needs a diagonal without zeros, row 1 of A has none");
}

TEST_CASE("errors of the runtime become sentences", "[device]")
{
    using ddla::device_backend::check;
    const auto text = [](cudaError_t status) -> std::string {
        try {
            check(status, "cudaCall");
        } catch (const ddla::resource_error& e) {
            return std::string("resource: ") + e.what();
        } catch (const ddla::internal_error& e) {
            return std::string("internal: ") + e.what();
        }
        return "";
    };
    CHECK(text(cudaSuccess).empty());
    CHECK(text(cudaErrorNoDevice)
              .find("resource: no NVIDIA GPU is visible to this process "
                    "(cudaCall at ") == 0);
    CHECK(text(cudaErrorInsufficientDriver)
              .find("resource: the NVIDIA driver is missing or older than this ddla needs") == 0);
    CHECK(text(cudaErrorNoKernelImageForDevice)
              .find("resource: this ddla holds no code for the architecture of the device") == 0);
    CHECK(text(cudaErrorIllegalAddress)
              .find("internal: a call of the CUDA runtime failed: cudaCall at ") == 0);
    CHECK(text(cudaErrorIllegalAddress).find("errors.cpp:") != std::string::npos);
}
