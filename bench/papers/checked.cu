#include "checked.hpp"

#include "support/data.hpp"

#include "device/core/check.hpp"

namespace bench {

using namespace ddla;
using device_backend::check;

namespace {

__device__ dd_real in_dd(double x)
{
    return x;
}
__device__ dd_real in_dd(dd_real x)
{
    return x;
}

template <class T>
__global__ void count_wrong(vec<const dd_real> expected, const double* bound, vec<const T> y,
                            unsigned long long* count)
{
    unsigned long long mine = 0;
    const index_t threads = static_cast<index_t>(gridDim.x) * blockDim.x;
    for (index_t i = static_cast<index_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < y.size;
         i += threads) {
        const dd_real difference = in_dd(y.get(i)) - expected.get(i);
        mine += !(::fabs(difference.hi) <= bound[i]);
    }
    if (mine > 0) atomicAdd(count, mine);
}

}  // namespace

expected_there::expected_there(const host_product& on_host)
    : value(on_host.expected.to(there)), bound(on_host.bound.size() * sizeof(double), there)
{
    copy_bytes(bound.data(), there, on_host.bound.data(), host, bound.bytes());
}

template <scalar T>
index_t wrong_elements(const expected_there& expected, vec<const T> y, cudaStream_t stream)
{
    const buffer count(sizeof(unsigned long long), there);
    auto* const at = static_cast<unsigned long long*>(count.data());
    check(cudaMemsetAsync(at, 0, sizeof *at, stream), "cudaMemsetAsync");
    count_wrong<T><<<1024, 256, 0, stream>>>(
        expected.value.view(), static_cast<const double*>(expected.bound.data()), y, at);
    check(cudaGetLastError(), "launch");
    check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    unsigned long long wrong = 0;
    copy_bytes(&wrong, host, at, there, sizeof wrong);
    return static_cast<index_t>(wrong);
}

template index_t wrong_elements(const expected_there&, vec<const double>, cudaStream_t);
template index_t wrong_elements(const expected_there&, vec<const dd_real>, cudaStream_t);

}  // namespace bench
