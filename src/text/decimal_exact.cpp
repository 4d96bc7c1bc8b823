// Decimal to dd_real with big integers, for numbers that the fast paths leave undecided.
#include "text/decimal_read.hpp"
#include "text/integer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace ddla::text {
namespace {

/// Halfway cases between neighbouring dd_reals are multiples of 2^-1075 below 2^1024, so they have
/// at most 309 + 1075 digits.  Of more digits only matters whether one of them is not zero.
constexpr std::size_t most_digits = 1500;

/// An upper and a lower bound of the decimal exponents of the range of double.
constexpr std::int64_t overflowing_magnitude = 310;
constexpr std::int64_t vanishing_magnitude = -330;

struct digit_string {
    std::string digits;
    std::int64_t exponent;  ///< of the last digit
};

digit_string collect(const scanned_number& number)
{
    digit_string result{{}, number.exponent};
    std::int64_t dropped = 0;
    bool sticky = false;
    for (const characters& part : {number.whole, number.fraction}) {
        const char* p = part.first;
        if (result.digits.empty()) p += leading_zeros(part);
        const auto room = static_cast<std::int64_t>(most_digits - result.digits.size());
        const char* kept = p + std::min<std::int64_t>(room, part.last - p);
        result.digits.append(p, kept);
        dropped += part.last - kept;
        sticky = sticky || std::any_of(kept, part.last, [](char c) { return c != '0'; });
    }
    result.exponent += dropped;
    if (sticky) {
        result.digits += '1';
        --result.exponent;
    }
    return result;
}

/// The double nearest to numerator / denominator * 2^exponent, ties to even.
double nearest_ratio(const integer& numerator, const integer& denominator, long exponent)
{
    // A quotient of 55 to 57 bits, and a bit below it that stands for the remainder.
    const long shift = 56 - numerator.bits() + denominator.bits();
    integer n, d, remainder;
    mpz_mul_2exp(n, numerator, std::max(shift, 0L));
    mpz_mul_2exp(d, denominator, std::max(-shift, 0L));
    mpz_tdiv_qr(n, remainder, n, d);
    const long bits = n.bits() + 1;
    const std::uint64_t quotient = 2 * mpz_get_ui(n) + (remainder.sign() != 0 ? 1 : 0);
    exponent -= shift + 1;
    const long precision = std::min(53L, bits + exponent + 1074);
    if (precision < 0) return 0;
    const long dropped = bits - precision;
    const std::uint64_t rest = quotient & ((std::uint64_t{1} << dropped) - 1);
    const std::uint64_t half = std::uint64_t{1} << (dropped - 1);
    std::uint64_t mantissa = quotient >> dropped;
    if (rest > half || (rest == half && (mantissa & 1) != 0)) ++mantissa;
    return std::ldexp(static_cast<double>(mantissa), static_cast<int>(exponent + dropped));
}

/// numerator / denominator * 2^exponent - x, as a double.
double nearest_rest(const integer& numerator, const integer& denominator, long exponent, double x)
{
    int shifted;
    const double fraction = std::frexp(x, &shifted);
    const auto mantissa = static_cast<std::uint64_t>(std::ldexp(fraction, 53));
    const long x_exponent = shifted - 53;
    const long common = std::min(exponent, x_exponent);
    integer left, right;
    mpz_mul_2exp(left, numerator, exponent - common);
    mpz_mul_ui(right, denominator, mantissa);
    mpz_mul_2exp(right, right, x_exponent - common);
    mpz_sub(left, left, right);
    if (left.sign() == 0) return 0;
    const bool negative = left.sign() < 0;
    mpz_abs(left, left);
    const double magnitude = nearest_ratio(left, denominator, common);
    // No -0: a remainder below the least double is none.
    return negative && magnitude > 0 ? -magnitude : magnitude;
}

}  // namespace

rounded<dd_real> nearest_dd_exact(const scanned_number& number)
{
    const digit_string decimal = collect(number);
    if (decimal.digits.empty()) return {{0, 0}};
    const std::int64_t magnitude =
        decimal.exponent + static_cast<std::int64_t>(decimal.digits.size());
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (magnitude > overflowing_magnitude) return {{infinity, 0}, false};
    if (magnitude < vanishing_magnitude) return {{0, 0}, false};

    const auto exponent = static_cast<long>(decimal.exponent);
    integer numerator, denominator(1), power;
    mpz_set_str(numerator, decimal.digits.c_str(), 10);
    mpz_ui_pow_ui(power, 5, std::abs(exponent));
    if (exponent >= 0)
        mpz_mul(numerator, numerator, power);
    else
        mpz_swap(denominator, power);
    const double high = nearest_ratio(numerator, denominator, exponent);
    if (high == 0 || high == infinity) return {{high, 0}, false};
    return {{high, nearest_rest(numerator, denominator, exponent, high)}};
}

}  // namespace ddla::text
