#include "decimal_read.hpp"

#include "ddla/fp_mode.hpp"

#include "ddla/error.hpp"
#include "ddla/text.hpp"
#include "files/quote.hpp"

#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace ddla::text {
namespace {

using wide = unsigned __int128;

/// Path 1: hi = m / p or m * p, and the rest of either is a double again.
dd_real nearest_dd_by_doubles(const scanned_number& number)
{
    const double m = static_cast<double>(number.significand);
    if (number.exponent >= 0) {
        const exact product = two_prod(m, exact_powers_of_ten[number.exponent]);
        return {product.value, product.error};
    }
    const double p = exact_powers_of_ten[-number.exponent];
    const double quotient = m / p;
    return {quotient, std::fma(-quotient, p, m) / p};
}

/// A 192-bit integer, limb[0] the lowest.
using limbs = std::array<std::uint64_t, 3>;

int count_leading_zeros(const limbs& x)
{
    if (x[2] != 0) return std::countl_zero(x[2]);
    return x[1] != 0 ? 64 + std::countl_zero(x[1]) : 128 + std::countl_zero(x[0]);
}

limbs shift_left(const limbs& x, int by)
{
    limbs result{};
    const int whole = by / 64, part = by % 64;
    for (int i = whole; i < 3; ++i) {
        result[i] = x[i - whole] << part;
        if (part > 0 && i > whole) result[i] |= x[i - whole - 1] >> (64 - part);
    }
    return result;
}

limbs negated(const limbs& x)
{
    limbs result;
    wide carry = 1;
    for (int i = 0; i < 3; ++i) {
        carry += static_cast<std::uint64_t>(~x[i]);
        result[i] = static_cast<std::uint64_t>(carry);
        carry >>= 64;
    }
    return result;
}

/// x 2^exponent, and what remains of it when its nearest double is taken away.
struct leading_double {
    double value;     ///< ties to even
    bool rounded_up;  ///< the remainder is negative
    limbs remainder;  ///< its magnitude, in units of 2^exponent after the shift
    int exponent;
};

leading_double take_double(limbs x, int exponent)
{
    const int zeros = count_leading_zeros(x);
    x = shift_left(x, zeros);
    exponent -= zeros;
    constexpr int dropped = 64 - 53;
    constexpr std::uint64_t mask = (std::uint64_t{1} << dropped) - 1;
    constexpr std::uint64_t half = std::uint64_t{1} << (dropped - 1);
    std::uint64_t mantissa = x[2] >> dropped;
    const std::uint64_t rest = x[2] & mask;
    const bool beyond = (x[1] | x[0]) != 0;
    const bool up = rest > half || (rest == half && (beyond || (mantissa & 1) != 0));
    if (up) {
        ++mantissa;
        x[2] = rest | ~mask;  // rest - 2^dropped, in two's complement
        x = negated(x);
    } else {
        x[2] = rest;
    }
    return {std::ldexp(static_cast<double>(mantissa), exponent + 128 + dropped), up, x, exponent};
}

dd_real round_to_dd(const limbs& x, int exponent)
{
    const leading_double high = take_double(x, exponent);
    const limbs& rest = high.remainder;
    if ((rest[0] | rest[1] | rest[2]) == 0) return {high.value, 0};
    const double low = take_double(rest, high.exponent).value;
    return {high.value, high.rounded_up ? -low : low};
}

/// The top 192 bits of m times a power of five, with m's top bit set.  The true product lies in
/// [x, x + 2], and is x if `exact`.
struct product {
    limbs x;
    bool exact;
};

product multiply(wide m, const power_of_five& power)
{
    std::array<std::uint64_t, 5> sum{};
    const std::array<std::uint64_t, 2> factor = {static_cast<std::uint64_t>(m),
                                                 static_cast<std::uint64_t>(m >> 64)};
    for (int i = 0; i < 2; ++i) {
        std::uint64_t carry = 0;
        for (int j = 0; j < 3; ++j) {
            const wide term = static_cast<wide>(factor[i]) * power.limb[j] + sum[i + j] + carry;
            sum[i + j] = static_cast<std::uint64_t>(term);
            carry = static_cast<std::uint64_t>(term >> 64);
        }
        sum[i + 3] = carry;
    }
    return {{sum[2], sum[3], sum[4]}, power.exact && (sum[0] | sum[1]) == 0};
}

/// Path 2: the result if both ends of the interval round to it.
std::optional<dd_real> nearest_dd_by_product(wide significand, std::int64_t exponent)
{
    if (exponent < least_power || exponent > greatest_power) return std::nullopt;
    const auto top = static_cast<std::uint64_t>(significand >> 64);
    const int zeros = top != 0 ? std::countl_zero(top)
                               : 64 + std::countl_zero(static_cast<std::uint64_t>(significand));
    const power_of_five& power = powers_of_five()[static_cast<std::size_t>(exponent - least_power)];
    const product p = multiply(significand << zeros, power);
    const int binary = power.exponent + static_cast<int>(exponent) - zeros + 128;
    // The low word, too, must be a normal number: leave it 192 bits of room.
    if (binary < -1021 || binary + 192 > 1022) return std::nullopt;
    const dd_real low_end = round_to_dd(p.x, binary);
    if (p.exact) return low_end;
    limbs end = p.x;
    end[0] += 2;
    if (end[0] < 2 && ++end[1] == 0 && ++end[2] == 0) return std::nullopt;
    if (low_end == round_to_dd(end, binary)) return low_end;
    return std::nullopt;
}

/// All digits as one number, if at most 38 of them are significant.
std::optional<wide> long_significand(const scanned_number& number)
{
    constexpr std::int64_t greatest = 38;
    if (significant_digits(number) > greatest) return std::nullopt;
    wide value = 0;
    for (const characters& part : {number.whole, number.fraction})
        for (const char* p = part.first; p != part.last; ++p)
            value = value * 10 + static_cast<unsigned>(*p - '0');
    return value;
}

dd_real with_sign(dd_real x, bool negative)
{
    // A low word of zero stays +0, as in dd_real(-1.0).
    if (!negative) return x;
    return {-x.hi, x.lo == 0 ? 0.0 : -x.lo};
}

}  // namespace

