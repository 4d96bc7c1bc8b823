// Error-free transforms: the exact sum, difference, product or square of doubles, as value + error.
//
//     const ddla::exact s = ddla::two_sum(1.0, 1e-20);  // s.value == 1, s.error == 1e-20
//
// Every bit of ddla rests on these functions.  They need each operation rounded to double, to
// nearest, and none reassociated: what macros tell of flags that break this ends compilation here.
// No macro tells of contraction, so it changes nothing: see detail::rounded.
//
// Sources: Dekker, Numer. Math. 18 (1971); Knuth, TAOCP 2, 4.2.2; Joldes, Muller and Popescu, ACM
// TOMS 44(2) (2017), from here on JMP 2017.  u = 2^-53.
#pragma once

#include <cmath>

#if defined(__FAST_MATH__) || defined(_M_FP_FAST)
#error "ddla: fast math (-ffast-math, -Ofast) breaks double-double arithmetic: compile without it"
#endif
#if defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ > 0
#error "ddla: -ffinite-math-only hides Inf and NaN from ddla's checks: compile without it"
#endif
#if defined(__ASSOCIATIVE_MATH__)
#error "ddla: -fassociative-math turns the errors of sums into zero: compile without it"
#endif
#if defined(__RECIPROCAL_MATH__)
#error "ddla: -freciprocal-math changes the bits of quotients: compile without it"
#endif
#if defined(__NO_SIGNED_ZEROS__)
#error "ddla: -fno-signed-zeros changes the bits of sums: compile without it"
#endif
// 1 widens float alone, 16 tells of _Float16.
#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0 && __FLT_EVAL_METHOD__ != 1 &&        \
    __FLT_EVAL_METHOD__ != 16
#error "ddla: FLT_EVAL_METHOD says that double is computed wider (x87?): compile for SSE2"
#endif

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

namespace detail {

/// x, rounded to double as it stands: no product that made it is fused into a sum that uses it.  A
/// sum takes its operands so where they may come from elsewhere.  The statement makes no
/// instruction, but keeps loops from being vectorised: who says DDLA_CONTRACTION_OFF (the CMake
/// target ddla::arithmetic does, together with -ffp-contract=off) needs it not.
DDLA_HD constexpr double rounded(double x)
{
#if !defined(__CUDA_ARCH__) && !defined(DDLA_CONTRACTION_OFF)
    if (!__builtin_is_constant_evaluated()) {
#if defined(__x86_64__) || defined(__i386__)
        asm("" : "+x"(x));
#elif defined(__aarch64__)
        asm("" : "+w"(x));
#else
        asm("" : "+m"(x));
#endif
    }
#endif
    return x;
}

// a + b, a - b, a * b, each rounded once.  CUDA's intrinsics are never contracted.

/// For operands that are sums or rounded() ones.
DDLA_HD constexpr double add(double a, double b)
{
#if defined(__CUDA_ARCH__)
    if (!__builtin_is_constant_evaluated()) return __dadd_rn(a, b);
#endif
    return a + b;
}
/// For operands that are sums or rounded() ones.
DDLA_HD constexpr double sub(double a, double b)
{
#if defined(__CUDA_ARCH__)
    if (!__builtin_is_constant_evaluated()) return __dsub_rn(a, b);
#endif
    return a - b;
}
/// For any operands; the product may be an operand of anything.
DDLA_HD constexpr double mul(double a, double b)
{
#if defined(__CUDA_ARCH__)
    if (!__builtin_is_constant_evaluated()) return __dmul_rn(a, b);
#endif
    return rounded(a * b);
}

/// x + y; of doubles the rounded sum, whatever the compiler does to the terms.
template <class T>
DDLA_HD constexpr T plus(const T& x, const T& y)
{
    return x + y;
}
template <>
DDLA_HD constexpr double plus(const double& x, const double& y)
{
    return add(rounded(x), rounded(y));
}

}  // namespace detail

/// a + b exactly, if |a| >= |b| or a == 0.  Dekker's Fast2Sum (JMP 2017, algorithm 1); 3 flops.
DDLA_HD constexpr exact fast_two_sum(double a, double b)
{
    a = detail::rounded(a), b = detail::rounded(b);
    const double s = detail::add(a, b);
    return {s, detail::sub(b, detail::sub(s, a))};
}

/// a + b exactly, unless it overflows.  Knuth's 2Sum (JMP 2017, algorithm 2); 6 flops.
DDLA_HD constexpr exact two_sum(double a, double b)
{
    a = detail::rounded(a), b = detail::rounded(b);
    const double s = detail::add(a, b);
    const double bb = detail::sub(s, a);
    return {s, detail::add(detail::sub(a, detail::sub(s, bb)), detail::sub(b, bb))};
}

/// a - b exactly, unless it overflows; 6 flops.  Differs from two_sum(a, -b) in the sign of zeros.
DDLA_HD constexpr exact two_diff(double a, double b)
{
    a = detail::rounded(a), b = detail::rounded(b);
    const double s = detail::sub(a, b);
    const double bb = detail::sub(s, a);
    return {s, detail::sub(detail::sub(a, detail::sub(s, bb)), detail::add(b, bb))};
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
    const double p = detail::mul(a, b);
    return {p, ::fma(a, b, -p)};
}

/// a * a exactly, in the range of two_prod; 2 flops.
DDLA_HD constexpr exact two_sqr(double a)
{
    return two_prod(a, a);
}

}  // namespace ddla
