#include "memory.hpp"

#include "support/data.hpp"
#include "support/row_builder.hpp"

#include "device/core/check.hpp"

#include <algorithm>
#include <numeric>

namespace bench {

using namespace ddla;
using device_backend::check;

namespace {

constexpr int block = 256;
constexpr std::size_t line = 128;  // bytes
constexpr int words_of_line = line / sizeof(std::uint32_t);
constexpr int timed_loads = 4096;

template <stream_kernel kernel>
__global__ void __launch_bounds__(block)
    run_kernel(std::int64_t n, const double* a, const double* b, double* c)
{
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * block + threadIdx.x;
    if (i >= n) return;
    if constexpr (kernel == stream_kernel::copy)
        c[i] = a[i];
    else if constexpr (kernel == stream_kernel::scale)
        c[i] = 3 * a[i];
    else if constexpr (kernel == stream_kernel::add)
        c[i] = a[i] + b[i];
    else
        c[i] = a[i] + 3 * b[i];
}

template <load_path path>
__device__ std::uint32_t loaded(const std::uint32_t* at)
{
    if constexpr (path == load_path::read_only)
        return __ldg(at);
    else if constexpr (path == load_path::past_l1)
        return __ldcg(at);
    else
        return __ldca(at);
}

/// One thread follows the ring: `before` loads, and then those that count.
template <load_path path>
__global__ void follow(const std::uint32_t* ring, int before, long long* cycles,
                       std::uint32_t* where)
{
    std::uint32_t at = 0;
    for (int k = 0; k < before; ++k) at = loaded<path>(ring + at);
    const long long begin = clock64();
#pragma unroll 16
    for (int k = 0; k < timed_loads; ++k) at = loaded<path>(ring + at);
    *where = at;  // the loads must have ended
    *cycles = clock64() - begin;
}

/// One cycle through all lines: Sattolo's shuffle.
std::vector<std::uint32_t> ring_of(std::size_t bytes)
{
    const auto lines = static_cast<index_t>(std::max<std::size_t>(2, bytes / line));
    std::vector<std::uint32_t> next(static_cast<std::size_t>(lines));
    std::iota(next.begin(), next.end(), 0u);
    random_numbers random(9);
    for (index_t i = lines - 1; i > 0; --i)
        std::swap(next[static_cast<std::size_t>(i)],
                  next[static_cast<std::size_t>(random.below(i))]);
    std::vector<std::uint32_t> ring(next.size() * words_of_line);
    for (std::size_t i = 0; i < next.size(); ++i) ring[i * words_of_line] = next[i] * words_of_line;
    return ring;
}

template <load_path path>
void start(const std::uint32_t* ring, int before, long long* cycles, std::uint32_t* where,
           cudaStream_t stream)
{
    follow<path><<<1, 1, 0, stream>>>(ring, before, cycles, where);
    check(cudaGetLastError(), "launch");
}

}  // namespace

void run_stream(stream_kernel kernel, std::int64_t n, const double* a, const double* b, double* c,
                cudaStream_t stream)
{
    const auto blocks = static_cast<unsigned>((n + block - 1) / block);
    switch (kernel) {
    case stream_kernel::copy:
        run_kernel<stream_kernel::copy><<<blocks, block, 0, stream>>>(n, a, b, c);
        break;
    case stream_kernel::scale:
        run_kernel<stream_kernel::scale><<<blocks, block, 0, stream>>>(n, a, b, c);
        break;
    case stream_kernel::add:
        run_kernel<stream_kernel::add><<<blocks, block, 0, stream>>>(n, a, b, c);
        break;
    case stream_kernel::triad:
        run_kernel<stream_kernel::triad><<<blocks, block, 0, stream>>>(n, a, b, c);
        break;
    }
    check(cudaGetLastError(), "launch");
}

double cycles_of_load(load_path path, std::size_t bytes, cudaStream_t stream)
{
    const std::vector<std::uint32_t> ring = ring_of(bytes);
    const buffer at(ring.size() * sizeof(std::uint32_t), there), result(64, there);
    copy_bytes(at.data(), there, ring.data(), host, at.bytes());
    auto* const cycles = static_cast<long long*>(result.data());
    auto* const where = static_cast<std::uint32_t*>(result.data()) + 8;
    const auto* const first = static_cast<const std::uint32_t*>(at.data());
    // Once round is enough to fill a cache; what is larger than all of them need not be filled.
    const int before = static_cast<int>(std::min<std::size_t>(bytes / line, 1u << 20));
    if (path == load_path::plain)
        start<load_path::plain>(first, before, cycles, where, stream);
    else if (path == load_path::read_only)
        start<load_path::read_only>(first, before, cycles, where, stream);
    else
        start<load_path::past_l1>(first, before, cycles, where, stream);
    check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    long long taken = 0;
    copy_bytes(&taken, host, cycles, there, sizeof taken);
    return static_cast<double>(taken) / timed_loads;
}

}  // namespace bench