rounded<dd_real> nearest_words(scanned_number number)
{
    if (fits_doubles(number)) {
        const dd_real magnitude = nearest_dd_by_doubles(number);
        return {with_sign(magnitude, number.negative)};
    }
    const std::optional<wide> significand =
        number.is_long ? long_significand(number) : std::optional<wide>(number.significand);
    if (significand == wide{0}) return {with_sign({0, 0}, number.negative)};
    if (significand) {
        const auto magnitude = nearest_dd_by_product(*significand, number.exponent);
        if (magnitude) return {with_sign(*magnitude, number.negative)};
    }
    const rounded<dd_real> magnitude = nearest_dd_exact(number);
    return {with_sign(magnitude.value, number.negative), magnitude.in_range, magnitude.short_word};
}

bool has_more_digits(const scanned_number& number)
{
    // Fifteen digits are those of a double, unless it is subnormal.
    constexpr std::uint64_t fifteen = 1'000'000'000'000'000;
    if (!number.is_long && number.significand < fifteen) return false;
    const double rest = std::fabs(nearest_words(number).value.lo);
    // More than half a unit of the last digit; the factor is for the errors of both.
    return 2 * rest > (1 + 0x1p-40) * std::pow(10.0, static_cast<double>(number.exponent));
}

namespace {

/// "inf", "infinity", "nan", "nan(letters)" after the sign, in any case; null if it is neither.
const char* scan_special(const char* p, const char* last, double& value)
{
    const auto starts_with = [&](std::string_view word) {
        if (static_cast<std::size_t>(last - p) < word.size()) return false;
        for (std::size_t i = 0; i < word.size(); ++i)
            if ((p[i] | 0x20) != word[i]) return false;
        return true;
    };
    if (starts_with("inf")) {
        value = std::numeric_limits<double>::infinity();
        return p + (starts_with("infinity") ? 8 : 3);
    }
    if (!starts_with("nan")) return nullptr;
    value = std::numeric_limits<double>::quiet_NaN();
    p += 3;
    if (p == last || *p != '(') return p;
    const auto in_parentheses = [](char c) {
        const char lower = static_cast<char>(c | 0x20);
        return is_digit(c) || c == '_' || (lower >= 'a' && lower <= 'z');
    };
    const char* close = p + 1;
    while (close != last && in_parentheses(*close)) ++close;
    return close != last && *close == ')' ? close + 1 : p;
}

}  // namespace
}  // namespace ddla::text

namespace ddla {

std::from_chars_result from_chars(const char* first, const char* last, dd_real& value)
{
    const fp_mode_guard exact;
    const text::scanned_number number = text::scan_number(first, last, text::exponent_letter::e);
    if (number.end == nullptr) {
        const bool negative = first != last && *first == '-';
        double special;
        const char* end = text::scan_special(first + (negative ? 1 : 0), last, special);
        if (end == nullptr) return {first, std::errc::invalid_argument};
        value = dd_real(negative ? -special : special, 0);
        return {end, {}};
    }
    const text::rounded<dd_real> result = text::nearest_dd(number);
    value = result.value;
    return {number.end, result.in_range ? std::errc{} : std::errc::result_out_of_range};
}

dd_real parse_dd(std::string_view text)
{
    const fp_mode_guard exact;
    dd_real value{};
    const char* last = text.data() + text.size();
    const auto [end, problem] = from_chars(text.data(), last, value);
    if (problem == std::errc::invalid_argument || end != last)
        throw input_error(text::quote(text) + " is not a number");
    if (problem == std::errc::result_out_of_range)
        throw input_error(text::quote(text) + " is out of the range of double");
    return value;
}

}  // namespace ddla
