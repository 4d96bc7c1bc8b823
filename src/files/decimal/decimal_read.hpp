// From a decimal number to the nearest double or dd_real.
//
// Three paths, each correctly rounded: (1) a significand and a power of ten that are doubles need
// one operation (Clinger 1990); (2) a product with a power of five cut to 128 or 192 bits gives an
// interval, and mostly both its ends round to one number (after Lemire 2021, Number parsing at a
// gigabyte per second); (3) big integers for the rest.
#pragma once

#include "ddla/number.hpp"
#include "decimal_scan.hpp"
#include "powers_of_five.hpp"

namespace ddla::text {

template <class T>
struct rounded {
    T value;
    bool in_range = true;  ///< false: too large (±Inf) or nonzero but too small (±0)
    /// The first word, from 1, that has fewer digits than it should because no double is nearer to
    /// 0; 0: none.
    int short_word = 0;
};

/// The double nearest to any number, and the double nearest to the rest; about 50 ns for up to 38
/// digits and a microsecond for others.
rounded<dd_real> nearest_words(scanned_number number);

/// The same as a dd_real.  A rest that rounded up to half an ulp of an odd high word belongs to the
/// next high word, too: of the two pairs, the one that operations yield.
inline rounded<dd_real> nearest_dd(const scanned_number& number)
{
    const rounded<dd_real> words = nearest_words(number);
    const exact sum = fast_two_sum(words.value.hi, words.value.lo);
    if (words.value.lo == 0 || !std::isfinite(sum.value)) return words;
    return {{sum.value, sum.error}, words.in_range, words.short_word};
}

/// A number as x + x_low, of which x is the dd_real nearest to it.
struct four_words {
    dd_real high, low;

    four_words() = default;
    four_words(dd_real x, dd_real x_low) : high(x), low(x_low) {}
    explicit four_words(int n) : high(n), low(0) {}
    friend bool operator==(const four_words& a, const four_words& b)
    {
        return a.high == b.high && a.low == b.low;
    }
};

/// nearest_dd, and the dd_real nearest to the rest; about a microsecond.
rounded<four_words> nearest_four_words(const scanned_number& number);

/// Whether the double nearest to the number, printed with the digits of the text, is another one.
bool has_more_digits(const scanned_number& number);

/// Path 3 alone.
rounded<dd_real> nearest_dd_exact(const scanned_number& number);

/// 10^0 … 10^22, all exact.
inline constexpr double exact_powers_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                 1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
inline constexpr int greatest_exact_power = 22;

/// Whether path 1 applies.
inline bool fits_doubles(const scanned_number& number)
{
    return !number.is_long && number.significand <= (std::uint64_t{1} << 53) &&
           number.exponent >= -greatest_exact_power && number.exponent <= greatest_exact_power;
}

/// Path 2 for double: significand * 10^exponent to 128 bits, off by less than 2 units of the last.
/// Returns -1 where that does not decide the result, or the result is not a normal number.
[[gnu::always_inline]] inline double nearest_double_by_product(std::uint64_t significand,
                                                               int exponent)
{
    const power_of_five& power = powers_of_five()[exponent - least_power];
    const int zeros = std::countl_zero(significand);
    using wide = unsigned __int128;
    const std::uint64_t m = significand << zeros;
    const wide product =
        static_cast<wide>(m) * power.limb[2] + ((static_cast<wide>(m) * power.limb[1]) >> 64);
    const int width = 126 + static_cast<int>(product >> 127);
    const int dropped = width - 52;
    const wide rest = product & ((static_cast<wide>(1) << dropped) - 1);
    const wide half = static_cast<wide>(1) << (dropped - 1);
    if (half - rest <= 2) return -1;  // wraps around where rest > half
    // The weight of the top bit: m 2^-zeros * limbs 2^(exponent + 128) * 2^(10 exponent's twos).
    const int binary = width + 64 - zeros + power.exponent + 64 + exponent;
    if (binary < -1021 || binary > 1022) return -1;
    // Now rest > half iff its top bit is set: no branch, for it would be taken half of the time.
    const auto kept = static_cast<std::uint64_t>(product >> (dropped - 1));
    const std::uint64_t mantissa = (kept >> 1) + (kept & 1);
    // A carry out of the mantissa moves into the exponent, as it should.
    return std::bit_cast<double>((static_cast<std::uint64_t>(binary + 1022) << 52) + mantissa);
}

[[gnu::always_inline]] inline rounded<double> nearest_double(const scanned_number& number)
{
    double magnitude = -1;
    if (fits_doubles(number)) {
        const double m = static_cast<double>(number.significand);
        magnitude = number.exponent < 0 ? m / exact_powers_of_ten[-number.exponent]
                                        : m * exact_powers_of_ten[number.exponent];
    } else if (!number.is_long && number.significand != 0 && number.exponent >= least_power &&
               number.exponent <= greatest_power) {
        magnitude =
            nearest_double_by_product(number.significand, static_cast<int>(number.exponent));
    }
    const auto sign = static_cast<std::uint64_t>(number.negative) << 63;
    if (magnitude >= 0)
        return {std::bit_cast<double>(std::bit_cast<std::uint64_t>(magnitude) | sign)};
    const rounded<dd_real> words = nearest_words(number);
    return {words.value.hi, words.in_range, words.short_word == 1 ? 1 : 0};
}

}  // namespace ddla::text

template <>
struct ddla::number_traits<ddla::text::four_words> {
    static constexpr int words = 4;
    static constexpr char name[] = "four words";
    static double word(const text::four_words& x, int k)
    {
        return number_traits<dd_real>::word(k < 2 ? x.high : x.low, k % 2);
    }
};
