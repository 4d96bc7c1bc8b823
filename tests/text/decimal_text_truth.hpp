// The decimal text of a dd_real, by MPFR.
#pragma once

#include "decimal_truth.hpp"

#include "ddla/text.hpp"
#include "files/decimal/decimal_write.hpp"

#include <vector>

namespace ddla::test {

/// The number at the start of `text`.
inline dd_real read(const std::string& text)
{
    dd_real value{-7, -7};
    from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

/// By MPFR's printf, from the exact sum.
inline std::string truth(dd_real x, const char* format, int precision)
{
    mpfr sum(2200);
    mpfr_set_d(sum, x.hi, MPFR_RNDN);
    if (x.lo != 0) mpfr_add_d(sum, sum, x.lo, MPFR_RNDN);
    std::vector<char> text(static_cast<std::size_t>(precision) + 500);
    mpfr_snprintf(text.data(), text.size(), format, precision, mpfr_ptr(sum));
    return text.data();
}

/// Whether no decimal of one digit less reads back as x: neither neighbour of x does.
inline bool is_shortest(dd_real x)
{
    const text::decimal_digits d = text::shortest_digits(x);
    const auto fewer = static_cast<int>(d.digits.size()) - 1;
    if (fewer == 0) return true;
    const dd_real magnitude(std::fabs(x.hi), std::signbit(x.hi) ? 0 - x.lo : x.lo);
    for (const char* format : {"%.*RDe", "%.*RUe"})
        if (same(read(truth(magnitude, format, fewer - 1)), magnitude)) return false;
    return true;
}

}  // namespace ddla::test
