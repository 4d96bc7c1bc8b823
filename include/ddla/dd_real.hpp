// dd_real: a number held as the unevaluated sum of two doubles, about 32 digits.
//
//     ddla::dd_real third = ddla::dd_real(1) / 3;   // error below 5 u^2, u = 2^-53
//     ddla::dd_real x = sqrt(third * third);
//
// hi is the sum rounded to double, lo the rest.  Each operation has the bits of the QD library
// (Hida, Li and Bailey 2001) in the form named beside it; the library's configuration cannot change
// them.  Bounds are relative errors (docs/arithmetic.md derives those that no paper gives).
//
// Special values: a number that is not finite stays not finite.  An operation that overflows or
// gets Inf or NaN returns a dd_real that is not finite (mostly NaN: Inf + 1 is NaN, as in QD),
// never a finite number.  Full precision needs |x| >= numeric_limits<dd_real>::min() = 2^-969 in
// operands and results; below, lo is subnormal and digits fade.  The sign of a zero result is
// unspecified.
#pragma once

#include "eft.hpp"

#include <compare>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace ddla {

/// Arithmetic types whose every value is a double.
template <class T>
concept fits_double = std::same_as<T, double> || std::same_as<T, float> ||
    (std::integral<T>&& std::numeric_limits<T>::digits <= 53);

/// 64-bit integers: every value is a dd_real, not every one a double.
template <class T>
concept wide_integer = std::integral<T> && !fits_double<T> && sizeof(T) == 8;

/// Types that a conversion through double would round silently: __float128, __int128.
template <class T>
concept wider_than_dd = !std::is_class_v<T> && !std::same_as<T, long double> && sizeof(T) > 8 &&
                        requires(T x)
{
    static_cast<double>(x);
};

struct dd_real {
    double hi;
    double lo;

    dd_real() = default;
    DDLA_HD constexpr dd_real(double high, double low = 0) : hi(high), lo(low) {}
    /// Exact.
    template <wide_integer I>
    DDLA_HD constexpr dd_real(I n);
    /// hi is the nearest double, lo the double nearest to the rest: exact for 64-bit significands.
    template <std::same_as<long double> L>
    constexpr dd_real(L x);
    /// Use the named conversions of interop/float128.hpp.
    template <wider_than_dd W>
    dd_real(W) = delete;

    /// The nearest double: hi.
    DDLA_HD explicit constexpr operator double() const { return hi; }
    /// The nearest float, ties to even.
    DDLA_HD explicit constexpr operator float() const;
    /// The nearest long double (host only).
    explicit constexpr operator long double() const
    {
        return static_cast<long double>(hi) + static_cast<long double>(lo);
    }
    /// Towards zero; undefined out of range, as for double.
    template <std::integral I>
    requires(!std::same_as<I, bool>) DDLA_HD explicit constexpr operator I() const;
    DDLA_HD explicit constexpr operator bool() const { return hi != 0 || lo != 0; }

    // Compound assignment is the binary operation.  (QD's own *= rounds differently.)
    template <class Y>
    DDLA_HD constexpr dd_real& operator+=(Y y)
    {
        return *this = *this + y;
    }
    template <class Y>
    DDLA_HD constexpr dd_real& operator-=(Y y)
    {
        return *this = *this - y;
    }
    template <class Y>
    DDLA_HD constexpr dd_real& operator*=(Y y)
    {
        return *this = *this * y;
    }
    template <class Y>
    DDLA_HD constexpr dd_real& operator/=(Y y)
    {
        return *this = *this / y;
    }

    // QD's named operations.  On two doubles: exact sum, difference, product; quotient.
    DDLA_HD static constexpr dd_real add(double a, double b);
    DDLA_HD static constexpr dd_real sub(double a, double b);
    DDLA_HD static constexpr dd_real mul(double a, double b);
    DDLA_HD static constexpr dd_real div(double a, double b);
    DDLA_HD static constexpr dd_real ieee_add(dd_real x, dd_real y);
    DDLA_HD static constexpr dd_real sloppy_add(dd_real x, dd_real y);
    DDLA_HD static constexpr dd_real accurate_div(dd_real x, dd_real y);
    DDLA_HD static constexpr dd_real sloppy_div(dd_real x, dd_real y);
};

namespace detail {

DDLA_HD constexpr bool is_finite(double x)
{
    x = rounded(x);
    return sub(x, x) == 0;
}

/// The result of an operation: value + error with |value| >= |error|, made non-overlapping.
DDLA_HD constexpr dd_real renormalized(double value, double error)
{
    const exact r = fast_two_sum(value, error);
    return {r.value, r.error};
}

}  // namespace detail

// ---- Sums ---------------------------------------------------------------------------------------

/// QD ieee_add = JMP 2017 algorithm 6; 20 flops, error <= 3 u^2 + 13 u^3.  Commutative in bits.
DDLA_HD constexpr dd_real operator+(dd_real x, dd_real y)
{
    const exact s = two_sum(x.hi, y.hi);
    const exact t = two_sum(x.lo, y.lo);
    const exact v = fast_two_sum(s.value, detail::add(s.error, t.value));
    return detail::renormalized(v.value, detail::add(v.error, t.error));
}

