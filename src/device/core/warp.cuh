// Shuffles of values of any type within a warp, and loads that bypass L1.
#pragma once

#include "ddla/summation.hpp"
#include "device/tuning.hpp"

namespace ddla::device_backend {

inline constexpr unsigned whole_warp = 0xffffffffu;
inline constexpr int warp_size = 32;
inline constexpr int block_size = tile_size;
inline constexpr int warps_per_block = block_size / warp_size;

using word = unsigned long long;

template <class Value>
inline constexpr int value_words = static_cast<int>(sizeof(Value) / sizeof(word));

/// x with each of its words replaced by f(word, its number).
template <class Value, class F>
__device__ __forceinline__ Value by_words(Value x, const F& f)
{
    static_assert(sizeof(Value) % sizeof(word) == 0);
    word w[value_words<Value>];
    memcpy(w, &x, sizeof x);
#pragma unroll
    for (int k = 0; k < value_words<Value>; ++k) w[k] = f(w[k], k);
    memcpy(&x, w, sizeof x);
    return x;
}

/// All threads of the warp call these.
template <class Value>
__device__ __forceinline__ Value from_lane_above(Value x, int step)
{
    return by_words(x, [=](word w, int) { return __shfl_down_sync(whole_warp, w, step); });
}
template <class Value>
__device__ __forceinline__ Value from_other_lane(Value x, int bit)
{
    return by_words(x, [=](word w, int) { return __shfl_xor_sync(whole_warp, w, bit); });
}
template <class Value>
__device__ __forceinline__ Value from_lane(Value x, int lane)
{
    return by_words(x, [=](word w, int) { return __shfl_sync(whole_warp, w, lane); });
}

__device__ __forceinline__ int largest_of_warp(int x)
{
#if __CUDA_ARCH__ >= 800
    return __reduce_max_sync(whole_warp, x);
#else
    for (int bit = warp_size / 2; bit > 0; bit /= 2) {
        const int other = __shfl_xor_sync(whole_warp, x, bit);
        x = x < other ? other : x;
    }
    return x;
#endif
}

/// Loads from L2 what other blocks wrote before a barrier, or before a fence and a flag.
template <class Value>
__device__ __forceinline__ Value load_from_others(const Value* from)
{
    const auto* const words = reinterpret_cast<const word*>(from);
    Value x{};
    return by_words(x, [=](word, int k) { return __ldcg(words + k); });
}

/// x_i, each word of it as load(its address).
template <class T, class Load, int... K>
__device__ __forceinline__ T load_by_words(vec<const T> x, index_t i, const Load& load,
                                           std::integer_sequence<int, K...>)
{
    return T{load(x.word(K) + i)...};
}
template <class T, class Load>
__device__ __forceinline__ T load_by_words(vec<const T> x, index_t i, const Load& load)
{
    return load_by_words<T>(x, i, load, word_numbers<T>{});
}
template <class T>
__device__ __forceinline__ T load_from_others(vec<const T> x, index_t i)
{
    return load_by_words(x, i, [](const double* from) { return __ldcg(from); });
}

/// The index of the last of `count` ascending numbers that is <= x; the first one is.
__device__ __forceinline__ index_t number_of_last_not_above(const index_t* all, index_t count,
                                                            index_t x)
{
    index_t low = 0;
    for (index_t end = count; end - low > 1;) {
        const index_t middle = low + (end - low) / 2;
        if (__ldg(all + middle) <= x)
            low = middle;
        else
            end = middle;
    }
    return low;
}

/// A load of read-only data that is used once: it is not kept in L1.
__device__ __forceinline__ double load_once(const double* from)
{
    double x;
    asm("ld.global.nc.L1::no_allocate.f64 %0, [%1];" : "=d"(x) : "l"(from));
    return x;
}
__device__ __forceinline__ column_t load_once(const column_t* from)
{
    column_t x;
    asm("ld.global.nc.L1::no_allocate.s32 %0, [%1];" : "=r"(x) : "l"(from));
    return x;
}

__device__ __forceinline__ std::uint16_t load_once(const std::uint16_t* from)
{
    std::uint16_t x;
    asm("ld.global.nc.L1::no_allocate.u16 %0, [%1];" : "=h"(x) : "l"(from));
    return x;
}
__device__ __forceinline__ std::uint8_t load_once(const std::uint8_t* from)
{
    unsigned x;
    asm("ld.global.nc.L1::no_allocate.u8 %0, [%1];" : "=r"(x) : "l"(from));
    return static_cast<std::uint8_t>(x);
}
/// A load through the read-only path, for matrices only: with programmatic dependent launch the
/// preceding kernel may still write vectors, which need ordinary loads.
template <class T>
__device__ __forceinline__ T load_constant(vec<const T> x, index_t i)
{
    return load_by_words(x, i, [](const double* from) { return __ldg(from); });
}
__device__ __forceinline__ index_t load_constant(row_offsets offsets, index_t i)
{
    return offsets.is_wide() ? __ldg(offsets.wide() + i) : __ldg(offsets.narrow() + i);
}

}  // namespace ddla::device_backend
