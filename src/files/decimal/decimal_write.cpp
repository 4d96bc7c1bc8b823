#include "decimal_write.hpp"

#include "decimal_scaled.hpp"

namespace ddla::text {

dd_real normalized(dd_real x)
{
    if (x.lo == 0) return {x.hi, 0};  // also for -0
    const exact sum = two_sum(x.hi, x.lo);
    return std::isfinite(sum.value) ? dd_real(sum.value, sum.error) : dd_real(sum.value, 0);
}

namespace {

/// Rounded to a multiple of 10^place.
decimal_digits rounded_to(const exact_value& exact, std::int64_t place)
{
    integer rounded;
    scale(exact.exponent, -place).round(exact.value, rounded);
    return with_lowest_place(rounded, place);
}

}  // namespace

decimal_digits significant_digits_of(dd_real x, std::int64_t count, dd_real low)
{
    exact_value exact(x, low);
    mpz_abs(exact.value, exact.value);
    if (exact.value.sign() == 0) return {std::string(static_cast<std::size_t>(count), '0'), 0};
    const auto length = [](const decimal_digits& d) {
        return static_cast<std::int64_t>(d.digits.size());
    };
    // The estimate of the exponent may be one off, and rounding may carry into a new digit.  It is
    // of the sum: the words may cancel.
    long twos = 0;
    const double part = mpz_get_d_2exp(&twos, exact.value);
    const double twos_of_sum = static_cast<double>(twos + exact.exponent);
    auto exponent = static_cast<std::int64_t>(
        std::floor(std::log10(part) + twos_of_sum * 0.30102999566398119521));
    decimal_digits result = rounded_to(exact, exponent - (count - 1));
    while (length(result) != count) {
        exponent += length(result) > count ? 1 : -1;
        result = rounded_to(exact, exponent - (count - 1));
    }
    // A power of ten: x may lie below it, where one more place is significant.
    if (result.digits[0] == '1' && result.digits.find_first_not_of('0', 1) == std::string::npos)
        if (decimal_digits below = rounded_to(exact, exponent - count); length(below) == count)
            return below;
    return result;
}

bool is_negative(dd_real x, dd_real low)
{
    return exact_value(x, low).value.sign() < 0;
}

decimal_digits fixed_digits_of(dd_real x, std::int64_t places)
{
    exact_value exact(x);
    mpz_abs(exact.value, exact.value);
    integer rounded;
    scale(exact.exponent, places).round(exact.value, rounded);
    return with_lowest_place(rounded, -places);
}

}  // namespace ddla::text
