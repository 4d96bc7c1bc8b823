// Exact binary values and their decimal scale, as big integers.
#pragma once

#include "decimal_write.hpp"
#include "integer.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace ddla::text {

/// A finite double as mantissa * 2^exponent, exactly as it is stored.
struct binary_double {
    std::int64_t mantissa;
    int exponent;
};

inline binary_double decode(double x)
{
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const int field = static_cast<int>((bits >> 52) & 0x7FF);
    auto mantissa = static_cast<std::int64_t>(bits & ((std::uint64_t{1} << 52) - 1));
    if (field != 0) mantissa += std::int64_t{1} << 52;
    return {(bits >> 63) != 0 ? -mantissa : mantissa, std::max(field, 1) - 1075};
}

/// to += mantissa * 2^shift
inline void add_shifted(integer& to, std::int64_t mantissa, long shift)
{
    integer term;
    mpz_set_si(term, mantissa);
    mpz_mul_2exp(term, term, shift);
    mpz_add(to, to, term);
}

/// x + low = value * 2^exponent
struct exact_value {
    integer value;
    long exponent;

    explicit exact_value(dd_real x, dd_real low = {0, 0}) : exponent(decode(x.hi).exponent)
    {
        const double words[] = {x.hi, x.lo, low.hi, low.lo};
        for (const double w : words)
            if (w != 0) exponent = std::min<long>(exponent, decode(w).exponent);
        for (const double w : words)
            if (const binary_double part = decode(w); w != 0)
                add_shifted(value, part.mantissa, part.exponent - exponent);
    }
};

/// Multiplies integers by 2^binary * 10^decimal, and rounds the result to an integer.
class scale {
public:
    scale(long binary, long decimal) : denominator_(1)
    {
        mpz_ui_pow_ui(factor_, 5, std::abs(decimal));
        if (decimal < 0) mpz_swap(denominator_, factor_);
        if (decimal < 0) mpz_set_ui(factor_, 1);
        const long twos = binary + decimal;
        mpz_mul_2exp(factor_, factor_, std::max(twos, 0L));
        mpz_mul_2exp(denominator_, denominator_, std::max(-twos, 0L));
    }

    /// Rounds down; returns whether the result is exact.
    bool floor(const integer& value, integer& result) const
    {
        integer rest;
        divide(value, result, rest);
        return rest.sign() == 0;
    }
    /// Rounds to nearest, ties to even.
    void round(const integer& value, integer& result) const
    {
        integer rest;
        divide(value, result, rest);
        mpz_mul_2exp(rest, rest, 1);
        const int side = mpz_cmp(rest, denominator_);
        if (side > 0 || (side == 0 && mpz_tstbit(result, 0) != 0)) mpz_add_ui(result, result, 1);
    }

private:
    void divide(const integer& value, integer& quotient, integer& rest) const
    {
        mpz_mul(rest, factor_, value);
        mpz_fdiv_qr(quotient, rest, rest, denominator_);
    }

    integer factor_, denominator_;
};

inline std::string text_of(const integer& value)
{
    std::string digits(mpz_sizeinbase(value, 10) + 2, '\0');
    mpz_get_str(digits.data(), 10, value);
    digits.resize(digits.find('\0'));
    return digits;
}

/// value * 10^place
inline decimal_digits with_lowest_place(const integer& value, std::int64_t place)
{
    decimal_digits result{text_of(value), place};
    result.exponent += static_cast<std::int64_t>(result.digits.size()) - 1;
    return result;
}

}  // namespace ddla::text
