// Whether this build can run on a device at all.
#include "gpu.hpp"

namespace ddla::device_backend {

namespace {

__global__ void nothing() {}

}  // namespace

void require_code()
{
    cudaFuncAttributes found;
    check(cudaFuncGetAttributes(&found, nothing), "cudaFuncGetAttributes");
}

}  // namespace ddla::device_backend
