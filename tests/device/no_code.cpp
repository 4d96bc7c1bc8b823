// A ddla without code for the architecture of the device says so.  This program is compiled for
// sm_75 alone, and wants any other device.
#include "catch.hpp"
#include "support/run_tests.hpp"

#include "device/core/gpu.hpp"

#include "ddla/error.hpp"

namespace {

/// The first device that code for sm_75 does not run on; -1 without one.
int strange_device()
{
    int count = 0, major = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess) return -1;
    for (int i = 0; i < count; ++i)
        if (cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, i) == cudaSuccess &&
            major != 7)
            return i;
    return -1;
}

}  // namespace

TEST_CASE("a device that this build holds no code for")
{
    const int device = strange_device();
    REQUIRE(cudaSetDevice(device) == cudaSuccess);
    cudaDeviceProp found;
    REQUIRE(cudaGetDeviceProperties(&found, device) == cudaSuccess);
    std::string message;
    try {
        ddla::device_backend::require_code();
    } catch (const ddla::resource_error& e) {
        message = e.what();
    }
    const std::string its = "sm_" + std::to_string(found.major) + std::to_string(found.minor);
    CHECK_THAT(message, Catch::Contains("this ddla holds no code for the device, which is " + its +
                                        ": it was built for sm_75 (cudaFuncGetAttributes at "
                                        "src/device/core/probe.cu:"));
    CHECK(cudaGetLastError() == cudaSuccess);
}

int main(int argc, char** argv)
{
    const char* const missing = strange_device() < 0 ? "no CUDA device other than sm_7x" : nullptr;
    return test::run_tests(missing, argc, argv);
}
