#include "crs_kernels.hpp"

#include "support/data.hpp"

#include "ddla/error.hpp"
#include "device/core/check.hpp"

#include <algorithm>
#include <string>

namespace bench {

using namespace ddla;
using device_backend::check;

namespace {

constexpr int block = 128;                // threads, as the papers have it
constexpr unsigned most_blocks = 65'535;  // of a Fermi GPU, for which the loop over rows is
constexpr unsigned whole_warp = ~0u;
constexpr std::uintptr_t texture_alignment = 512;  // cudaDeviceProp::textureAlignment

enum class x_path { plain, read_only, texture };
struct how {
    x_path x;
    bool loop_over_rows, shuffles;
};
DDLA_HD constexpr how how_of(crs_version version)
{
    switch (version) {
    case crs_version::bicgstab:
        return {x_path::plain, true, false};
    case crs_version::crs_t:
        return {x_path::plain, false, false};
    case crs_version::ver0:
        return {x_path::texture, true, false};
    case crs_version::ver1:
        return {x_path::read_only, true, false};
    case crs_version::ver2:
        return {x_path::texture, false, false};
    case crs_version::ver3:
        return {x_path::texture, true, true};
    default:
        return {x_path::read_only, false, true};
    }
}

template <x_path path, class T>
__device__ double x_word(const crs_product<T>& p, int k, std::int32_t j)
{
    if constexpr (path == x_path::texture) {
        const int2 halves = tex1Dfetch<int2>(p.x_word[k], j);
        return __hiloint2double(halves.y, halves.x);
    } else if constexpr (path == x_path::read_only) {
        return __ldg(p.x.word(k) + j);
    } else {
        return p.x.word(k)[j];
    }
}
template <x_path path>
__device__ double x_at(const crs_product<double>& p, std::int32_t j)
{
    return x_word<path>(p, 0, j);
}
template <x_path path>
__device__ dd_real x_at(const crs_product<dd_real>& p, std::int32_t j)
{
    return {x_word<path>(p, 0, j), x_word<path>(p, 1, j)};
}

// In double the compilers of the papers contract; elsewhere ddla forbids it.
__device__ double plus_product(double sum, double a, double x)
{
    return fma(a, x, sum);
}
__device__ dd_real plus_product(dd_real sum, double a, dd_real x)
{
    return sum + x * a;
}
__device__ double from_other_lane(double x, int bit)
{
    return __shfl_xor_sync(whole_warp, x, bit);
}
__device__ dd_real from_other_lane(dd_real x, int bit)
{
    return {from_other_lane(x.hi, bit), from_other_lane(x.lo, bit)};
}

/// The sum of the lanes of a row, in lane 0.  All threads of a warp call this.
template <int threads, class T>
__device__ T folded_by_shuffles(T sum)
{
#pragma unroll
    for (int i = threads / 2; i > 0; i /= 2) sum = sum + from_other_lane(sum, i);
    return sum;
}
template <int threads, class T>
__device__ T folded_in_shared_memory(T sum, int lane)
{
    __shared__ T sums[block];
    T* const mine = sums + threadIdx.x;
    *mine = sum;
#pragma unroll
    for (int i = threads / 2; i > 0; i /= 2) {
        __syncwarp();
        if (lane < i) *mine = *mine + mine[i];
    }
    return *mine;
}

template <crs_version version, int threads, class T>
__device__ void row_of(const crs_product<T>& p, std::int64_t row, int lane)
{
    constexpr how h = how_of(version);
    const bool there = row < p.a.rows;
    T sum(0.0);
    if (there) {
        const std::int32_t end = p.a.begin[row + 1];
        for (std::int32_t k = p.a.begin[row] + lane; k < end; k += threads)
            sum = plus_product(sum, p.a.value[k], x_at<h.x>(p, p.a.column[k]));
    }
    if constexpr (h.shuffles)
        sum = folded_by_shuffles<threads>(sum);
    else
        sum = folded_in_shared_memory<threads>(sum, lane);
    if (there && lane == 0) p.y.set(row, p.alpha * sum + p.beta * p.y.get(row));
}

/// The loop begins and ends for all threads of a block together, so that they can meet in it.
template <crs_version version, int threads, class T>
__global__ void __launch_bounds__(block) crs_kernel(crs_product<T> p)
{
    constexpr int rows = block / threads;  // of a block
    const int lane = static_cast<int>(threadIdx.x) % threads;
    std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * rows;
    if constexpr (!how_of(version).loop_over_rows) {
        row_of<version, threads>(p, first + threadIdx.x / threads, lane);
    } else {
        const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * rows;
        for (; first < p.a.rows; first += step) {
            row_of<version, threads>(p, first + threadIdx.x / threads, lane);
            if (p.a.rows > step) __syncthreads();
        }
    }
}

template <crs_version version, int threads, class T>
void launch(const crs_product<T>& p, cudaStream_t stream)
{
    constexpr int rows = block / threads;
    auto blocks = static_cast<unsigned>((static_cast<std::int64_t>(p.a.rows) + rows - 1) / rows);
    if (how_of(version).loop_over_rows) blocks = std::min(blocks, most_blocks);
    if (blocks == 0) return;
    crs_kernel<version, threads><<<blocks, block, 0, stream>>>(p);
    check(cudaGetLastError(), "launch");
}

template <crs_version version, class T>
void with_threads(int threads, const crs_product<T>& p, cudaStream_t stream)
{
    switch (threads) {
    case 1:
        return launch<version, 1>(p, stream);
    case 2:
        return launch<version, 2>(p, stream);
    case 4:
        return launch<version, 4>(p, stream);
    case 8:
        return launch<version, 8>(p, stream);
    case 16:
        return launch<version, 16>(p, stream);
    case 32:
        return launch<version, 32>(p, stream);
    default:
        throw input_error("a row can have 1, 2, 4, 8, 16 or 32 threads, not " +
                          std::to_string(threads));
    }
}

cudaTextureObject_t texture_of(const double* words, index_t n)
{
    const cudaChannelFormatDesc two_ints = cudaCreateChannelDesc<int2>();
    std::size_t longest = 0;
    check(cudaDeviceGetTexture1DLinearMaxWidth(&longest, &two_ints, 0),
          "cudaDeviceGetTexture1DLinearMaxWidth");
    if (static_cast<std::size_t>(n) > longest)
        throw resource_error("a texture has at most " + std::to_string(longest) +
                             " elements, not " + std::to_string(n));
    cudaResourceDesc what{};
    what.resType = cudaResourceTypeLinear;
    what.res.linear.devPtr = const_cast<double*>(words);
    what.res.linear.desc = two_ints;
    what.res.linear.sizeInBytes = static_cast<std::size_t>(n) * sizeof(double);
    cudaTextureDesc plain{};
    plain.readMode = cudaReadModeElementType;
    cudaTextureObject_t made = 0;
    check(cudaCreateTextureObject(&made, &what, &plain, nullptr), "cudaCreateTextureObject");
    return made;
}

}  // namespace

const char* name_of(crs_version version)
{
    static constexpr const char* names[] = {"bicgstab", "crs_t", "ver0", "ver1",
                                            "ver2",     "ver3",  "ver4"};
    return names[static_cast<int>(version)];
}

template <scalar T>
x_textures<T>::x_textures(vec<const T> x)
{
    for (int k = 0; k < words_of<T>; ++k) {
        const std::size_t bytes = static_cast<std::size_t>(x.size) * sizeof(double);
        copy_[k] = buffer(bytes + texture_alignment, there);
        const auto address = reinterpret_cast<std::uintptr_t>(copy_[k].data());
        const std::uintptr_t aligned =
            (address + texture_alignment - 1) / texture_alignment * texture_alignment;
        auto* const words = reinterpret_cast<double*>(aligned);
        copy_bytes(words, there, x.word(k), there, bytes);
        word_[k] = texture_of(words, x.size);
    }
}

template <scalar T>
x_textures<T>::~x_textures()
{
    for (const cudaTextureObject_t t : word_)
        if (t != 0) cudaDestroyTextureObject(t);
}

template <scalar T>
void multiply(crs_version version, int threads, const crs_product<T>& p, cudaStream_t stream)
{
    switch (version) {
    case crs_version::bicgstab:
        return with_threads<crs_version::bicgstab>(threads, p, stream);
    case crs_version::crs_t:
        return with_threads<crs_version::crs_t>(threads, p, stream);
    case crs_version::ver0:
        return with_threads<crs_version::ver0>(threads, p, stream);
    case crs_version::ver1:
        return with_threads<crs_version::ver1>(threads, p, stream);
    case crs_version::ver2:
        return with_threads<crs_version::ver2>(threads, p, stream);
    case crs_version::ver3:
        return with_threads<crs_version::ver3>(threads, p, stream);
    case crs_version::ver4:
        return with_threads<crs_version::ver4>(threads, p, stream);
    }
}

template class x_textures<double>;
template class x_textures<dd_real>;
template void multiply(crs_version, int, const crs_product<double>&, cudaStream_t);
template void multiply(crs_version, int, const crs_product<dd_real>&, cudaStream_t);

}  // namespace bench
