// Numbers of four systems side by side, in the vectors of one instruction set.  For the units
// kernels_*.cpp alone: see lines.hpp.
#pragma once

#include "kernels.hpp"
#include "lines.hpp"

namespace ddla::factor {
namespace {

#if defined(__AVX2__)
struct four {
    __m256d x;
};
DDLA_INLINE four load_four(const double* p)
{
    return {_mm256_loadu_pd(p)};
}
DDLA_INLINE four all_four(double a)
{
    return {_mm256_set1_pd(a)};
}
DDLA_INLINE void store(double* p, four a)
{
    _mm256_storeu_pd(p, a.x);
}
DDLA_INLINE four operator+(four a, four b)
{
    return {_mm256_add_pd(a.x, b.x)};
}
DDLA_INLINE four operator-(four a, four b)
{
    return {_mm256_sub_pd(a.x, b.x)};
}
DDLA_INLINE four operator*(four a, four b)
{
    return {_mm256_mul_pd(a.x, b.x)};
}
DDLA_INLINE four operator/(four a, four b)
{
    return {_mm256_div_pd(a.x, b.x)};
}
DDLA_INLINE four fma(four a, four b, four c)
{
    return {_mm256_fmadd_pd(a.x, b.x, c.x)};
}
DDLA_INLINE four fms(four a, four b, four c)
{
    return {_mm256_fmsub_pd(a.x, b.x, c.x)};
}
DDLA_INLINE four fnma(four a, four b, four c)
{
    return {_mm256_fnmadd_pd(a.x, b.x, c.x)};
}
#else
struct four {
    double x[4];
};
template <class Lane>
DDLA_INLINE four each_of_four(const Lane& lane)
{
    return {{lane(0), lane(1), lane(2), lane(3)}};
}
DDLA_INLINE four load_four(const double* p)
{
    return each_of_four([&](int k) { return p[k]; });
}
DDLA_INLINE four all_four(double a)
{
    return {{a, a, a, a}};
}
DDLA_INLINE void store(double* p, const four& a)
{
    for (int k = 0; k < 4; ++k) p[k] = a.x[k];
}
DDLA_INLINE four operator+(const four& a, const four& b)
{
    return each_of_four([&](int k) { return a.x[k] + b.x[k]; });
}
DDLA_INLINE four operator-(const four& a, const four& b)
{
    return each_of_four([&](int k) { return a.x[k] - b.x[k]; });
}
DDLA_INLINE four operator*(const four& a, const four& b)
{
    return each_of_four([&](int k) { return a.x[k] * b.x[k]; });
}
DDLA_INLINE four operator/(const four& a, const four& b)
{
    return each_of_four([&](int k) { return a.x[k] / b.x[k]; });
}
DDLA_INLINE four fma(const four& a, const four& b, const four& c)
{
    return each_of_four([&](int k) { return __builtin_fma(a.x[k], b.x[k], c.x[k]); });
}
DDLA_INLINE four fms(const four& a, const four& b, const four& c)
{
    return each_of_four([&](int k) { return __builtin_fma(a.x[k], b.x[k], -c.x[k]); });
}
DDLA_INLINE four fnma(const four& a, const four& b, const four& c)
{
    return each_of_four([&](int k) { return __builtin_fma(-a.x[k], b.x[k], c.x[k]); });
}
#endif

/// An unknown of four systems: four doubles, or four high words and four low ones.
template <class T>
struct systems_of;
template <>
struct systems_of<double> {
    using lanes = four;
    static constexpr index_t doubles = doubles_of_systems<double>;
    DDLA_INLINE static lanes load(const double* p) { return load_four(p); }
    DDLA_INLINE static lanes all(double a) { return all_four(a); }
    DDLA_INLINE static void put(double* p, lanes a) { factor::store(p, a); }
};
template <>
struct systems_of<dd_real> {
    using lanes = pair<four>;
    static constexpr index_t doubles = doubles_of_systems<dd_real>;
    DDLA_INLINE static lanes load(const double* p) { return {load_four(p), load_four(p + 4)}; }
    DDLA_INLINE static lanes all(double a) { return {all_four(a), all_four(0)}; }
    DDLA_INLINE static lanes all(pair<double> a) { return {all_four(a.hi), all_four(a.lo)}; }
    DDLA_INLINE static void put(double* p, lanes a)
    {
        factor::store(p, a.hi);
        factor::store(p + 4, a.lo);
    }
};

}  // namespace
}  // namespace ddla::factor
