// What a decimal number is as a double and as a dd_real, by MPFR.
#pragma once

#include "ddla/dd_real.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <mpfr.h>
#include <random>
#include <string>

namespace ddla::test {

/// The same bits; all NaNs are one.
inline bool same(double a, double b)
{
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}
inline bool same(dd_real a, dd_real b)
{
    return same(a.hi, b.hi) && same(a.lo, b.lo);
}

class mpfr {
public:
    explicit mpfr(mpfr_prec_t bits) { mpfr_init2(value_, bits); }
    mpfr(const mpfr&) = delete;
    mpfr& operator=(const mpfr&) = delete;
    ~mpfr() { mpfr_clear(value_); }
    operator mpfr_ptr() { return value_; }

private:
    mpfr_t value_;
};

/// text - high, rounded in `direction` to many bits, then to the nearest double.
inline double rest_of(const std::string& text, double high, mpfr_prec_t bits, mpfr_rnd_t direction)
{
    mpfr value(bits);
    mpfr_set_str(value, text.c_str(), 10, direction);
    mpfr_sub_d(value, value, high, direction);
    const double rest = mpfr_get_d(value, MPFR_RNDN);
    return rest == 0 ? 0.0 : rest;
}

/// The precision grows until rounding down and rounding up agree.
inline dd_real truth_in_words(const std::string& text)
{
    for (mpfr_prec_t bits = 4096;; bits *= 2) {
        mpfr below(bits), above(bits);
        mpfr_set_str(below, text.c_str(), 10, MPFR_RNDD);
        mpfr_set_str(above, text.c_str(), 10, MPFR_RNDU);
        const double high = mpfr_get_d(below, MPFR_RNDN);
        if (!same(high, mpfr_get_d(above, MPFR_RNDN))) continue;
        if (std::isinf(high) || high == 0) return {high, 0};
        const double low = rest_of(text, high, bits, MPFR_RNDD);
        if (same(low, rest_of(text, high, bits, MPFR_RNDU))) return {high, low};
    }
}

/// The same as a dd_real: the high word is the sum of both, rounded to even.
inline dd_real truth(const std::string& text)
{
    const dd_real words = truth_in_words(text);
    const double sum = words.hi + words.lo;
    if (words.lo == 0 || std::isinf(sum)) return words;
    return {sum, words.lo - (sum - words.hi)};
}

using generator = std::mt19937_64;

inline int pick(generator& random, int from, int to)
{
    return std::uniform_int_distribution<int>(from, to)(random);
}

/// A double with random bits in every field.
inline double any_double(generator& random)
{
    for (;;) {
        const double x = std::bit_cast<double>(random());
        if (std::isfinite(x)) return x;
    }
}

/// A normalized dd_real of any exponent; the gap between its words varies, the low word may be a
/// power of two, half a unit of the high one, subnormal or zero.
inline dd_real any_dd(generator& random)
{
    const double high = any_double(random);
    const int exponent = std::ilogb(high);
    double low = std::ldexp(1 + std::ldexp(static_cast<double>(random() >> 12), -52),
                            exponent - 54 - (pick(random, 0, 2) == 0 ? pick(random, 0, 1100) : 0));
    const int kind = pick(random, 0, 9);
    if (kind == 0) low = 0;
    if (kind == 1) low = std::ldexp(1.0, std::ilogb(low == 0 ? 1 : low));
    if (kind == 2) low = std::ldexp(1.0, exponent - 53);
    if (pick(random, 0, 1) == 0) low = -low;
    const exact sum = two_sum(high, low);
    if (!std::isfinite(sum.value)) return {high, 0};
    return {sum.value, sum.error == 0 ? 0.0 : sum.error};
}

}  // namespace ddla::test
