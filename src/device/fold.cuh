// The summation rule in a thread, a warp and a block.  An absent term is never added as a zero:
// that would turn -0 into +0 and Inf in double-double into NaN.
#pragma once

#include "warp.cuh"

namespace ddla::device_backend {

/// The fold of term(R), term(R + S), term(R + 2 S), ... below N, those for which exists(r) holds;
/// term(R) does.  S(r, s) = S(r, 2 s) + S(r + s, 2 s): at most log2 N partial sums are alive.
template <int N, int R = 0, int S = 1, class Term, class Exists>
__device__ __forceinline__ auto fold_in_thread(const Term& term, const Exists& exists)
{
    if constexpr (S == N) {
        return term(R);
    } else {
        auto sum = fold_in_thread<N, R, 2 * S>(term, exists);
        if (exists(R + S)) sum = sum + fold_in_thread<N, R + S, 2 * S>(term, exists);
        return sum;
    }
}

/// The fold of one value a lane, in the first `lanes` lanes (a power of two) of which those below
/// `count` hold a term; the result is in the first.  Groups of `lanes` lanes work side by side.
template <class Value>
__device__ __forceinline__ Value fold_lanes(Value sum, int lane, int lanes, int count)
{
    for (int h = lanes / 2; h > 0; h /= 2) {
        const Value other = from_lane_above(sum, h);
        if (lane < h && lane + h < count) sum = sum + other;
    }
    return sum;
}

/// The fold of 1 <= count <= 256 terms by a warp: lane l takes l, l + 32, ..., the result is in
/// lane 0.  term(r) is term l + 32 r.
template <class Value, class Term>
__device__ __forceinline__ Value fold_tile(int count, const Term& term)
{
    constexpr int each = tile_size / warp_size;
    const int lane = threadIdx.x % warp_size;
    Value sum{};
    if (count == tile_size)
        sum = fold_in_thread<each>(term, [](int) { return true; });
    else if (lane < count)
        sum = fold_in_thread<each>(term, [=](int r) { return lane + r * warp_size < count; });
    return fold_lanes(sum, lane, warp_size, count);
}

/// The fold of one value a thread by a block, of which the first `count` hold a term; the result
/// is in thread 0.  May be called again at once.
template <class Value>
__device__ __forceinline__ Value fold_block(Value sum, int count)
{
    __shared__ word upper[value_words<Value>][block_size];
    const int i = threadIdx.x;
#pragma unroll
    for (int h = block_size / 2; h >= warp_size; h /= 2) {
        if (i >= h && i < 2 * h) by_words(sum, [&](word w, int k) { return upper[k][i] = w; });
        __syncthreads();
        if (i < h && i + h < count)
            sum = sum + by_words(sum, [&](word, int k) { return upper[k][i + h]; });
    }
    return i < warp_size ? fold_lanes(sum, i, warp_size, count) : sum;
}

}  // namespace ddla::device_backend
