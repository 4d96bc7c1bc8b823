// Eight numbers side by side, a line, in the vectors of one instruction set.
//
// For the units kernels_*.cpp alone: each is compiled for its instruction set, so that nothing here
// may be linked elsewhere.  Therefore all is in an unnamed namespace and nothing of the standard
// library is called.  All operations are IEEE, lane by lane: the same bits for every set.
#pragma once

#include "pairs.hpp"

#include "ddla/views.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace ddla::factor {
namespace {

#if defined(__AVX512F__)
constexpr int most_row_blocks = 3;  ///< lines of accumulators: 3 times 8 columns of 32 registers
constexpr int most_columns = 8;
struct eight {
    __m512d x;
};
DDLA_INLINE eight load(const double* p)
{
    return {_mm512_loadu_pd(p)};
}
/// Lanes of `mask`; `other` elsewhere.
DDLA_INLINE eight load(eight other, unsigned mask, const double* p)
{
    return {_mm512_mask_loadu_pd(other.x, static_cast<__mmask8>(mask), p)};
}
DDLA_INLINE void store(double* p, eight a)
{
    _mm512_storeu_pd(p, a.x);
}
DDLA_INLINE void store(double* p, unsigned mask, eight a)
{
    _mm512_mask_storeu_pd(p, static_cast<__mmask8>(mask), a.x);
}
DDLA_INLINE eight all(double a)
{
    return {_mm512_set1_pd(a)};
}
DDLA_INLINE eight operator+(eight a, eight b)
{
    return {_mm512_add_pd(a.x, b.x)};
}
DDLA_INLINE eight operator-(eight a, eight b)
{
    return {_mm512_sub_pd(a.x, b.x)};
}
DDLA_INLINE eight operator*(eight a, eight b)
{
    return {_mm512_mul_pd(a.x, b.x)};
}
DDLA_INLINE eight operator/(eight a, eight b)
{
    return {_mm512_div_pd(a.x, b.x)};
}
/// a b + c, rounded once.
DDLA_INLINE eight fma(eight a, eight b, eight c)
{
    return {_mm512_fmadd_pd(a.x, b.x, c.x)};
}
/// a b - c
DDLA_INLINE eight fms(eight a, eight b, eight c)
{
    return {_mm512_fmsub_pd(a.x, b.x, c.x)};
}
/// c - a b
DDLA_INLINE eight fnma(eight a, eight b, eight c)
{
    return {_mm512_fnmadd_pd(a.x, b.x, c.x)};
}
DDLA_INLINE eight gathered(const double* x, const column_t* at)
{
    return {_mm512_set_pd(x[at[7]], x[at[6]], x[at[5]], x[at[4]], x[at[3]], x[at[2]], x[at[1]],
                          x[at[0]])};
}
DDLA_INLINE eight with(eight a, int lane, double x)
{
    return {_mm512_mask_broadcastsd_pd(a.x, static_cast<__mmask8>(1u << lane), _mm_set_sd(x))};
}
DDLA_INLINE void keep_in_register(eight& a)
{
    asm("" : "+v"(a.x));
}
#elif defined(__AVX2__)
constexpr int most_row_blocks = 1;  ///< 2 vectors times 4 columns of 16 registers
constexpr int most_columns = 4;
struct eight {
    __m256d x, y;
};
/// All ones in the lanes of four bits.
DDLA_INLINE __m256i lanes_of(unsigned bits)
{
    const __m256i bit = _mm256_set_epi64x(8, 4, 2, 1);
    return _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x(bits & 15), bit), bit);
}
DDLA_INLINE eight load(const double* p)
{
    return {_mm256_loadu_pd(p), _mm256_loadu_pd(p + 4)};
}
DDLA_INLINE eight load(eight other, unsigned mask, const double* p)
{
    const __m256i low = lanes_of(mask), high = lanes_of(mask >> 4);
    return {_mm256_blendv_pd(other.x, _mm256_maskload_pd(p, low), _mm256_castsi256_pd(low)),
            _mm256_blendv_pd(other.y, _mm256_maskload_pd(p + 4, high), _mm256_castsi256_pd(high))};
}
DDLA_INLINE void store(double* p, eight a)
{
    _mm256_storeu_pd(p, a.x);
    _mm256_storeu_pd(p + 4, a.y);
}
DDLA_INLINE void store(double* p, unsigned mask, eight a)
{
    _mm256_maskstore_pd(p, lanes_of(mask), a.x);
    _mm256_maskstore_pd(p + 4, lanes_of(mask >> 4), a.y);
}
DDLA_INLINE eight all(double a)
{
    return {_mm256_set1_pd(a), _mm256_set1_pd(a)};
}
DDLA_INLINE eight operator+(eight a, eight b)
{
    return {_mm256_add_pd(a.x, b.x), _mm256_add_pd(a.y, b.y)};
}
DDLA_INLINE eight operator-(eight a, eight b)
{
    return {_mm256_sub_pd(a.x, b.x), _mm256_sub_pd(a.y, b.y)};
}
DDLA_INLINE eight operator*(eight a, eight b)
{
    return {_mm256_mul_pd(a.x, b.x), _mm256_mul_pd(a.y, b.y)};
}
DDLA_INLINE eight operator/(eight a, eight b)
{
    return {_mm256_div_pd(a.x, b.x), _mm256_div_pd(a.y, b.y)};
}
DDLA_INLINE eight fma(eight a, eight b, eight c)
{
    return {_mm256_fmadd_pd(a.x, b.x, c.x), _mm256_fmadd_pd(a.y, b.y, c.y)};
}
DDLA_INLINE eight fms(eight a, eight b, eight c)
{
    return {_mm256_fmsub_pd(a.x, b.x, c.x), _mm256_fmsub_pd(a.y, b.y, c.y)};
}
DDLA_INLINE eight fnma(eight a, eight b, eight c)
{
    return {_mm256_fnmadd_pd(a.x, b.x, c.x), _mm256_fnmadd_pd(a.y, b.y, c.y)};
}
DDLA_INLINE eight gathered(const double* x, const column_t* at)
{
    return {_mm256_set_pd(x[at[3]], x[at[2]], x[at[1]], x[at[0]]),
            _mm256_set_pd(x[at[7]], x[at[6]], x[at[5]], x[at[4]])};
}
DDLA_INLINE eight with(eight a, int lane, double x)
{
    const __m256d all = _mm256_set1_pd(x);
    return {_mm256_blendv_pd(a.x, all, _mm256_castsi256_pd(lanes_of(1u << lane))),
            _mm256_blendv_pd(a.y, all, _mm256_castsi256_pd(lanes_of(1u << lane >> 4)))};
}
/// gcc would read a line from memory for each column that takes it: half the speed.
DDLA_INLINE void keep_in_register(eight& a)
{
    asm("" : "+x"(a.x), "+x"(a.y));
}
#else
constexpr int most_row_blocks = 1;
constexpr int most_columns = 4;
struct eight {
    double x[8];
};
template <class Lane>
DDLA_INLINE eight each_lane(const Lane& lane)
{
    eight r;
    for (int k = 0; k < 8; ++k) r.x[k] = lane(k);
    return r;
}
DDLA_INLINE eight load(const double* p)
{
    return each_lane([&](int k) { return p[k]; });
}
DDLA_INLINE eight load(eight other, unsigned mask, const double* p)
{
    return each_lane([&](int k) { return (mask >> k & 1) != 0 ? p[k] : other.x[k]; });
}
DDLA_INLINE void store(double* p, eight a)
{
    for (int k = 0; k < 8; ++k) p[k] = a.x[k];
}
DDLA_INLINE void store(double* p, unsigned mask, eight a)
{
    for (int k = 0; k < 8; ++k)
        if ((mask >> k & 1) != 0) p[k] = a.x[k];
}
DDLA_INLINE eight all(double a)
{
    return each_lane([&](int) { return a; });
}
DDLA_INLINE eight operator+(const eight& a, const eight& b)
{
    return each_lane([&](int k) { return a.x[k] + b.x[k]; });
}
DDLA_INLINE eight operator-(const eight& a, const eight& b)
{
    return each_lane([&](int k) { return a.x[k] - b.x[k]; });
}
DDLA_INLINE eight operator*(const eight& a, const eight& b)
{
    return each_lane([&](int k) { return a.x[k] * b.x[k]; });
}
DDLA_INLINE eight operator/(const eight& a, const eight& b)
{
    return each_lane([&](int k) { return a.x[k] / b.x[k]; });
}
DDLA_FMA eight fma(const eight& a, const eight& b, const eight& c)
{
    return each_lane([&](int k) { return __builtin_fma(a.x[k], b.x[k], c.x[k]); });
}
DDLA_FMA eight fms(const eight& a, const eight& b, const eight& c)
{
    return each_lane([&](int k) { return __builtin_fma(a.x[k], b.x[k], -c.x[k]); });
}
DDLA_FMA eight fnma(const eight& a, const eight& b, const eight& c)
{
    return each_lane([&](int k) { return __builtin_fma(-a.x[k], b.x[k], c.x[k]); });
}
DDLA_INLINE eight gathered(const double* x, const column_t* at)
{
    return each_lane([&](int k) { return x[at[k]]; });
}
DDLA_INLINE eight with(eight a, int lane, double x)
{
    a.x[lane] = x;
    return a;
}
DDLA_INLINE void keep_in_register(eight&) {}
#endif

