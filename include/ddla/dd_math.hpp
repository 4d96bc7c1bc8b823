// Functions of dd_real: classification, absolute value, rounding to integers, scaling, square root.
//
//     const ddla::dd_real root = sqrt(ddla::dd_real(2));
//     const ddla::dd_real part = abs(floor(root) - root), half = ldexp(part, -1);
//
// Where QD has the function, the bits are QD's for finite operands (QD has no round; sqrt agrees
// for 2^-968 <= x < 2^1023, beyond which QD loses digits or overflows).
#pragma once

#include "dd_real.hpp"

namespace ddla {

namespace detail {

DDLA_HD constexpr bool sign_bit(double x)
{
    return (__builtin_bit_cast(unsigned long long, x) >> 63) != 0;
}

/// C++20 has no constexpr floor: for constant expressions.
DDLA_HD constexpr double constant_floor(double x)
{
    if (!(-0x1p52 < x && x < 0x1p52)) return x;
    const double t = static_cast<double>(static_cast<long long>(x));
    const double f = t > x ? t - 1 : t;
    return f == 0 ? x * 0 : f;  // keeps the sign of -0
}

DDLA_HD constexpr double floor_of(double x)
{
    return __builtin_is_constant_evaluated() ? constant_floor(x) : ::floor(x);
}

DDLA_HD constexpr double ceil_of(double x)
{
    return __builtin_is_constant_evaluated() ? -constant_floor(-x) : ::ceil(x);
}

/// QD's nearest integer of a double, ties up; 1 for the predecessor of 1/2.
DDLA_HD constexpr double nint_of(double x)
{
    const double f = floor_of(x);
    return x == f ? x : floor_of(add(rounded(x), 0.5));
}

/// The nearest integer, ties away from zero where `positive`, else towards zero.
DDLA_HD constexpr double round_half(double x, bool positive)
{
    const double f = floor_of(x);
    if (x == f) return f;
    const double middle = f + 0.5;  // exact: |x| < 2^52
    return (positive ? x >= middle : x > middle) ? f + 1 : f;
}

/// C++20 has no constexpr ldexp: halve while the result is normal, then scale once.
DDLA_HD constexpr double constant_ldexp(double x, int exponent)
{
    for (; exponent > 0 && is_finite(x) && x != 0; --exponent) x *= 2;
    for (; exponent < 0 && (x >= 0x1p-1021 || x <= -0x1p-1021); ++exponent) x *= 0.5;
    double factor = 1;
    for (; exponent < 0 && factor > 0; ++exponent) factor *= 0.5;
    return x * factor;
}

DDLA_HD constexpr double ldexp_of(double x, int exponent)
{
    return __builtin_is_constant_evaluated() ? constant_ldexp(x, exponent) : ::ldexp(x, exponent);
}

}  // namespace detail

// ---- Classification: each dd_real is exactly one of finite, infinite, NaN -----------------------

DDLA_HD constexpr bool isfinite(dd_real x)
{
    return detail::is_finite(x.hi) && detail::is_finite(x.lo);
}
DDLA_HD constexpr bool isnan(dd_real x)
{
    return x.hi != x.hi || x.lo != x.lo;
}
DDLA_HD constexpr bool isinf(dd_real x)
{
    return !isfinite(x) && !isnan(x);
}
/// The sign of hi, which is the sign of the number.
DDLA_HD constexpr bool signbit(dd_real x)
{
    return detail::sign_bit(x.hi);
}

// ---- Sign, minimum, maximum ---------------------------------------------------------------------

/// Exact; never has the sign bit set.
DDLA_HD constexpr dd_real abs(dd_real x)
{
    return detail::sign_bit(x.hi) ? -x : x;
}
DDLA_HD constexpr dd_real fabs(dd_real x)
{
    return abs(x);
}
DDLA_HD constexpr dd_real copysign(dd_real magnitude, dd_real sign)
{
    return signbit(magnitude) == signbit(sign) ? magnitude : -magnitude;
}
/// As std::min and std::max: x where neither is smaller, so x where one is NaN.
DDLA_HD constexpr dd_real min(dd_real x, dd_real y)
{
    return y < x ? y : x;
}
DDLA_HD constexpr dd_real max(dd_real x, dd_real y)
{
    return x < y ? y : x;
}

// ---- To integers.  Exact; Inf and NaN return themselves -----------------------------------------

/// The largest integer <= x.
DDLA_HD constexpr dd_real floor(dd_real x)
{
    const double high = detail::floor_of(x.hi);
    if (high != x.hi || !isfinite(x)) return isfinite(x) ? dd_real(high) : x;
    return detail::renormalized(high, detail::floor_of(x.lo));
}

/// The smallest integer >= x.
DDLA_HD constexpr dd_real ceil(dd_real x)
{
    const double high = detail::ceil_of(x.hi);
    if (high != x.hi || !isfinite(x)) return isfinite(x) ? dd_real(high) : x;
    return detail::renormalized(high, detail::ceil_of(x.lo));
}

/// Towards zero; QD calls it aint.
DDLA_HD constexpr dd_real trunc(dd_real x)
{
    return x.hi >= 0 ? floor(x) : ceil(x);
}
DDLA_HD constexpr dd_real aint(dd_real x)
{
    return trunc(x);
}

/// The nearest integer, ties away from zero.
DDLA_HD constexpr dd_real round(dd_real x)
{
    if (!isfinite(x)) return x;
    const bool positive = x.hi > 0;
    if (detail::floor_of(x.hi) == x.hi)
        return detail::renormalized(x.hi, detail::round_half(x.lo, positive));
    const double high = detail::round_half(x.hi, positive);
    // Where hi is half-way between integers, hi + lo is not, unless lo is 0: lo decides.
    const double towards_zero = positive ? high - 1 : high + 1;
    const double away = detail::sub(high, detail::rounded(x.hi));
    const bool tie = away == (positive ? 0.5 : -0.5);
    return tie && x.lo != 0 && (x.lo > 0) != positive ? towards_zero : high;
}

/// QD's nearest integer: ties towards +Inf in hi and lo.  (In QD the predecessor of 1/2 gives 1.)
DDLA_HD constexpr dd_real nint(dd_real x)
{
    if (!isfinite(x)) return x;
    const double high = detail::nint_of(x.hi);
    if (high == x.hi) return detail::renormalized(high, detail::nint_of(x.lo));
    const double away = detail::sub(high, detail::rounded(x.hi));
    const bool tie = away == 0.5 || away == -0.5;
    return tie && x.lo < 0 ? high - 1 : high;
}

/// QD's remainder x - nint(x / y) y and, with it, the quotient nint(x / y).
DDLA_HD constexpr dd_real divrem(dd_real x, dd_real y, dd_real& remainder)
{
    const dd_real n = nint(x / y);
    remainder = x - n * y;
    return n;
}
DDLA_HD constexpr dd_real drem(dd_real x, dd_real y)
{
    return x - nint(x / y) * y;
}

namespace detail {

/// As an integer, for an integral x in the range of I.
template <std::integral I>
DDLA_HD constexpr I integer_of(dd_real x)
{
    if (-0x1p53 < x.hi && x.hi < 0x1p53) return static_cast<I>(x.hi);
    // hi may be 2^63 or 2^64 where the sum is just below: add it in halves, which are exact.
    const I half = static_cast<I>(x.hi * 0.5);
    return static_cast<I>(half + static_cast<I>(static_cast<std::int64_t>(x.lo)) + half);
}

}  // namespace detail

template <std::integral I>
requires(!std::same_as<I, bool>) DDLA_HD constexpr dd_real::operator I() const
{
    return detail::integer_of<I>(trunc(*this));
}

// ---- Scaling, square, square root ---------------------------------------------------------------

/// x 2^exponent: exact unless it overflows or a word becomes subnormal.
DDLA_HD constexpr dd_real ldexp(dd_real x, int exponent)
{
    return {detail::ldexp_of(x.hi, exponent), detail::ldexp_of(x.lo, exponent)};
}

/// x times a power of two: exact unless it over- or underflows.
DDLA_HD constexpr dd_real mul_pwr2(dd_real x, double power_of_two)
{
    return {detail::mul(x.hi, power_of_two), detail::mul(x.lo, power_of_two)};
}

/// QD sqr; 8 flops.  Not the bits of x * x: this one adds lo^2.
DDLA_HD constexpr dd_real sqr(dd_real x)
{
    const exact p = two_sqr(x.hi);
    const double error = detail::add(p.error, detail::mul(2.0 * x.hi, x.lo));
    return detail::renormalized(p.value, detail::add(error, detail::mul(x.lo, x.lo)));
}

namespace detail {

/// Karp and Markstein, ACM TOMS 23(4) (1997): with r ~ 1/sqrt(x) in double, s = x r, the correction
/// (x - s^2) r / 2.  The residual is QD's default (sloppy) subtraction, of which only the high word
/// is used: so are the bits of a QD built as packaged.
DDLA_HD inline dd_real sqrt_by_karp(dd_real x)
{
    const double r = 1.0 / ::sqrt(x.hi);
    const double s = mul(x.hi, r);
    const exact p = two_sqr(s);
    const exact d = two_diff(x.hi, p.value);
    const double rest = sub(add(d.error, rounded(x.lo)), p.error);
    return dd_real::add(s, mul(add(d.value, rest), r * 0.5));
}

}  // namespace detail

/// Square root; 23 flops, error <= 22 u^2 (7.9 u^2 is the largest found).  Operands near the ends
/// of the range are scaled by powers of 4, which changes no bit elsewhere: accurate for every
/// finite x >= 0. sqrt(±0) = ±0, sqrt(Inf) = Inf, NaN for x < 0 (QD prints a message, too).  Not
/// constexpr: C++20 has no constexpr sqrt.
DDLA_HD inline dd_real sqrt(dd_real x)
{
    if (!(x.hi > 0) || !detail::is_finite(x.hi)) return ::sqrt(x.hi);
    if (x.hi < 0x1p-900) return mul_pwr2(detail::sqrt_by_karp(mul_pwr2(x, 0x1p108)), 0x1p-54);
    if (x.hi > 0x1p1021) return mul_pwr2(detail::sqrt_by_karp(mul_pwr2(x, 0.25)), 2.0);
    return detail::sqrt_by_karp(x);
}

// ---- The same names for double, so that one text serves both scalars ----------------------------
// Templates, so that they lose against ::sqrt(double) where a program sees both.

template <std::same_as<double> D>
DDLA_HD constexpr D abs(D x)
{
    return detail::sign_bit(x) ? -x : x;
}
template <std::same_as<double> D>
DDLA_HD inline D sqrt(D x)
{
    return ::sqrt(x);
}
template <std::same_as<double> D>
DDLA_HD constexpr bool isfinite(D x)
{
    return detail::is_finite(x);
}
template <std::same_as<double> D>
DDLA_HD constexpr bool isnan(D x)
{
    return x != x;
}

}  // namespace ddla
