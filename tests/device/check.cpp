// Every status of the CUDA runtime becomes one sentence of the right kind.  Needs no device.
#include "catch.hpp"

#include "device/core/check.hpp"

#include "ddla/error.hpp"

#include <algorithm>
#include <source_location>
#include <string>

using ddla::device_backend::check;

namespace {

/// "KIND: message" of what check() throws.
std::string thrown(cudaError_t status, std::source_location at = std::source_location::current())
try {
    check(status, "cudaCall", at);
    return "";
} catch (const ddla::input_error& e) {
    return std::string("input: ") + e.what();
} catch (const ddla::resource_error& e) {
    return std::string("resource: ") + e.what();
} catch (const ddla::internal_error& e) {
    return std::string("internal: ") + e.what();
}

/// The message is the sentence, and then the call, the place and the status.
void check_message(cudaError_t status, const std::string& sentence)
{
    const std::source_location here = std::source_location::current();
    CHECK(thrown(status, here) ==
          sentence + " (cudaCall at tests/device/check.cpp:" + std::to_string(here.line()) + ": " +
              cudaGetErrorName(status) + ")");
}

void check_broken(cudaError_t status, const std::string& kind)
{
    check_message(
        status, kind + ": the device context of this process is broken by an earlier failure, \"" +
                    cudaGetErrorString(status) +
                    "\": no more device calls can succeed until the process restarts");
}

}  // namespace

TEST_CASE("success is no error")
{
    CHECK(thrown(cudaSuccess).empty());
}

TEST_CASE("after some errors the process has lost the device")
{
    for (const cudaError_t status :
         {cudaErrorIllegalAddress, cudaErrorLaunchFailure, cudaErrorAssert,
          cudaErrorMisalignedAddress, cudaErrorHardwareStackError, cudaErrorIllegalInstruction,
          cudaErrorInvalidAddressSpace, cudaErrorInvalidPc, cudaErrorContextIsDestroyed})
        check_broken(status, "internal");
    for (const cudaError_t status : {cudaErrorLaunchTimeout, cudaErrorECCUncorrectable,
                                     cudaErrorNvlinkUncorrectable, cudaErrorMpsClientTerminated})
        check_broken(status, "resource");
}

TEST_CASE("what the caller's streams do not allow")
{
    check_message(cudaErrorStreamCaptureUnsupported,
                  "input: this call waits for the device, which cannot be done while its stream is "
                  "being captured");
    check_message(cudaErrorStreamCaptureInvalidated,
                  "input: the capture of this stream was broken by an earlier call, it can only be "
                  "ended");
    for (const cudaError_t status : {cudaErrorStreamCaptureMerge, cudaErrorStreamCaptureIsolation})
        check_message(status, "input: a stream that is being captured and other work would have to "
                              "wait for each other");
    check_message(
        cudaErrorStreamCaptureImplicit,
        "input: this call uses CUDA's default stream, which cannot be done while a stream "
        "that waits for it is being captured");
    check_message(cudaErrorInvalidResourceHandle,
                  "input: the stream was destroyed or belongs to another device");
}

TEST_CASE("what the machine lacks")
{
    check_message(cudaErrorMemoryAllocation, "resource: the device is out of memory");
    check_message(cudaErrorInvalidDevice, "resource: there is no device of this number");
    check_message(cudaErrorSystemDriverMismatch,
                  "resource: libcuda.so.1 and the NVIDIA driver of the system are of different "
                  "versions");
    for (const cudaError_t status :
         {cudaErrorNoKernelImageForDevice, cudaErrorInvalidDeviceFunction})
        check_message(status,
                      "resource: this ddla holds no code for the architecture of the device");
    check_message(cudaErrorUnsupportedPtxVersion,
                  "resource: the NVIDIA driver is too old to compile this ddla's code for the "
                  "device");
}

TEST_CASE("a machine without a device gets the sentence alone")
{
    const std::string none = thrown(cudaErrorNoDevice);
    CHECK(none.starts_with("resource: no NVIDIA GPU is visible to this process"));
    CHECK(thrown(cudaErrorStubLibrary) ==
          "resource: no NVIDIA driver was found: libcuda.so.1 is a stub for builds");
    // Which of the two depends on the machine; tests/cli/devices_test.cpp fakes both.
    const std::string driver = thrown(cudaErrorInsufficientDriver);
    CHECK((driver.rfind("resource: no NVIDIA driver was found: ", 0) == 0 ||
           driver.rfind("resource: the NVIDIA driver is too old: ", 0) == 0));
    for (const std::string& message : {none, driver})
        for (const char* const source : {"cudaCall", ".cpp", "cudaError"})
            CHECK(message.find(source) == std::string::npos);
}

TEST_CASE("the rest is ddla's own fault, and says what the runtime says")
{
    check_message(cudaErrorInvalidValue,
                  "internal: a call of the CUDA runtime failed, \"invalid argument\"");
    check_message(
        cudaErrorInvalidConfiguration,
        "internal: a call of the CUDA runtime failed, \"invalid configuration argument\"");
}

TEST_CASE("every other status that there is makes one line that ends with the call")
{
    for (int code = 1; code < 1000; ++code) {
        if (code == cudaErrorNoDevice || code == cudaErrorInsufficientDriver ||
            code == cudaErrorStubLibrary)
            continue;
        const std::string message = thrown(static_cast<cudaError_t>(code));
        INFO(message);
        CHECK(message.find(": ") != std::string::npos);
        CHECK(message.find(" (cudaCall at tests/device/check.cpp:") != std::string::npos);
        CHECK(message.back() == ')');
        CHECK(std::count(message.begin(), message.end(), '\n') == 0);
    }
}

TEST_CASE("versions of CUDA as text")
{
    CHECK(ddla::device_backend::version_text(13000) == "13.0");
    CHECK(ddla::device_backend::version_text(12080) == "12.8");
    CHECK(ddla::device_backend::version_text(11040) == "11.4");
}
