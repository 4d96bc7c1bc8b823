// Every call of the CUDA runtime is checked here.
#pragma once

#include <cuda_runtime_api.h>

#include <source_location>

namespace ddla::device_backend {

/// Throws resource_error (no device, no driver, driver too old, no code for it, no memory) or
/// internal_error, naming the call and the place in the source.
void check(cudaError_t status, const char* call,
           std::source_location at = std::source_location::current());

/// After a launch: whether it could start.
void check_launch(const char* kernel, std::source_location at = std::source_location::current());

}  // namespace ddla::device_backend
