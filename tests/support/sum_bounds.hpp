// The error bounds of docs/arithmetic.md ("Bounds of sums"), in exact arithmetic.
#pragma once

#include "exact_numbers.hpp"

#include <bit>

namespace test {

/// The additions that a term of a sum of n goes through at most: log2 n, rounded up.
inline int depth(ddla::index_t n)
{
    return n < 2 ? 0 : std::bit_width(static_cast<std::uint64_t>(n - 1));
}

/// An operation returns z (1 + e) + f with |e| <= relative and, where it is a product, |f| <=
/// absolute: what underflow does.
struct unit_error {
    exact_number relative, absolute;
};

/// u^k, u = 2^-53.
inline exact_number u_to(int k)
{
    return exact_number::power_of_two(-53 * k);
}
/// The smallest subnormal number.
inline exact_number eta()
{
    return exact_number::power_of_two(-1074);
}

/// Of a sum of two T.
template <class T>
exact_number of_addition()
{
    if constexpr (std::is_same_v<T, double>) return u_to(1);
    return exact_number(3) * u_to(2) + exact_number(13) * u_to(3);
}

/// Of a product of an X and a Y.
template <class X, class Y>
unit_error of_product()
{
    constexpr int words = ddla::words_of<X> + ddla::words_of<Y>;
    if constexpr (words == 2) return {u_to(1), eta() * exact_number(0.5)};
    if constexpr (words == 3) return {exact_number(3) * u_to(2), exact_number(2) * eta()};
    return {exact_number(5) * u_to(2), exact_number(5) * eta()};
}

/// Of the square root of a T.
template <class T>
exact_number of_root()
{
    if constexpr (std::is_same_v<T, double>) return u_to(1);
    return exact_number(22) * u_to(2);
}

inline exact_number power(const exact_number& x, int k)
{
    return k == 0 ? exact_number(1) : x * power(x, k - 1);
}

/// (1 + s)^d: how sums of n numbers T may grow.
template <class T>
exact_number growth(ddla::index_t n)
{
    return power(exact_number(1) + of_addition<T>(), depth(n));
}

/// What a computation would return without errors, and a bound of its error.
struct bounded {
    exact_number value, error;
};

/// A number that is given.
template <class X>
bounded given(const X& x)
{
    return {exact_number(x), exact_number(0)};
}

/// The sum of n numbers T; magnitudes: of their magnitudes.
template <class T>
bounded bounded_sum(ddla::index_t n, const exact_number& value, const exact_number& magnitudes)
{
    return {value, (growth<T>(n) - exact_number(1)) * magnitudes};
}

/// The sum of n products of a T and a V.
template <class T, class V>
bounded bounded_dot(ddla::index_t n, const exact_number& value, const exact_number& magnitudes)
{
    const unit_error p = of_product<T, V>();
    const exact_number one(1), grown = growth<T>(n);
    return {value, (grown * (one + p.relative) - one) * magnitudes +
                       grown * exact_number(static_cast<double>(n)) * p.absolute};
}

/// a + b in T.
template <class T>
bounded added(const bounded& a, const bounded& b)
{
    const exact_number s = of_addition<T>(), value = a.value + b.value;
    return {value, s * abs(value) + (exact_number(1) + s) * (a.error + b.error)};
}
template <class T>
bounded subtracted(const bounded& a, const bounded& b)
{
    return added<T>(a, {-b.value, b.error});
}

/// a x in T for a T that is given.
template <class T>
bounded multiplied(const T& a, const bounded& x)
{
    const unit_error p = of_product<T, T>();
    const exact_number factor = abs(exact_number(a)), one(1);
    return {exact_number(a) * x.value, p.relative * factor * abs(x.value) +
                                           (one + p.relative) * factor * x.error + p.absolute};
}

inline bool is_finite(double x)
{
    return std::isfinite(x);
}
inline bool is_finite(ddla::dd_real x)
{
    return std::isfinite(x.hi) && std::isfinite(x.lo);
}

/// |computed - exact| <= bound, decided exactly.
template <class T>
bool within(const T& computed, const bounded& expected)
{
    return is_finite(computed) && abs(exact_number(computed) - expected.value) <= expected.error;
}
/// Error over bound; 0 where both are 0.
template <class T>
double used_of_bound(const T& computed, const bounded& expected)
{
    return is_finite(computed) ? ratio(abs(exact_number(computed) - expected.value), expected.error)
                               : HUGE_VAL;
}

/// Of the sum of squares of n numbers T, where overflow and underflow are avoided by scaling.
template <class T>
exact_number of_squares(ddla::index_t n)
{
    const exact_number one(1);
    return growth<T>(n) * (one + of_product<T, T>().relative) - one +
           exact_number::power_of_two(-300);
}

/// Whether a norm of n numbers T is within its bound.  It is a root: its square is compared with
/// the exact sum of squares, from both sides.
template <class T>
bool norm_within(const T& computed, ddla::index_t n, const exact_number& squares)
{
    if (!is_finite(computed) || exact_number(computed).sign() < 0) return false;
    const exact_number one(1), c = of_squares<T>(n), root = of_root<T>();
    const exact_number lost = exact_number(0.5 * ddla::words_of<T>) * eta();
    const exact_number low = exact_number(computed) - lost, high = exact_number(computed) + lost;
    const bool small_enough =
        low.sign() <= 0 || low * low <= squares * (one + c) * (one + root) * (one + root);
    return small_enough && squares * (one - c) * (one - root) * (one - root) <= high * high;
}
/// Error over bound of its square, without what underflow adds to the bound of a tiny norm.
template <class T>
double used_of_norm_bound(const T& computed, ddla::index_t n, const exact_number& squares)
{
    if (!is_finite(computed)) return HUGE_VAL;
    const exact_number one(1), c = of_squares<T>(n), root = of_root<T>(), norm(computed);
    const exact_number relative = (one + c) * (one + root) * (one + root) - one;
    return ratio(abs(norm * norm - squares), relative * squares);
}

}  // namespace test
