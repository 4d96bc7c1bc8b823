// Correctly rounded conversion from and to IEEE binary128: __float128 and, where the compiler has
// it as a type of its own (g++ 13), _Float128.  Empty where there is no such type.
//
//     const __float128 wide = ddla::to_float128(ddla::dd_real(1) / 3);
//     const ddla::dd_real back = ddla::from_float128(wide);
#pragma once

#include "../dd_real.hpp"

#if defined(__SIZEOF_FLOAT128__)

namespace ddla {

/// __float128, _Float128.
template <class F>
concept binary128 = wider_than_dd<F> && sizeof(F) == 16 && static_cast<F>(0.5) != static_cast<F>(0);

/// The nearest binary128.
template <binary128 F = __float128>
constexpr F to_float128(dd_real x)
{
    if (x.lo == 0 || !detail::is_finite(x.hi)) return static_cast<F>(x.hi);
    return static_cast<F>(x.hi) + static_cast<F>(x.lo);
}

/// The sum of the double nearest to x and the double nearest to the rest; Inf beyond the range.
template <binary128 F>
constexpr dd_real from_float128(F x)
{
    const double high = static_cast<double>(x);
    if (high == 0 || !detail::is_finite(high)) return high;
    const double low = static_cast<double>(x - static_cast<F>(high));
    return detail::renormalized(high, low);  // low may have rounded up to half an ulp
}

}  // namespace ddla

#endif
