// Digits to text: fixed, scientific, general, shortest.
#include "ddla/error.hpp"

#include "ddla/fp_mode.hpp"
#include "ddla/text.hpp"
#include "decimal_read.hpp"
#include "decimal_write.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace ddla {
namespace text {
namespace {

std::size_t count(std::int64_t n)
{
    return static_cast<std::size_t>(std::max<std::int64_t>(n, 0));
}

/// d.ddde+XX
std::string scientific(const decimal_digits& d, bool point)
{
    std::string result = d.digits.substr(0, 1);
    if (point || d.digits.size() > 1) result += '.';
    result += d.digits.substr(1);
    result += d.exponent < 0 ? "e-" : "e+";
    const std::string exponent = std::to_string(std::abs(d.exponent));
    return result + (exponent.size() < 2 ? "0" : "") + exponent;
}

/// ddd.ddd with all digits; zeros fill the gap to the point on either side.
std::string fixed(const decimal_digits& d, bool point)
{
    const std::int64_t whole = d.exponent + 1;
    const auto length = static_cast<std::int64_t>(d.digits.size());
    std::string result = d.digits.substr(0, count(whole));
    if (whole <= 0) result = "0";
    result.append(count(whole - length), '0');
    if (point || whole < length) result += '.';
    result.append(count(std::min(-whole, -d.exponent - 1)), '0');
    if (whole < length) result += d.digits.substr(count(whole));
    return result;
}

std::string shortest(dd_real x)
{
    const decimal_digits d = shortest_digits(x);
    // The fixed form of 1e300 need not be built to know that it is longer.
    if (std::abs(d.exponent) > 2 * static_cast<std::int64_t>(d.digits.size()) + 10)
        return scientific(d, false);
    const std::string in_place = fixed(d, false), with_exponent = scientific(d, false);
    return in_place.size() <= with_exponent.size() ? in_place : with_exponent;
}

/// %g: `precision` significant digits, trailing zeros removed unless wanted.
std::string general(dd_real x, std::int64_t precision, bool point)
{
    precision = std::max<std::int64_t>(precision, 1);
    decimal_digits d = significant_digits_of(x, precision);
    const bool in_place = d.exponent >= -4 && d.exponent < precision;
    if (!point) {
        const std::size_t last = d.digits.find_last_not_of('0');
        d.digits.resize(last == std::string::npos ? 1 : last + 1);
    }
    return in_place ? fixed(d, point) : scientific(d, point);
}

std::string magnitude(dd_real x, const number_style& style)
{
    const std::int64_t precision = style.precision < 0 ? 6 : style.precision;
    switch (style.notation) {
    case notation::general:
        return general(x, precision, style.show_point);
    case notation::scientific:
        return scientific(significant_digits_of(x, precision + 1), style.show_point);
    case notation::fixed: {
        decimal_digits d = fixed_digits_of(x, precision);
        // 0.001 comes as the digit 1: give it the leading zeros that the layout counts on.
        if (d.exponent < 0) d.digits.insert(0, count(-d.exponent), '0');
        d.exponent = std::max<std::int64_t>(d.exponent, 0);
        return fixed(d, style.show_point);
    }
    case notation::shortest:
        break;
    }
    return shortest(x);
}

}  // namespace
}  // namespace text

std::string to_string(dd_real x, const number_style& style)
{
    const fp_mode_guard exact;
    x = text::normalized(x);
    std::string result;
    if (std::signbit(x.hi))
        result = '-';
    else if (style.plus != '\0')
        result = style.plus;
    if (std::isfinite(x.hi))
        result += text::magnitude(x, style);
    else
        result += std::isnan(x.hi) ? "nan" : "inf";
    if (style.uppercase)
        std::transform(result.begin(), result.end(), result.begin(), [](char c) {
            return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
        });
    return result;
}

std::string to_string(dd_real x, dd_real low, int digits)
{
    const fp_mode_guard exact;
    const bool is_finite = std::isfinite(x.hi) && std::isfinite(x.lo) && std::isfinite(low.hi) &&
                           std::isfinite(low.lo);
    if (digits < 1 || !is_finite) return to_string(x, digits);
    return (text::is_negative(x, low) ? "-" : "") +
           text::scientific(text::significant_digits_of(x, digits, low), false);
}

std::string text::text_in_four_words(dd_real x, dd_real low)
{
    // Beyond, digits are zeros: 1024 + 1074 places before and after the point.
    constexpr int most_digits = 2100;
    constexpr int digits_of_four_words = 64;
    for (int count = digits_of_four_words;; ++count) {
        decimal_digits d = significant_digits_of(x, count, low);
        d.digits.resize(std::max<std::size_t>(d.digits.find_last_not_of('0') + 1, 1));
        const std::string text = (is_negative(x, low) ? "-" : "") + scientific(d, false);
        const char* const last = text.data() + text.size();
        const four_words back =
            nearest_four_words(scan_number(text.data(), last, exponent_letter::e)).value;
        if ((back.high == x && back.low == low) || count == most_digits) return text;
    }
}

std::string to_string(dd_real x)
{
    const fp_mode_guard exact;
    return to_string(x, number_style{});
}

std::string to_string(dd_real x, int digits)
{
    const fp_mode_guard exact;
    if (digits < 1)
        throw input_error("to_string with " + std::to_string(digits) + " digits: at least 1");
    return to_string(x, {.notation = notation::scientific, .precision = digits - 1});
}

}  // namespace ddla
