#include "text/decimal_write.hpp"

#include "text/decimal_scaled.hpp"

namespace ddla::text {

dd_real normalized(dd_real x)
{
    if (x.lo == 0) return {x.hi, 0};  // also for -0
    const exact sum = two_sum(x.hi, x.lo);
    return std::isfinite(sum.value) ? dd_real(sum.value, sum.error) : dd_real(sum.value, 0);
}

decimal_digits significant_digits_of(dd_real x, std::int64_t count)
{
    if (x.hi == 0) return {std::string(static_cast<std::size_t>(count), '0'), 0};
    exact_value exact(x);
    mpz_abs(exact.value, exact.value);
    // The estimate of the exponent may be one off, and rounding may carry into a new digit.
    auto exponent = static_cast<std::int64_t>(std::floor(std::log10(std::fabs(x.hi))));
    for (;;) {
        const std::int64_t place = exponent - (count - 1);
        integer rounded;
        scale(exact.exponent, -place).round(exact.value, rounded);
        decimal_digits result = with_lowest_place(rounded, place);
        const auto length = static_cast<std::int64_t>(result.digits.size());
        if (length == count) return result;
        exponent += length > count ? 1 : -1;
    }
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
