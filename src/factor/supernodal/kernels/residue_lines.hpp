// Lines of residues modulo a prime below 2^50, each a double: what kernels ask of a number.
//
// For the units residues_*.cpp alone, see lines.hpp.
#pragma once

#include "kernels.hpp"
#include "lines.hpp"

namespace ddla::factor {
namespace {

/// Of W, a double or a line of them: a whole number x, |x| < 0.9 p, and 0 for the residue 0 alone.
template <class W, std::int64_t Prime>
struct modular {
    W x;
};

/// The whole number nearest to a / p, for |a| < 2^101: its error, with that of the roundings, is
/// below 0.8.
template <class W>
DDLA_INLINE W quotient(W a, W inverse, W whole)
{
    return fma(a, inverse, whole) - whole;
}

/// What W has of each constant.
template <class W, std::int64_t Prime>
struct modular_constants {
    DDLA_INLINE static W of(double x)
    {
        if constexpr (sizeof(W) == sizeof(double))
            return x;
        else
            return all(x);
    }
    W prime = of(static_cast<double>(Prime)), inverse = of(1 / static_cast<double>(Prime)),
      whole = of(0x1.8p52);  ///< adding it rounds to a whole number
};

/// c - l u.  With h = l u rounded and q near (h - c) / p, h - q p and c - (l u - h) are whole
/// numbers below 2^53, so that all but h and q is exact (after van der Hoeven, Lecerf and Quintin,
/// ACM TOMS 43(1), 2016).
template <class W, std::int64_t Prime>
DDLA_INLINE modular<W, Prime> fnma(modular<W, Prime> l, modular<W, Prime> u, modular<W, Prime> c)
{
    const modular_constants<W, Prime> of;
    const W h = l.x * u.x, low = fms(l.x, u.x, h), q = quotient(h - c.x, of.inverse, of.whole);
    return {(c.x - low) - fnma(q, of.prime, h)};
}
/// Pivots are stored as their inverses.
template <class W, std::int64_t Prime>
DDLA_INLINE modular<W, Prime> operator/(modular<W, Prime> a, modular<W, Prime> inverse)
{
    const modular_constants<W, Prime> of;
    const W h = a.x * inverse.x, low = fms(a.x, inverse.x, h),
            q = quotient(h, of.inverse, of.whole);
    return {fnma(q, of.prime, h) + low};
}
template <std::int64_t Prime>
DDLA_INLINE void keep_in_register(modular<eight, Prime>& a)
{
    keep_in_register(a.x);
}

template <std::int64_t Prime>
struct residues;
template <std::int64_t Prime>
struct line_of<residues<Prime>> {
    using number = modular<double, Prime>;
    using lanes = modular<eight, Prime>;
    static constexpr int doubles = 8;
    static constexpr int row_blocks = 1, columns = 4;
    DDLA_INLINE static lanes load(const double* p) { return {factor::load(p)}; }
    DDLA_INLINE static lanes load(lanes other, unsigned mask, const double* p)
    {
        return {factor::load(other.x, mask, p)};
    }
    DDLA_INLINE static void store(double* p, lanes a) { factor::store(p, a.x); }
    DDLA_INLINE static void store(double* p, unsigned mask, lanes a)
    {
        factor::store(p, mask, a.x);
    }
    DDLA_INLINE static lanes all(number a) { return {factor::all(a.x)}; }
    DDLA_INLINE static number get(const double* p) { return {*p}; }
    DDLA_INLINE static void put(double* p, number a) { *p = a.x; }
    DDLA_INLINE static number zero() { return {0}; }
    DDLA_INLINE static number one() { return {1}; }
    static number divisor(number pivot)
    {
        return {static_cast<double>(inverse_residue<Prime>(static_cast<std::int64_t>(pivot.x)))};
    }
};

template <std::int64_t Prime>
DDLA_INLINE double size_of(modular<double, Prime> x)
{
    return __builtin_fabs(x.x);
}
template <std::int64_t Prime>
DDLA_INLINE modular<double, Prime> with_sign_of(modular<double, Prime>, double size)
{
    return {size};
}

}  // namespace
}  // namespace ddla::factor
