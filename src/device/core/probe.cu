// Whether this build can run on a device at all.
#include "gpu.hpp"

#include "ddla/error.hpp"

namespace ddla::device_backend {

namespace {

__global__ void nothing() {}

/// "sm_90": the architecture of the current device.
std::string architecture()
{
    int device = 0, major = 0, minor = 0;
    check(cudaGetDevice(&device), "cudaGetDevice");
    check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device),
          "cudaDeviceGetAttribute");
    check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device),
          "cudaDeviceGetAttribute");
    return "sm_" + std::to_string(major) + std::to_string(minor);
}

/// "sm_80, sm_90": those that this file is compiled for, as nvcc says.
std::string built_for()
{
    std::string all;
    for (const int version : {__CUDA_ARCH_LIST__})
        all += (all.empty() ? "sm_" : ", sm_") + std::to_string(version / 10);
    return all;
}

}  // namespace

int require_code()
{
    cudaFuncAttributes found;
    const cudaError_t status = cudaFuncGetAttributes(&found, nothing);
    if (status == cudaErrorNoKernelImageForDevice || status == cudaErrorInvalidDeviceFunction) {
        cudaGetLastError();
        throw resource_error(
            "this ddla holds no code for the device, which is " + architecture() +
            ": it was built for " + built_for() +
            where(status, "cudaFuncGetAttributes", std::source_location::current()));
    }
    check(status, "cudaFuncGetAttributes");
    return found.ptxVersion;
}

}  // namespace ddla::device_backend
