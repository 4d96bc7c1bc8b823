// Conversions of dd_real from and to the built-in types.
//
//     const ddla::dd_real big(std::int64_t{9007199254740993});  // 2^53 + 1, exact
//     const double nearest = double(big);                       // rounded: asked for by name
#pragma once

#include "dd_real.hpp"

namespace ddla {

template <wide_integer I>
DDLA_HD constexpr dd_real::dd_real(I n) : hi(0), lo(0)
{
    // Both halves are doubles, and the upper one is 0 or not smaller than the lower one.
    const double upper = detail::mul(static_cast<double>(n >> 32), 0x1p32);
    const double lower = static_cast<double>(static_cast<std::uint64_t>(n) & 0xffffffffu);
    *this = detail::renormalized(upper, lower);
}

template <std::same_as<long double> L>
constexpr dd_real::dd_real(L x) : hi(static_cast<double>(x)), lo(0)
{
    if (detail::is_finite(hi))  // finite: x - hi is exact, being at most half an ulp of hi
        lo = static_cast<double>(x - hi);
}

namespace detail {

/// hi + lo rounded to odd: where lo is not zero, the one of the two doubles around the sum whose
/// last bit is 1.  Rounding that to a format of at most 51 digits is rounding hi + lo (Boldo and
/// Melquiond 2008): no double rounding.
DDLA_HD constexpr double rounded_to_odd(dd_real x)
{
    using bits = unsigned long long;
    const bits high = __builtin_bit_cast(bits, x.hi);
    if (x.lo == 0 || (high & 1) != 0 || !is_finite(x.hi)) return x.hi;
    const bool away_from_zero = (x.lo > 0) == (x.hi > 0);
    return __builtin_bit_cast(double, away_from_zero ? high + 1 : high - 1);
}

}  // namespace detail

DDLA_HD constexpr dd_real::operator float() const
{
    return static_cast<float>(detail::rounded_to_odd(*this));
}

}  // namespace ddla