DDLA_INLINE void keep_in_register(pair<eight>&) {}

/// What kernels ask of a number: its lines in memory, eight doubles, or eight high words and eight
/// low ones.
template <class F>
struct line_of;
template <>
struct line_of<double> {
    using number = double;
    using lanes = eight;
    static constexpr int doubles = 8;
    static constexpr int row_blocks = most_row_blocks, columns = most_columns;
    DDLA_INLINE static eight load(const double* p) { return factor::load(p); }
    DDLA_INLINE static eight load(eight other, unsigned mask, const double* p)
    {
        return factor::load(other, mask, p);
    }
    DDLA_INLINE static void store(double* p, eight a) { factor::store(p, a); }
    DDLA_INLINE static void store(double* p, unsigned mask, eight a) { factor::store(p, mask, a); }
    DDLA_INLINE static eight all(double a) { return factor::all(a); }
    /// Elements of a vector, whose low words lie apart.
    DDLA_INLINE static eight gathered(const double* high, const double*, const column_t* at)
    {
        return factor::gathered(high, at);
    }
    /// `a` but for one lane.
    DDLA_INLINE static eight with(eight a, int lane, double x) { return factor::with(a, lane, x); }
    DDLA_INLINE static double get(const double* p) { return *p; }
    DDLA_INLINE static void put(double* p, double a) { *p = a; }
    DDLA_INLINE static double zero() { return 0; }
    DDLA_INLINE static double one() { return 1; }
    /// What numbers are divided by, of a pivot.
    DDLA_INLINE static double divisor(double pivot) { return pivot; }
};
template <>
struct line_of<dd_real> {
    using number = pair<double>;
    using lanes = pair<eight>;
    static constexpr int doubles = 16;
    static constexpr int row_blocks = 1, columns = most_columns / 2;
    DDLA_INLINE static lanes load(const double* p)
    {
        return {factor::load(p), factor::load(p + 8)};
    }
    DDLA_INLINE static lanes load(lanes other, unsigned mask, const double* p)
    {
        return {factor::load(other.hi, mask, p), factor::load(other.lo, mask, p + 8)};
    }
    DDLA_INLINE static void store(double* p, lanes a)
    {
        factor::store(p, a.hi);
        factor::store(p + 8, a.lo);
    }
    DDLA_INLINE static void store(double* p, unsigned mask, lanes a)
    {
        factor::store(p, mask, a.hi);
        factor::store(p + 8, mask, a.lo);
    }
    DDLA_INLINE static lanes all(number a) { return {factor::all(a.hi), factor::all(a.lo)}; }
    DDLA_INLINE static lanes gathered(const double* high, const double* low, const column_t* at)
    {
        return {factor::gathered(high, at), factor::gathered(low, at)};
    }
    DDLA_INLINE static lanes with(lanes a, int lane, number x)
    {
        return {factor::with(a.hi, lane, x.hi), factor::with(a.lo, lane, x.lo)};
    }
    DDLA_INLINE static number get(const double* p) { return {p[0], p[8]}; }
    DDLA_INLINE static void put(double* p, number a)
    {
        p[0] = a.hi;
        p[8] = a.lo;
    }
    DDLA_INLINE static number zero() { return {0, 0}; }
    DDLA_INLINE static number one() { return {1, 0}; }
    DDLA_INLINE static number divisor(number pivot) { return pivot; }
};

}  // namespace
}  // namespace ddla::factor
