// Numbers as triangular solves see them, on a host and on a device: rounded to another precision,
// and times powers of two.
#pragma once

#include "ddla/dd_math.hpp"
#include "ddla/number.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>

namespace ddla::steps {

/// The wider of two numbers.
template <scalar T, scalar F>
using wider = std::conditional_t<(words_of<T> >= words_of<F>), T, F>;

/// F nearest to x: of the same value, or the high words of it.
template <scalar F, scalar V>
DDLA_HD F rounded(const V& x)
{
    if constexpr (words_of<F> >= words_of<V>)
        return F(x);
    else
        return word<0>(x);
}

/// The biased exponent of a double: 0 for zero and below the normal range, 0x7ff for Inf and NaN.
DDLA_HD inline int exponent_field(double x)
{
    std::uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return static_cast<int>(bits >> 52 & 0x7ff);
}

/// e of 2^(e-1) <= |x| < 2^e; 0 for zero, Inf and NaN.  As frexp, without a call.
DDLA_HD inline int exponent_of(double x)
{
    const int field = exponent_field(x);
    if (x == 0 || field == 0x7ff) return 0;
    return field != 0 ? field - 1022 : exponent_field(x * 0x1p+64) - 1022 - 64;
}

/// x 2^exponent, exact but for overflow and underflow: ldexp, without a call where the power is a
/// normal number.
template <scalar T>
DDLA_HD T scaled(const T& x, int exponent)
{
    if (exponent >= -1022 && exponent <= 1023) {
        const std::uint64_t bits = static_cast<std::uint64_t>(exponent + 1023) << 52;
        double power;
        memcpy(&power, &bits, sizeof power);
        return from_words<T>([&](auto k) { return word<k>(x) * power; });
    }
    return from_words<T>([&](auto k) { return detail::ldexp_of(word<k>(x), exponent); });
}

}  // namespace ddla::steps
