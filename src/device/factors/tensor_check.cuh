// Whether tensor cores have the bits of the chain of fma.
#pragma once

#include "tensor.cuh"

#include "device/core/launcher.cuh"
#include "engine/workspace.hpp"

#include <map>
#include <mutex>

namespace ddla::device_backend {

inline constexpr int tensor_trials = 4096, warps_of_trial = 4;

/// Bits of a number of a trial: of any size and sign, some zeros and numbers below the normal
/// range, and many of nearly the same size, so that sums cancel.
__device__ __forceinline__ double trial_number(unsigned long long x)
{
    x ^= x >> 31;
    x *= 0x9e3779b97f4a7c15ull;
    x ^= x >> 29;
    x *= 0xbf58476d1ce4e5b9ull;
    x ^= x >> 32;
    const unsigned long long fraction = x >> 12, sign = x << 63;
    const unsigned kind = static_cast<unsigned>(x >> 4) % 16;
    unsigned long long exponent = 1023;
    if (kind < 8) exponent += (x >> 20) % 4;
    if (kind == 8) exponent = (x >> 20) % 2000;
    if (kind == 9) exponent = 0;
    return __longlong_as_double(
        static_cast<long long>(kind == 10 ? sign : sign | exponent << 52 | fraction));
}

/// Counts entries that differ, of 16 x 8 numbers a warp after eight pivots at once, then four.
static __global__ void __launch_bounds__(warps_of_trial* warp_size) try_tensor(unsigned* different)
{
    const int lane = threadIdx.x % warp_size, g = lane / 4, t = lane % 4;
    const unsigned long long trial = blockIdx.x * warps_of_trial + threadIdx.x / warp_size;
    const auto a = [&](int row, int k) { return trial_number(trial << 12 | row << 4 | k); };
    const auto b = [&](int k, int column) {
        return trial_number(trial << 12 | 1 << 10 | k << 4 | column);
    };
    double c[4], chain[4];
#pragma unroll
    for (int x = 0; x < 4; ++x) {
        const int row = g + x / 2 * 8, column = 2 * t + x % 2;
        c[x] = chain[x] = trial_number(trial << 12 | 1 << 11 | row << 4 | column);
#pragma unroll 1
        for (int k = 0; k < 12; ++k) chain[x] = __fma_rn(a(row, k), b(k, column), chain[x]);
    }
    const double eight[4] = {a(g, t), a(g + 8, t), a(g, t + 4), a(g + 8, t + 4)};
    const double of_eight[2] = {b(t, g), b(t + 4, g)}, four[2] = {a(g, t + 8), a(g + 8, t + 8)};
    multiply_tensor(c, eight, of_eight);
    multiply_tensor(c, four, b(t + 8, g));
    unsigned count = 0;
#pragma unroll
    for (int x = 0; x < 4; ++x)
        count += __double_as_longlong(c[x]) != __double_as_longlong(chain[x]) &&
                 !(c[x] != c[x] && chain[x] != chain[x]);
    if (count > 0) atomicAdd(different, count);
}

/// Of the device of a queue, found out once.
inline bool tensors_are_chains(queue& in)
{
    static std::mutex guard;
    static std::map<int, bool> known;
    const std::lock_guard lock(guard);
    const auto found = known.find(in.device().index());
    if (found != known.end()) return found->second;
    if (require_code() < 90) return known[in.device().index()] = false;
    workspace memory(in);
    auto* const different = memory.objects<unsigned>(1);
    in.fill_with_zero(different, sizeof(unsigned));
    launcher(in, false).start_blocks_of<warps_of_trial * warp_size>(
        try_tensor, tensor_trials / warps_of_trial, different);
    unsigned count = 0;
    in.copy_to_host(&count, different, sizeof count);
    return known[in.device().index()] = count == 0;
}

}  // namespace ddla::device_backend
