#include "same_bits.hpp"

#include "support/data.hpp"

#include "device/core/check.hpp"

namespace bench {

using namespace ddla;
using device_backend::check;

namespace {

__global__ void count_differences(const double* x, const double* y, index_t n,
                                  unsigned long long* count)
{
    unsigned long long mine = 0;
    const index_t threads = static_cast<index_t>(gridDim.x) * blockDim.x;
    for (index_t i = static_cast<index_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
         i += threads)
        mine += __double_as_longlong(x[i]) != __double_as_longlong(y[i]);
    if (mine > 0) atomicAdd(count, mine);
}

}  // namespace

index_t differing_words(const double* x, const double* y, index_t n, cudaStream_t stream)
{
    const buffer count(sizeof(unsigned long long), there);
    auto* const at = static_cast<unsigned long long*>(count.data());
    check(cudaMemsetAsync(at, 0, sizeof *at, stream), "cudaMemsetAsync");
    count_differences<<<1024, 256, 0, stream>>>(x, y, n, at);
    check(cudaGetLastError(), "launch");
    check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    unsigned long long different = 0;
    copy_bytes(&different, host, at, there, sizeof different);
    return static_cast<index_t>(different);
}

}  // namespace bench
