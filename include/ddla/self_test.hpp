// A check that the compiler kept ddla's arithmetic exact, run with the caller's compile flags.
//
//     ddla::require_exact_arithmetic();  // throws; the first line of main, say
//
// Compilers contract a*b + c to a fused multiply-add, and -ffast-math and its parts let them
// simplify an error-free transform to zero.  eft.hpp withstands the first and refuses the second,
// as far as macros tell; a library linked with -ffast-math changes the mode of the whole process
// (rounding, subnormals), and no macro tells of that.  The check compares results computed at run
// time, in scalar code and in loops that the compiler may vectorise (vectorised code is contracted
// even where scalar code is not), with those that the compiler's own exact constant evaluation
// gives. Cost: about 20 microseconds.
#pragma once

#include "dd_real.hpp"
#include "error.hpp"

#include <array>
#include <cstdint>
#include <string>

namespace ddla {

// Everything here is static: each translation unit must test the code that its own compile flags
// produced.
namespace self_test {

inline constexpr int length = 48;
using words = std::array<double, length>;

/// Operands of all the checks.
struct operands {
    words a_hi{}, a_lo{}, b_hi{}, b_lo{};
};

/// What is compared: the words of one result for each pair of operands.
struct results {
    words hi{}, lo{};
};

/// A random double of 53 bits with an exponent in -40 … 39 and a random sign (the generator is
/// Knuth's MMIX).
static constexpr double random_double(std::uint64_t& state)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    const std::uint64_t fraction = state >> 12;
    state = state * 6364136223846793005u + 1442695040888963407u;
    const std::uint64_t exponent = 1023 - 40 + (state >> 33) % 80;
    return __builtin_bit_cast(double, (state & (1ull << 63)) | exponent << 52 | fraction);
}

/// Random pairs; every third is of equal exponent and opposite sign, so that sums cancel.
static constexpr operands make_operands()
{
    operands x;
    std::uint64_t state = 2017;
    for (int i = 0; i < length; ++i) {
        x.a_hi[i] = random_double(state);
        x.b_hi[i] = i % 3 == 0 ? -x.a_hi[i] * (1 + (i + 1) * 0x1p-20) : random_double(state);
        x.a_lo[i] = x.a_hi[i] * 0x1p-54 * (1 - i * 0x1p-9);
        x.b_lo[i] = x.b_hi[i] * -0x1p-54 * (1 - i * i * 0x1p-13);
    }
    return x;
}

// The loops that are checked, one kind of operation each, as a user's loop would be written.

template <class Operation>
static constexpr results map(const operands& x, Operation op)
{
    results r;
    for (int i = 0; i < length; ++i) {
        const dd_real y = op(dd_real(x.a_hi[i], x.a_lo[i]), dd_real(x.b_hi[i], x.b_lo[i]));
        r.hi[i] = y.hi;
        r.lo[i] = y.lo;
    }
    return r;
}

struct exact_sum {
    constexpr dd_real operator()(dd_real x, dd_real y) const { return dd_real::add(x.hi, y.hi); }
};
struct exact_product {
    constexpr dd_real operator()(dd_real x, dd_real y) const { return dd_real::mul(x.hi, y.hi); }
};
struct sum {
    constexpr dd_real operator()(dd_real x, dd_real y) const { return x + y; }
};
struct difference {
    constexpr dd_real operator()(dd_real x, dd_real y) const { return x - y; }
};
struct product {
    constexpr dd_real operator()(dd_real x, dd_real y) const { return x * y; }
};
struct mixed_product {
    constexpr dd_real operator()(dd_real x, dd_real y) const { return x * y.hi; }
};
struct quotient {
    constexpr dd_real operator()(dd_real x, dd_real y) const { return x / y; }
};
/// Sums of the caller's own product, which a compiler might fuse into them.
struct sum_of_product {
    constexpr dd_real operator()(dd_real x, dd_real y) const
    {
        return dd_real::add(x.hi * y.hi, x.lo) - x.lo * y.hi;
    }
};

/// Equality of bits; integer comparison, which no floating-point flag can relax.
static bool same_bits(const words& x, const words& y)
{
    std::uint64_t difference_of_bits = 0;
    for (int i = 0; i < length; ++i)
        difference_of_bits |=
            __builtin_bit_cast(std::uint64_t, x[i]) ^ __builtin_bit_cast(std::uint64_t, y[i]);
    return difference_of_bits == 0;
}

/// The operands as the compiler cannot know them.
static operands launder(const operands& x)
{
    operands y;
    const volatile double* from[] = {x.a_hi.data(), x.a_lo.data(), x.b_hi.data(), x.b_lo.data()};
    double* to[] = {y.a_hi.data(), y.a_lo.data(), y.b_hi.data(), y.b_lo.data()};
    for (int k = 0; k < 4; ++k)
        for (int i = 0; i < length; ++i) to[k][i] = from[k][i];
    return y;
}

/// One operation, in a loop that may be vectorised and one operand at a time.
template <class Operation>
static bool is_exact(const operands& x, Operation op)
{
    static constexpr results expected = map(make_operands(), Operation{});
    const results vectorised = map(x, op);
    if (!same_bits(vectorised.hi, expected.hi) || !same_bits(vectorised.lo, expected.lo))
        return false;
    results scalar;
    for (int i = 0; i < length; ++i) {
        volatile double a_hi = x.a_hi[i], b_hi = x.b_hi[i];
        const dd_real y = op(dd_real(a_hi, x.a_lo[i]), dd_real(b_hi, x.b_lo[i]));
        volatile double hi = y.hi, lo = y.lo;
        scalar.hi[i] = hi;
        scalar.lo[i] = lo;
    }
    return same_bits(scalar.hi, expected.hi) && same_bits(scalar.lo, expected.lo);
}

/// Subnormal operands and results must be neither flushed nor treated as zero.
static bool keeps_subnormals()
{
    volatile double smallest_normal = 0x1p-1022, half = 0.5, big = 0x1p60;
    volatile double subnormal = smallest_normal * half;
    volatile double back = subnormal * big;
    return __builtin_bit_cast(std::uint64_t, double(subnormal)) == 1ull << 51 &&
           __builtin_bit_cast(std::uint64_t, double(back)) == std::uint64_t{1023 - 963} << 52;
}

/// -0 + 0 is +0, and 0 - 0 is +0 whose negation is -0: what -fno-signed-zeros need not keep.
static bool keeps_signs_of_zeros()
{
    volatile double minus = -0.0, zero = 0.0;
    const double x = minus, y = zero;
    volatile double sum = x + 0.0, negated = -(y - y);
    return __builtin_bit_cast(std::uint64_t, double(sum)) == 0 &&
           __builtin_bit_cast(std::uint64_t, double(negated)) == 1ull << 63;
}

/// To nearest, ties to even.
static bool rounds_to_nearest()
{
    volatile double one = 1, half_ulp = 0x1p-53, more = 0x1.8p-53;
    volatile double down = one + half_ulp, up = one + more, negative = -one - more;
    return __builtin_bit_cast(std::uint64_t, double(down)) == 0x3ff0000000000000u &&
           __builtin_bit_cast(std::uint64_t, double(up)) == 0x3ff0000000000001u &&
           __builtin_bit_cast(std::uint64_t, double(negative)) == 0xbff0000000000001u;
}

}  // namespace self_test