/// QD dd + d = JMP 2017 algorithm 4; 10 flops, error <= 2 u^2.
template <fits_double D>
DDLA_HD constexpr dd_real operator+(dd_real x, D y)
{
    const exact s = two_sum(x.hi, static_cast<double>(y));
    return detail::renormalized(s.value, detail::add(s.error, detail::rounded(x.lo)));
}
template <fits_double D>
DDLA_HD constexpr dd_real operator+(D x, dd_real y)
{
    return y + x;
}

/// The QD_IEEE_ADD form of QD's subtraction; 20 flops, error <= 3 u^2 + 13 u^3.
DDLA_HD constexpr dd_real operator-(dd_real x, dd_real y)
{
    const exact s = two_diff(x.hi, y.hi);
    const exact t = two_diff(x.lo, y.lo);
    const exact v = fast_two_sum(s.value, detail::add(s.error, t.value));
    return detail::renormalized(v.value, detail::add(v.error, t.error));
}

/// QD dd - d; 10 flops, error <= 2 u^2.
template <fits_double D>
DDLA_HD constexpr dd_real operator-(dd_real x, D y)
{
    const exact s = two_diff(x.hi, static_cast<double>(y));
    return detail::renormalized(s.value, detail::add(s.error, detail::rounded(x.lo)));
}

/// QD d - dd; 10 flops, error <= 2 u^2.
template <fits_double D>
DDLA_HD constexpr dd_real operator-(D x, dd_real y)
{
    const exact s = two_diff(static_cast<double>(x), y.hi);
    return detail::renormalized(s.value, detail::sub(s.error, detail::rounded(y.lo)));
}

DDLA_HD constexpr dd_real operator+(dd_real x)
{
    return x;
}
DDLA_HD constexpr dd_real operator-(dd_real x)
{
    return {-x.hi, -x.lo};
}

// ---- Products -----------------------------------------------------------------------------------

/// QD dd * dd = JMP 2017 algorithm 10; 9 flops, error < 5 u^2 (Muller and Rideau, ACM TOMS 48(1),
/// 2022).  Commutative in bits, unlike the cheaper forms that fuse one cross product.
DDLA_HD constexpr dd_real operator*(dd_real x, dd_real y)
{
    const exact p = two_prod(x.hi, y.hi);
    const double cross = detail::add(detail::mul(x.hi, y.lo), detail::mul(x.lo, y.hi));
    return detail::renormalized(p.value, detail::add(p.error, cross));
}

/// QD dd * d = JMP 2017 algorithm 8; 7 flops, error <= 3 u^2.
template <fits_double D>
DDLA_HD constexpr dd_real operator*(dd_real x, D y)
{
    const double b = static_cast<double>(y);
    const exact p = two_prod(x.hi, b);
    return detail::renormalized(p.value, detail::add(p.error, detail::mul(x.lo, b)));
}
template <fits_double D>
DDLA_HD constexpr dd_real operator*(D x, dd_real y)
{
    return y * x;
}

// ---- Quotients ----------------------------------------------------------------------------------

/// QD accurate_div over ieee_add: long division with three quotient words; 70 flops,
/// error <= 5 u^2 + O(u^3).
DDLA_HD constexpr dd_real operator/(dd_real x, dd_real y)
{
    const double q1 = x.hi / y.hi;
    const dd_real r1 = x - q1 * y;
    const double q2 = r1.hi / y.hi;
    const dd_real r2 = r1 - q2 * y;
    const double q3 = r2.hi / y.hi;
    return detail::renormalized(q1, q2) + q3;
}

/// QD dd / d (the bits of JMP 2017 algorithm 14); 16 flops, error <= 3.5 u^2.
template <fits_double D>
DDLA_HD constexpr dd_real operator/(dd_real x, D y)
{
    const double b = static_cast<double>(y);
    const double q1 = x.hi / b;
    const exact p = two_prod(q1, b);
    const exact s = two_diff(x.hi, p.value);
    const double rest = detail::sub(detail::add(s.error, detail::rounded(x.lo)), p.error);
    const double q2 = detail::add(s.value, rest) / b;
    return detail::renormalized(q1, q2);
}
template <fits_double D>
DDLA_HD constexpr dd_real operator/(D x, dd_real y)
{
    return dd_real(static_cast<double>(x)) / y;
}

// ---- Comparisons: a double or an integer on either side converts exactly ------------------------

DDLA_HD constexpr bool operator==(dd_real x, dd_real y)
{
    return x.hi == y.hi && x.lo == y.lo;
}
DDLA_HD constexpr bool operator<(dd_real x, dd_real y)
{
    return x.hi < y.hi || (x.hi == y.hi && x.lo < y.lo);
}
DDLA_HD constexpr bool operator<=(dd_real x, dd_real y)
{
    return x.hi < y.hi || (x.hi == y.hi && x.lo <= y.lo);
}
DDLA_HD constexpr bool operator>(dd_real x, dd_real y)
{
    return y < x;
}
DDLA_HD constexpr bool operator>=(dd_real x, dd_real y)
{
    return y <= x;
}
/// Host only: the standard's ordering types are not device code.  NaN is unordered.
constexpr std::partial_ordering operator<=>(dd_real x, dd_real y)
{
    const std::partial_ordering high = x.hi <=> y.hi;
    return high == 0 ? x.lo <=> y.lo : high;
}

}  // namespace ddla

// The rest of the type (each needs only what is above): a program must not depend on which of
// these headers it found first.
#include "dd_conversions.hpp"
#include "dd_limits.hpp"
#include "dd_math.hpp"
#include "dd_named.hpp"
