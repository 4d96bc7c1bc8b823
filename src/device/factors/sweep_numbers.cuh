// What solves with factors on a device read and write.
#pragma once

#include "numbers.cuh"

#include "device/core/async_copy.cuh"

namespace ddla::device_backend {

/// Unknowns of systems, by pivots: word w of unknown k of system s at (s words + w) n + k.
template <class W>
struct unknowns {
    double* word;
    index_t n;
    int systems;

    __device__ __forceinline__ double* of(int s) const { return word + s * words_of<W> * n; }
    __device__ __forceinline__ number<W> get(int s, index_t k) const
    {
        const double* const p = of(s) + k;
        if constexpr (words_of<W> == 1)
            return *p;
        else
            return {p[0], p[n]};
    }
    __device__ __forceinline__ void put(int s, index_t k, number<W> x) const
    {
        double* const p = of(s) + k;
        if constexpr (words_of<W> == 1) {
            *p = x;
        } else {
            p[0] = x.hi;
            p[n] = x.lo;
        }
    }
};

/// A number of the factors as unknowns in W take it.
template <class W, class N>
__device__ __forceinline__ number<W> as_unknown(N x)
{
    if constexpr (sizeof(N) < sizeof(number<W>))
        return {x, 0};
    else
        return x;
}
template <class W, class F>
__device__ __forceinline__ number<W> factor_number(const double* p)
{
    return as_unknown<W>(get<F>(p));
}

__device__ __forceinline__ double from_lane(double x, int lane)
{
    return __shfl_sync(whole_warp, x, lane);
}
__device__ __forceinline__ factor::pair<double> from_lane(factor::pair<double> x, int lane)
{
    return {from_lane(x.hi, lane), from_lane(x.lo, lane)};
}

inline constexpr int narrow_panel = 32;

/// One triangle of factors.
struct triangle_lists {
    supernode_lists s;  ///< whose rows are those by pivots
    const double* value;
    bool divides;  ///< else its diagonal is 1
};

/// The diagonal block of a panel, by lines of eight rows; `staged`: in shared memory, those of the
/// lower triangle alone, eight of them in banks apart.
template <class F, bool staged>
class panel_lines {
    static constexpr int size = 8 * words_of<F>, ld = staged ? size + 2 : size;

public:
    /// Of so many row-blocks in shared memory.
    template <int blocks>
    static constexpr int doubles = 4 * blocks*(blocks + 1) * ld;
    static constexpr int doubles_of(int blocks) { return 4 * blocks * (blocks + 1) * ld; }

    __device__ panel_lines(const double* diagonal, column_t width, double* room)
        : diagonal_(diagonal), room_(room), width_(width)
    {
    }
    /// Line b of column j, j < 8 b + 8.
    __device__ __forceinline__ const double* line(int b, int j) const
    {
        if constexpr (staged)
            return room_ + (4 * b * (b + 1) + j) * ld;
        else
            return diagonal_ + (b * index_t{width_} + j) * size;
    }
    __device__ __forceinline__ const double* entry(int i, int j) const
    {
        return line(i / 8, j) + i % 8;
    }
    /// By so many threads, of which this is number `mine`; they meet after it.
    __device__ void stage(int mine, int threads) const
    {
        if constexpr (staged) {
            for (int b = 0; 8 * b < width_; ++b) {
                const int all = lesser(8 * b + 8, width_) * size;
                const double* const from = diagonal_ + b * index_t{width_} * size;
                for (int x = 2 * mine; x < all; x += 2 * threads)
                    copy_16_async(room_ + (4 * b * (b + 1) + x / size) * ld + x % size, from + x);
            }
            wait_for_copies();
        }
    }

private:
    const double* diagonal_;
    double* room_;
    column_t width_;
};

}  // namespace ddla::device_backend
