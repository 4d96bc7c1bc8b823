// Error-free transforms: the exact sum, difference, product or square of doubles, as value + error.
//
//     const ddla::exact s = ddla::two_sum(1.0, 1e-20);  // s.value == 1, s.error == 1e-20
//
// Every bit of ddla rests on these functions.  They are exact only if the compiler neither
// reassociates nor contracts: build with -ffp-contract=off (host) and --fmad=false (device); the
// CMake target ddla::arithmetic carries both, and self_test.hpp refuses to run without them.
//
// Sources: Dekker, Numer. Math. 18 (1971); Knuth, TAOCP 2, 4.2.2; Joldes, Muller and Popescu, ACM
// TOMS 44(2) (2017), from here on JMP 2017.  u = 2^-53.
#pragma once

#include <cmath>

#if defined(__CUDACC__)
#define DDLA_HD __host__ __device__
#else
#define DDLA_HD
#endif

namespace ddla {

/// A double and what its rounding lost: value + error is the exact result, value the rounded one.
struct exact {
    double value;
    double error;
};

/// a + b exactly, if |a| >= |b| or a == 0.  Dekker's Fast2Sum (JMP 2017, algorithm 1); 3 flops.
DDLA_HD constexpr exact fast_two_sum(double a, double b)
{
    const double s = a + b;
    return {s, b - (s - a)};
}

/// a + b exactly, unless it overflows.  Knuth's 2Sum (JMP 2017, algorithm 2); 6 flops.
DDLA_HD constexpr exact two_sum(double a, double b)
{
    const double s = a + b;
    const double bb = s - a;
    return {s, (a - (s - bb)) + (b - bb)};
}

/// a - b exactly, unless it overflows; 6 flops.  Differs from two_sum(a, -b) in the sign of zeros.
DDLA_HD constexpr exact two_diff(double a, double b)
{
    const double s = a - b;
    const double bb = s - a;
    return {s, (a - (s - bb)) - (b + bb)};
}

namespace detail {

/// a * b exactly without a fused multiply-add: Veltkamp's split into 26 + 26 bits and Dekker's
/// product; 17 flops.  For constant expressions, where C++20 has no fma.
DDLA_HD constexpr exact two_prod_by_splitting(double a, double b)
{
    constexpr double splitter = 134217729;  // 2^27 + 1
    const double p = a * b;
    const double ta = splitter * a, tb = splitter * b;
    const double a1 = ta - (ta - a), b1 = tb - (tb - b);
    const double a2 = a - a1, b2 = b - b1;
    return {p, ((a1 * b1 - p) + a1 * b2 + a2 * b1) + a2 * b2};
}

/// Whether two_prod_by_splitting(a, b) is exact: no intermediate over- or underflow.
DDLA_HD constexpr bool splitting_is_exact(double a, double b)
{
    const double p = a * b < 0 ? -(a * b) : a * b;
    const bool zero = a == 0 || b == 0;
    return -0x1p990 < a && a < 0x1p990 && -0x1p990 < b && b < 0x1p990 && p < 0x1p1020 &&
           (zero || p > 0x1p-960);
}

}  // namespace detail

/// a * b exactly, if the product does not overflow and its error is a double: true for
/// |a b| >= 2^-968; below, the error is rounded to a multiple of 2^-1074.  2Prod with a fused
/// multiply-add (JMP 2017, algorithm 3); 2 flops.  Same bits in a constant expression; a product
/// that leaves the range of Dekker's algorithm there is not a constant.
DDLA_HD constexpr exact two_prod(double a, double b)
{
    if (__builtin_is_constant_evaluated() && detail::splitting_is_exact(a, b))
        return detail::two_prod_by_splitting(a, b);
    const double p = a * b;
    return {p, ::fma(a, b, -p)};
}

/// a * a exactly, in the range of two_prod; 2 flops.
DDLA_HD constexpr exact two_sqr(double a)
{
    return two_prod(a, a);
}

}  // namespace ddla
