// QD's named operations on dd_real, for comparison with QD and for those who know them by name.
//
//     const ddla::dd_real s = ddla::dd_real::add(0.1, 0.2);  // the exact sum of two doubles
#pragma once

#include "dd_real.hpp"

namespace ddla {

DDLA_HD constexpr dd_real dd_real::add(double a, double b)
{
    const exact s = two_sum(a, b);
    return {s.value, s.error};
}
DDLA_HD constexpr dd_real dd_real::sub(double a, double b)
{
    const exact s = two_diff(a, b);
    return {s.value, s.error};
}
DDLA_HD constexpr dd_real dd_real::mul(double a, double b)
{
    const exact p = two_prod(a, b);
    return {p.value, p.error};
}
/// a / b; 11 flops.  The second word is the rounded quotient of an exact remainder: error <= u^2.
DDLA_HD constexpr dd_real dd_real::div(double a, double b)
{
    const double q1 = a / b;
    const exact p = two_prod(q1, b);
    const exact s = two_diff(a, p.value);
    const double q2 = detail::add(s.value, detail::sub(s.error, p.error)) / b;
    return detail::renormalized(q1, q2);
}

/// What operator+ does.
DDLA_HD constexpr dd_real dd_real::ieee_add(dd_real x, dd_real y)
{
    return x + y;
}
/// JMP 2017 algorithm 5; 11 flops.  No bound on the relative error when signs differ.
DDLA_HD constexpr dd_real dd_real::sloppy_add(dd_real x, dd_real y)
{
    const exact s = two_sum(x.hi, y.hi);
    return detail::renormalized(
        s.value, detail::add(s.error, detail::add(detail::rounded(x.lo), detail::rounded(y.lo))));
}

/// What operator/ does.
DDLA_HD constexpr dd_real dd_real::accurate_div(dd_real x, dd_real y)
{
    return x / y;
}
/// Two quotient words (close to JMP 2017 algorithm 17, 15 u^2 + 56 u^3); 25 flops.
DDLA_HD constexpr dd_real dd_real::sloppy_div(dd_real x, dd_real y)
{
    const double q1 = x.hi / y.hi;
    const dd_real r = y * q1;
    const exact s = two_diff(x.hi, r.hi);
    const double rest = detail::add(detail::sub(s.error, r.lo), detail::rounded(x.lo));
    const double q2 = detail::add(s.value, rest) / y.hi;
    return detail::renormalized(q1, q2);
}

/// 1 / x.
DDLA_HD constexpr dd_real inv(dd_real x)
{
    return 1.0 / x;
}

DDLA_HD constexpr double to_double(dd_real x)
{
    return x.hi;
}

}  // namespace ddla