/// What is broken, in words, or nothing.
static inline std::string arithmetic_self_test()
{
    using namespace self_test;
    const operands x = launder(make_operands());
    std::string broken;
    const auto check = [&broken](bool holds, const char* otherwise) {
        if (holds) return;
        if (!broken.empty()) broken += ", ";
        broken += otherwise;
    };
    check(is_exact(x, exact_sum{}), "two_sum is not exact");
    check(is_exact(x, exact_product{}), "two_prod is not exact");
    check(is_exact(x, sum_of_product{}), "products are fused into sums");
    check(is_exact(x, sum{}), "sums are wrong");
    check(is_exact(x, difference{}), "differences are wrong");
    check(is_exact(x, product{}), "products are wrong");
    check(is_exact(x, mixed_product{}), "products with a double are wrong");
    check(is_exact(x, quotient{}), "quotients are wrong");
    check(rounds_to_nearest(), "rounding is not to nearest");
    check(keeps_subnormals(), "subnormal numbers are flushed to zero");
    check(keeps_signs_of_zeros(), "signs of zeros are lost");
    return broken;
}

/// Throws internal_error, with the remedy, if the compiler broke the arithmetic.
static inline void require_exact_arithmetic()
{
    std::string broken = arithmetic_self_test();
    if (broken.empty()) return;
    broken.insert(0, "the compiler broke ddla's arithmetic: ");
    throw internal_error(
        broken.append("; compile and link without -ffast-math, define "
                      "DDLA_CONTRACTION_OFF only with -ffp-contract=off (the CMake "
                      "target ddla::arithmetic does so), and round to nearest."));
}

}  // namespace ddla
