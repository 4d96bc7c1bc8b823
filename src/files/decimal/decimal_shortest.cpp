// The fewest digits that read back as a dd_real.
//
// The decimals that read back as (hi, lo) fill an interval: those that round to hi, and whose
// distance from hi rounds to lo.  Scaled by a power of ten that makes its ends integers of some
// digits, the first digit in which they differ is the last that is needed (Steele and White 1990).
// The interval is not symmetric where lo is a power of two, or half a unit of hi.
#include "decimal_scaled.hpp"

#include <cstdlib>

namespace ddla::text {
namespace {

struct interval_end {
    integer value;
    bool closed;
};

struct interval {
    interval_end low, high;
    long exponent;
};

/// Half the distance of |x| to its neighbours, as powers of two.
struct half_gaps {
    long outer;  ///< away from zero
    long inner;  ///< towards zero
};

half_gaps half_gaps_of(const binary_double& x)
{
    constexpr std::int64_t least_mantissa = std::int64_t{1} << 52;
    const bool power_of_two = std::abs(x.mantissa) == least_mantissa && x.exponent > -1074;
    return {x.exponent - 1, x.exponent - (power_of_two ? 2 : 1)};
}

/// For normalized x > 0.
void find_interval(dd_real x, interval& result)
{
    const binary_double high = decode(x.hi), low = decode(x.lo);
    const half_gaps around_high = half_gaps_of(high), around_low = half_gaps_of(low);
    const long unit = std::min(around_high.inner, around_low.inner);
    const bool outer_is_up = low.mantissa >= 0;
    result.exponent = unit;
    integer centre, edge;
    add_shifted(centre, high.mantissa, high.exponent - unit);
    const auto set_end = [&](interval_end& end, long low_gap, long high_gap, int sign) {
        mpz_set(end.value, centre);
        add_shifted(end.value, low.mantissa, low.exponent - unit);
        add_shifted(end.value, sign, low_gap - unit);
        end.closed = low.mantissa % 2 == 0;
        // Where lo is half a unit of hi, the decimals beyond are nearer to the next high word:
        // their rest rounds to -lo, from its inner side, and the two pairs are one number.
        mpz_set(edge, centre);
        add_shifted(edge, sign, high_gap - unit);
        if (sign * mpz_cmp(end.value, edge) <= 0) return;
        mpz_set(end.value, edge);
        add_shifted(end.value, sign, around_low.inner - unit);
    };
    set_end(result.high, outer_is_up ? around_low.outer : around_low.inner, around_high.outer, 1);
    set_end(result.low, outer_is_up ? around_low.inner : around_low.outer, around_high.inner, -1);
}

/// The decimal place at which the interval is 10 to 200 units wide.
long fine_place(const interval& range)
{
    integer width;
    mpz_sub(width, range.high.value, range.low.value);
    const auto log2_width = static_cast<double>(width.bits() - 1 + range.exponent);
    return static_cast<long>(std::floor(log2_width * std::log10(2.0))) - 1;
}

/// The highest place at which a number of the form n 10^place lies in (below, highest].
std::int64_t first_difference(const integer& below, const integer& highest)
{
    const std::string high = text_of(highest);
    std::string low = text_of(below);
    low.insert(0, high.size() - low.size(), '0');
    const auto differ = std::mismatch(high.begin(), high.end(), low.begin()).first;
    return high.end() - differ - 1;
}

}  // namespace

decimal_digits shortest_digits(dd_real x)
{
    if (x.hi == 0) return {"0", 0};
    if (x.hi < 0) x = {-x.hi, -x.lo};
    interval range;
    find_interval(x, range);
    const long fine = fine_place(range);
    const scale finely(range.exponent, -fine);
    integer below, highest;  // the decimals in the range are those in (below, highest]
    if (finely.floor(range.low.value, below) && range.low.closed) mpz_sub_ui(below, below, 1);
    if (finely.floor(range.high.value, highest) && !range.high.closed)
        mpz_sub_ui(highest, highest, 1);
    const std::int64_t up = first_difference(below, highest);

    const exact_value exact(x);
    integer best, power, unscaled;
    scale(exact.exponent, -(fine + up)).round(exact.value, best);
    // The nearest at that place may lie outside on the short side; then its other neighbour is in.
    mpz_ui_pow_ui(power, 10, static_cast<unsigned long>(up));
    mpz_mul(unscaled, best, power);
    if (mpz_cmp(unscaled, highest) > 0) mpz_sub_ui(best, best, 1);
    if (mpz_cmp(unscaled, below) <= 0) mpz_add_ui(best, best, 1);
    return with_lowest_place(best, fine + up);
}

}  // namespace ddla::text
