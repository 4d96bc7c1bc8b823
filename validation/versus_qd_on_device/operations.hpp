// ddla's side of tests/arithmetic/qd_operations.hpp, by number: one text for host and device.
#pragma once

#include "../../tests/arithmetic/domains.hpp"

#include <iterator>

namespace ddla::test {

inline constexpr const char* sums_by_number[] = {
    "dd + dd", "dd - dd", "ieee_add", "sloppy_add", "sloppy dd + dd", "dd + d",    "d + dd",
    "dd - d",  "d - dd",  "add",      "sub",        "mul_pwr2",       "operand x", "operand y"};
inline constexpr const char* products_by_number[] = {"dd * dd", "dd * d",  "d * dd", "mul",
                                                     "sqr",     "two_sqr", "sqrt"};
inline constexpr const char* quotients_by_number[] = {
    "dd / dd", "accurate_div", "d / dd",         "inv",          "drem", "divrem", "dd / d",
    "div",     "sloppy_div",   "sloppy dd / dd", "sloppy d / dd"};
inline constexpr const char* others_by_number[] = {"ldexp",
                                                   "-",
                                                   "abs",
                                                   "floor",
                                                   "ceil",
                                                   "aint",
                                                   "nint",
                                                   "== != < <= > >=",
                                                   "comparison with double"};

inline constexpr int sums = std::size(sums_by_number), products = std::size(products_by_number),
                     quotients = std::size(quotients_by_number),
                     others = std::size(others_by_number);

DDLA_HD inline dd_real sum_by_number(int operation, dd_real x, dd_real y)
{
    switch (operation) {
    case 0:
        return x + y;
    case 1:
        return x - y;
    case 2:
        return dd_real::ieee_add(x, y);
    case 3:
    case 4:
        return dd_real::sloppy_add(x, y);
    case 5:
        return x + y.hi;
    case 6:
        return x.hi + y;
    case 7:
        return x - y.hi;
    case 8:
        return x.hi - y;
    case 9:
        return dd_real::add(x.hi, y.hi);
    case 10:
        return dd_real::sub(x.hi, y.hi);
    case 11:
        return mul_pwr2(x, 0x1p-30);
    case 12:
        return x;
    default:
        return y;
    }
}

DDLA_HD inline dd_real product_by_number(int operation, dd_real x, dd_real y)
{
    switch (operation) {
    case 0:
        return x * y;
    case 1:
        return x * y.hi;
    case 2:
        return x.hi * y;
    case 3:
        return dd_real::mul(x.hi, y.hi);
    case 4:
        return sqr(x);
    case 5: {
        const exact p = two_sqr(x.hi);
        return {p.value, p.error};
    }
    default:
        return sqrt(x);
    }
}

DDLA_HD inline dd_real quotient_by_number(int operation, dd_real x, dd_real y)
{
    switch (operation) {
    case 0:
        return x / y;
    case 1:
        return dd_real::accurate_div(x, y);
    case 2:
        return x.hi / y;
    case 3:
        return inv(y);
    case 4:
        return drem(x, y);
    case 5: {
        dd_real r;
        const dd_real n = divrem(x, y, r);
        return n + r;
    }
    case 6:
        return x / y.hi;
    case 7:
        return dd_real::div(x.hi, y.hi);
    case 8:
    case 9:
        return dd_real::sloppy_div(x, y);
    default:
        return dd_real::sloppy_div(x.hi, y);
    }
}

/// The six comparisons as six bits.
template <class Y>
DDLA_HD dd_real comparisons(dd_real x, Y y)
{
    return (x == y) + (x != y) * 2 + (x < y) * 4 + (x <= y) * 8 + (x > y) * 16 + (x >= y) * 32;
}

DDLA_HD inline dd_real other_by_number(int operation, dd_real x, dd_real y)
{
    switch (operation) {
    case 0:
        return ldexp(x, static_cast<int>(bits(y.hi) >> 40) % 300);
    case 1:
        return -x;
    case 2:
        return abs(x);
    case 3:
        return floor(x);
    case 4:
        return ceil(x);
    case 5:
        return aint(x);
    case 6:
        return nint(x);
    case 7:
        return comparisons(x, y);
    default: {
        const double d = y.hi;
        return (x == d) + (x != d) * 2 + (d < x) * 4 + (x <= d) * 8 + (x > d) * 16 + (d >= x) * 32;
    }
    }
}

DDLA_HD inline dd_real by_number(int operation, dd_real x, dd_real y)
{
    if (operation < sums) return sum_by_number(operation, x, y);
    operation -= sums;
    if (operation < products) return product_by_number(operation, x, y);
    operation -= products;
    if (operation < quotients) return quotient_by_number(operation, x, y);
    return other_by_number(operation - quotients, x, y);
}

enum class domain : unsigned char {
    anywhere,
    nonzero,
    product,
    square,
    quotient,
    remainder,
    inverse,
    root
};

DDLA_HD inline bool contains(domain where, dd_real x, dd_real y)
{
    switch (where) {
    case domain::anywhere:
        return true;
    case domain::nonzero:
        return nonzero(x, y);
    case domain::product:
        return product_in_range(x, y);
    case domain::square:
        return square_in_range(x, y);
    case domain::quotient:
        return quotient_in_range(x, y);
    case domain::remainder:
        return remainder_in_range(x, y);
    case domain::inverse:
        return inverse_in_range(x, y);
    default:
        return root_in_range(x, y);
    }
}

}  // namespace ddla::test
