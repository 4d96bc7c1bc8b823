// Every call of the CUDA runtime is checked here.
#pragma once

#include <cuda_runtime_api.h>

#include <source_location>
#include <string>

namespace ddla::device_backend {

/// Throws one sentence that ends with where(): input_error (a stream that is being captured or not
/// of this device), resource_error (no device, no driver, driver too old, no code for it, no
/// memory) or internal_error.
void check(cudaError_t status, const char* call,
           std::source_location at = std::source_location::current());

/// False if a cooperative kernel has more blocks than the stream can hold at once; otherwise as
/// check().
bool has_room(cudaError_t status, const char* call,
              std::source_location at = std::source_location::current());

/// For calls that clean up: ignores an error, and clears it for the caller's cudaGetLastError().
inline void forget_error(cudaError_t status) noexcept
{
    if (status != cudaSuccess) cudaGetLastError();
}

/// " (cudaMalloc at src/device/core/gpu.cpp:75: cudaErrorMemoryAllocation)"
std::string where(cudaError_t status, const char* call, std::source_location at);

/// 13000, as CUDA counts its versions: "13.0".
std::string version_text(int version);

}  // namespace ddla::device_backend
