// Every operation of eft.hpp, dd_real.hpp and dd_math.hpp by number: one text for host and device.
#pragma once

#include <ddla/dd_real.hpp>

namespace ddla::test {

DDLA_HD inline dd_real as_words(exact e)
{
    return {e.value, e.error};
}

/// The six comparisons as six bits.
template <class X, class Y>
DDLA_HD dd_real comparisons(X x, Y y)
{
    return (x == y) + (x != y) * 2 + (x < y) * 4 + (x <= y) * 8 + (x > y) * 16 + (x >= y) * 32;
}

DDLA_HD inline dd_real classes(dd_real x)
{
    return isfinite(x) + isnan(x) * 2 + isinf(x) * 4 + static_cast<bool>(x) * 16;
}

/// Towards zero, where it fits.
DDLA_HD inline dd_real as_integer(dd_real x)
{
    return abs(x) < 0x1p62 ? dd_real(static_cast<std::int64_t>(x)) : dd_real(0.0);
}

inline constexpr int sums = 13, products = 13, others = 22;
inline constexpr int operations = sums + products + others;

DDLA_HD inline dd_real evaluate_sum(int operation, dd_real x, dd_real y)
{
    switch (operation) {
    case 0:
        return as_words(two_sum(x.hi, y.hi));
    case 1:
        return as_words(two_diff(x.hi, y.hi));
    case 2:
        return as_words(fast_two_sum(x.hi, y.hi));
    case 3:
        return x + y;
    case 4:
        return x - y;
    case 5:
        return x + y.hi;
    case 6:
        return x.hi + y;
    case 7:
        return x - y.hi;
    case 8:
        return x.hi - y;
    case 9:
        return x += y;
    case 10:
        return x -= y;
    case 11:
        return dd_real::sloppy_add(x, y);
    default:
        return -x;
    }
}

DDLA_HD inline dd_real evaluate_product(int operation, dd_real x, dd_real y)
{
    switch (operation) {
    case 0:
        return as_words(two_prod(x.hi, y.hi));
    case 1:
        return as_words(two_sqr(x.hi));
    case 2:
        return x * y;
    case 3:
        return x * y.hi;
    case 4:
        return x.hi * y;
    case 5:
        return x / y;
    case 6:
        return x / y.hi;
    case 7:
        return x.hi / y;
    case 8:
        return dd_real::sloppy_div(x, y);
    case 9:
        return dd_real::div(x.hi, y.hi);
    case 10:
        return x *= y;
    case 11:
        return x /= y;
    default:
        return drem(x, y);
    }
}

DDLA_HD inline dd_real evaluate_other(int operation, dd_real x, dd_real y)
{
    switch (operation) {
    case 0:
        return sqr(x);
    case 1:
        return sqrt(x);
    case 2:
        return inv(x);
    case 3:
        return abs(x);
    case 4:
        return floor(x);
    case 5:
        return ceil(x);
    case 6:
        return trunc(x);
    case 7:
        return round(x);
    case 8:
        return nint(x);
    case 9:
        return ldexp(x, -1000);
    case 10:
        return ldexp(x, 123);
    case 11:
        return mul_pwr2(x, 0x1p-60);
    case 12:
        return copysign(x, y);
    case 13:
        return min(x, y);
    case 14:
        return max(x, y);
    case 15:
        return comparisons(x, y);
    case 16:
        return comparisons(x, y.hi);
    case 17:
        return classes(x);
    case 18:
        return static_cast<double>(static_cast<float>(x));
    case 19:
        return as_integer(x);
    case 20:
        return abs(x.hi) + sqrt(abs(y.hi));  // of double
    default:
        return std::numeric_limits<dd_real>::epsilon() * x;
    }
}

DDLA_HD inline dd_real evaluate(int operation, dd_real x, dd_real y)
{
    if (operation < sums) return evaluate_sum(operation, x, y);
    if (operation < sums + products) return evaluate_product(operation - sums, x, y);
    return evaluate_other(operation - sums - products, x, y);
}

}  // namespace ddla::test
