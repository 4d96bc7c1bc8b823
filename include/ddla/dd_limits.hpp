// numeric_limits and hash of dd_real.
//
//     static_assert(std::numeric_limits<ddla::dd_real>::digits10 == 31);
//     const std::unordered_set<ddla::dd_real> seen = {1.0, ddla::dd_real(1) / 3};
//
// The set of dd_real values is not a floating-point format: the low word may lie arbitrarily far
// below the high one.  The limits describe the 106-bit format that dd_real contains (every 106-bit
// significand in range is a dd_real, and operations err by a few units of its last place), as QD
// and the compilers' double-double long double do.  So digits10 and max_digits10 hold for that
// format; to get back an arbitrary dd_real, use to_string(x) (text.hpp), which gives what is
// needed.
#pragma once

#include "dd_real.hpp"

#include <cstddef>
#include <functional>

template <>
class std::numeric_limits<ddla::dd_real> {
    using words = std::numeric_limits<double>;

public:
    static constexpr bool is_specialized = true;
    static constexpr bool is_signed = true;
    static constexpr bool is_integer = false;
    static constexpr bool is_exact = false;
    static constexpr bool is_iec559 = false;
    static constexpr bool is_bounded = true;
    static constexpr bool is_modulo = false;
    static constexpr bool has_infinity = true;
    static constexpr bool has_quiet_NaN = true;
    static constexpr bool has_signaling_NaN = false;
    static constexpr std::float_denorm_style has_denorm = std::denorm_present;
    static constexpr bool has_denorm_loss = false;
    static constexpr bool traps = false;
    static constexpr bool tinyness_before = false;
    static constexpr std::float_round_style round_style = std::round_indeterminate;

    static constexpr int radix = 2;
    static constexpr int digits = 106;
    static constexpr int digits10 = 31;      // floor((106 - 1) log10(2))
    static constexpr int max_digits10 = 33;  // ceil(1 + 106 log10(2))
    static constexpr int min_exponent = -968;
    static constexpr int min_exponent10 = -291;
    static constexpr int max_exponent = words::max_exponent;
    static constexpr int max_exponent10 = words::max_exponent10;

    /// The smallest number with full precision, 106 bits: its last place is 2^-1074.
    DDLA_HD static constexpr ddla::dd_real min() { return 0x1p-969; }
    /// The largest sum of two non-overlapping doubles: 2^1024 - 2^970 - 2^917.  (lo = 2^970 would
    /// tie and round up to Inf.)
    DDLA_HD static constexpr ddla::dd_real max()
    {
        return {0x1.fffffffffffffp1023, 0x1.fffffffffffffp969};
    }
    DDLA_HD static constexpr ddla::dd_real lowest()
    {
        return {-0x1.fffffffffffffp1023, -0x1.fffffffffffffp969};
    }
    /// 2^(1 - digits) = 2 u^2.
    DDLA_HD static constexpr ddla::dd_real epsilon() { return 0x1p-105; }
    /// In units of epsilon: the bound 5 u^2 of a product or a quotient.
    DDLA_HD static constexpr ddla::dd_real round_error() { return 2.5; }
    DDLA_HD static constexpr ddla::dd_real denorm_min() { return 0x1p-1074; }
    DDLA_HD static constexpr ddla::dd_real infinity() { return __builtin_huge_val(); }
    DDLA_HD static constexpr ddla::dd_real quiet_NaN() { return __builtin_nan(""); }
    DDLA_HD static constexpr ddla::dd_real signaling_NaN() { return quiet_NaN(); }
};

/// Equal numbers have equal hashes: -0 counts as +0.
template <>
struct std::hash<ddla::dd_real> {
    std::size_t operator()(ddla::dd_real x) const noexcept
    {
        const std::hash<double> word;
        const std::size_t high = word(ddla::detail::add(ddla::detail::rounded(x.hi), 0.0));
        const std::size_t low = word(ddla::detail::add(ddla::detail::rounded(x.lo), 0.0));
        return high ^ (low * 0x9e3779b97f4a7c15u + (high << 6) + (high >> 2));
    }
};
