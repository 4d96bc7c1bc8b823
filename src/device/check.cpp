#include "check.hpp"

#include "ddla/error.hpp"

#include <string>

namespace ddla::device_backend {

namespace {

/// What stands in the way, where the user can do something about it; empty for ddla's own errors.
const char* obstacle(cudaError_t status)
{
    switch (status) {
    case cudaErrorNoDevice:
        return "no NVIDIA GPU is visible to this process";
    case cudaErrorInsufficientDriver:
        return "the NVIDIA driver is missing or older than this ddla needs";
    case cudaErrorSystemDriverMismatch:
        return "the NVIDIA driver and its libraries do not match";
    case cudaErrorInvalidDevice:
        return "there is no device of this number";
    case cudaErrorDevicesUnavailable:
        return "the device is in use by another process";
    case cudaErrorMemoryAllocation:
        return "the device is out of memory";
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorUnsupportedPtxVersion:
        return "this ddla holds no code for the architecture of the device";
    case cudaErrorECCUncorrectable:
        return "the memory of the device is faulty";
    default:
        return nullptr;
    }
}

/// The file without the folders that only the builder knows.
std::string source_name(const char* file)
{
    const std::string path = file;
    const auto at = path.rfind("src/");
    return at == std::string::npos ? path : path.substr(at);
}

}  // namespace

void check(cudaError_t status, const char* call, std::source_location at)
{
    if (status == cudaSuccess) return;
    cudaGetLastError();  // takes back the error, unless it has poisoned the device for good
    const std::string where = std::string(call) + " at " + source_name(at.file_name()) + ":" +
                              std::to_string(at.line()) + ": " + cudaGetErrorName(status) + ", " +
                              cudaGetErrorString(status);
    if (const char* const what = obstacle(status))
        throw resource_error(std::string(what) + " (" + where + ")");
    throw internal_error("a call of the CUDA runtime failed: " + where);
}

void check_launch(const char* kernel, std::source_location at)
{
    check(cudaGetLastError(), kernel, at);
}

}  // namespace ddla::device_backend
