// Decimal to dd_real with big integers, for numbers that the fast paths leave undecided.
#include "decimal_read.hpp"
#include "decimal_scaled.hpp"
#include "integer.hpp"

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

/// The magnitude of a decimal number, less the doubles that were taken from it.
class decimal_rest {
public:
    explicit decimal_rest(const digit_string& decimal)
        : denominator_(1), exponent_(static_cast<long>(decimal.exponent))
    {
        integer power;
        mpz_set_str(value_, decimal.digits.c_str(), 10);
        mpz_ui_pow_ui(power, 5, std::abs(exponent_));
        if (exponent_ >= 0)
            mpz_mul(value_, value_, power);
        else
            mpz_swap(denominator_, power);
    }

    double nearest() const
    {
        if (value_.sign() == 0) return 0;
        integer magnitude;
        mpz_abs(magnitude, value_);
        const double x = nearest_ratio(magnitude, denominator_, exponent_);
        // No -0: a remainder below the least double is none.
        return value_.sign() < 0 && x > 0 ? -x : x;
    }
    void take(double x)
    {
        const binary_double part = decode(x);
        const long common = std::min<long>(exponent_, part.exponent);
        integer right;
        mpz_mul_2exp(value_, value_, exponent_ - common);
        mpz_mul_si(right, denominator_, part.mantissa);
        mpz_mul_2exp(right, right, part.exponent - common);
        mpz_sub(value_, value_, right);
        exponent_ = common;
    }
    bool is_zero() const { return value_.sign() == 0; }
    /// More than half of 10^exponent, exponent <= 0 that of the last digit of the number.
    bool exceeds_half_unit(std::int64_t exponent) const
    {
        // 10^exponent = 2^exponent / denominator, of which value / denominator has no less.
        const long half = static_cast<long>(exponent) - 1 - exponent_;
        if (half < 0) return !is_zero();
        return value_.bits() > half + 1 || (value_.bits() == half + 1 &&
                                            mpz_scan1(value_, 0) != static_cast<mp_bitcnt_t>(half));
    }
    /// Takes the nearest double.
    double next()
    {
        const double x = nearest();
        take(x);
        return x;
    }

private:
    integer value_, denominator_;  ///< value / denominator * 2^exponent
    long exponent_;
};

/// Which of two words lacks digits.  A low word lacks none if both together, printed with as many
/// digits, are the number again: so are those that ddla has written.
int short_word(decimal_rest& rest, const digit_string& decimal, double high, double low)
{
    constexpr double smallest_normal = std::numeric_limits<double>::min();
    if (high < smallest_normal) return rest.is_zero() ? 0 : 1;
    if (std::fabs(low) >= smallest_normal) return 0;
    rest.take(low);
    return rest.exceeds_half_unit(decimal.exponent) ? 2 : 0;
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

    decimal_rest rest(decimal);
    const double high = rest.nearest();
    if (high == 0 || high == infinity) return {{high, 0}, false};
    rest.take(high);
    const double low = rest.nearest();
    return {{high, low}, true, short_word(rest, decimal, high, low)};
}

rounded<four_words> nearest_four_words(const scanned_number& number)
{
    const rounded<dd_real> high = nearest_dd(number);
    if (high.value.hi == 0 || !std::isfinite(high.value.hi))
        return {{high.value, dd_real(0)}, high.in_range};
    decimal_rest rest(collect(number));
    const double sign = number.negative ? -1 : 1;
    rest.take(sign * high.value.hi);
    rest.take(sign * high.value.lo);
    const double third = rest.next(), fourth = rest.nearest();
    const exact low = fast_two_sum(third, fourth);
    const auto with_sign = [&](double x) { return x == 0 ? 0 : sign * x; };
    return {{high.value, dd_real(with_sign(low.value), with_sign(low.error))}, high.in_range};
}

}  // namespace ddla::text
