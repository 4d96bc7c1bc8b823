#include "layouts.hpp"

#include "device/core/check.hpp"

#include <algorithm>

namespace bench {

using namespace ddla;
using device_backend::check;

namespace {

constexpr int block = 128, warp = 32, threads_of_row = 8;
constexpr unsigned most_blocks = 1024;  // of a dot product: its second kernel folds their sums

__device__ std::int64_t this_thread()
{
    return static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

template <class Layout>
__global__ void __launch_bounds__(block) axpy_kernel(std::int64_t n, dd_real a, Layout x, Layout y)
{
    const std::int64_t i = this_thread();
    if (i < n) y.set(i, a * x.get(i) + y.get(i));
}

/// The sum of `width` lanes in the first one.
template <int width>
__device__ dd_real folded(dd_real sum)
{
#pragma unroll
    for (int i = width / 2; i > 0; i /= 2)
        sum = sum + dd_real(__shfl_xor_sync(~0u, sum.hi, i), __shfl_xor_sync(~0u, sum.lo, i));
    return sum;
}
/// The sum of a block in its first thread.
__device__ dd_real folded_in_block(dd_real sum)
{
    __shared__ dd_real of_warp[block / warp];
    sum = folded<warp>(sum);
    if (threadIdx.x % warp == 0) of_warp[threadIdx.x / warp] = sum;
    __syncthreads();
    sum = of_warp[0];
    for (int k = 1; k < block / warp; ++k) sum = sum + of_warp[k];
    return sum;
}

template <class Layout>
__global__ void __launch_bounds__(block)
    dot_kernel(std::int64_t n, Layout x, Layout y, dd_real* sums)
{
    dd_real sum = 0.0;
    const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * block;
    for (std::int64_t i = this_thread(); i < n; i += step) sum = sum + x.get(i) * y.get(i);
    sum = folded_in_block(sum);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

__global__ void __launch_bounds__(block) sum_kernel(int n, const dd_real* sums, dd_real* result)
{
    dd_real sum = 0.0;
    for (int i = static_cast<int>(threadIdx.x); i < n; i += block) sum = sum + sums[i];
    sum = folded_in_block(sum);
    if (threadIdx.x == 0) *result = sum;
}

template <class Layout>
__global__ void __launch_bounds__(block) product_kernel(crs_rows a, Layout x, Layout y)
{
    const std::int64_t row = this_thread() / threads_of_row;
    const int lane = static_cast<int>(threadIdx.x) % threads_of_row;
    dd_real sum = 0.0;
    if (row < a.rows)
        for (std::int32_t k = a.begin[row] + lane; k < a.begin[row + 1]; k += threads_of_row)
            sum = sum + x.get(a.column[k]) * a.value[k];
    sum = folded<threads_of_row>(sum);
    if (row < a.rows && lane == 0) y.set(row, sum);
}

unsigned blocks_for(std::int64_t threads)
{
    return static_cast<unsigned>((threads + block - 1) / block);
}

}  // namespace

template <class Layout>
void plain_axpy(std::int64_t n, dd_real a, Layout x, Layout y, cudaStream_t stream)
{
    axpy_kernel<<<blocks_for(n), block, 0, stream>>>(n, a, x, y);
    check(cudaGetLastError(), "launch");
}

template <class Layout>
void plain_dot(std::int64_t n, Layout x, Layout y, dd_real* scratch, dd_real* result,
               cudaStream_t stream)
{
    const unsigned blocks = std::min(blocks_for(n), most_blocks);
    dot_kernel<<<blocks, block, 0, stream>>>(n, x, y, scratch);
    sum_kernel<<<1, block, 0, stream>>>(static_cast<int>(blocks), scratch, result);
    check(cudaGetLastError(), "launch");
}

template <class Layout>
void plain_product(const crs_rows& a, Layout x, Layout y, cudaStream_t stream)
{
    const auto threads = static_cast<std::int64_t>(a.rows) * threads_of_row;
    product_kernel<<<blocks_for(threads), block, 0, stream>>>(a, x, y);
    check(cudaGetLastError(), "launch");
}

#define DDLA_BENCH_LAYOUT(Layout)                                                                  \
    template void plain_axpy(std::int64_t, dd_real, Layout, Layout, cudaStream_t);                 \
    template void plain_dot(std::int64_t, Layout, Layout, dd_real*, dd_real*, cudaStream_t);       \
    template void plain_product(const crs_rows&, Layout, Layout, cudaStream_t);
DDLA_BENCH_LAYOUT(two_arrays)
DDLA_BENCH_LAYOUT(one_array_of_pairs)
DDLA_BENCH_LAYOUT(one_array_of_words)
#undef DDLA_BENCH_LAYOUT

}  // namespace bench
