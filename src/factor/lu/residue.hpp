// Numbers modulo the prime p = 2^61 - 2373, of which every double and double-double is one: m 2^e
// is a product modulo p, without rounding or overflow.
//
// (p - 1) / 2 is a prime, too, and 2 generates all residues: powers of two, which matrices are full
// of, are no nearer to one another than other numbers.  (Modulo 2^61 - 1, 2^61 would be 1.)
#pragma once

#include "factor/numbers.hpp"

#include <cstdint>
#include <vector>

namespace ddla::factor {

class residue {
public:
    static constexpr int bits = 61;
    static constexpr std::uint64_t below = 2373;  ///< 2^61
    static constexpr std::uint64_t prime = (std::uint64_t{1} << bits) - below;

    constexpr residue() = default;
    /// Of a number below 2^64.
    constexpr explicit residue(std::uint64_t x) : value_(reduced((x & mask) + below * (x >> bits)))
    {
    }
    explicit residue(int x) : residue(static_cast<double>(x)) {}
    /// Of any finite double.
    explicit residue(double x);
    explicit residue(dd_real x) : residue(residue(x.hi) + residue(x.lo)) {}

    constexpr std::uint64_t value() const { return value_; }
    constexpr bool operator==(const residue&) const = default;

    friend constexpr residue operator+(residue x, residue y)
    {
        return make(reduced(x.value_ + y.value_));
    }
    friend constexpr residue operator-(residue x, residue y)
    {
        return make(reduced(x.value_ + (prime - y.value_)));
    }
    friend constexpr residue operator-(residue x) { return residue() - x; }
    friend constexpr residue operator*(residue x, residue y)
    {
        const auto product = static_cast<unsigned __int128>(x.value_) * y.value_;
        // 2^61 is `below`: once for the upper half, and once for what that carries.
        const unsigned __int128 once =
            (static_cast<std::uint64_t>(product) & mask) + (product >> bits) * below;
        return residue((static_cast<std::uint64_t>(once) & mask) +
                       below * static_cast<std::uint64_t>(once >> bits));
    }
    friend constexpr residue operator/(residue x, residue y) { return x * y.inverse(); }

    constexpr residue to_the(std::uint64_t e) const
    {
        residue power = *this, result(std::uint64_t{1});
        for (; e > 0; e >>= 1) {
            if (e & 1) result = result * power;
            power = power * power;
        }
        return result;
    }
    /// x^(p-2), by Fermat.  Of 0 it is 0.
    constexpr residue inverse() const { return to_the(prime - 2); }

private:
    static constexpr std::uint64_t mask = (std::uint64_t{1} << bits) - 1;

    static constexpr residue make(std::uint64_t value)
    {
        residue x;
        x.value_ = value;
        return x;
    }
    /// Of x <= 2 p.
    static constexpr std::uint64_t reduced(std::uint64_t x) { return x >= prime ? x - prime : x; }

    std::uint64_t value_ = 0;  ///< below p
};

/// 2^e for the exponents of doubles, of whole numbers times 2^e: from a table, made once.
inline residue power_of_two(int e)
{
    static constexpr int least = -1126, most = 971;  // 2^-1074 is 2^52 times 2^-1126
    static const std::vector<residue> powers = [] {
        std::vector<residue> all(most - least + 1);
        residue next = residue(std::uint64_t{2}).to_the(residue::prime - 1 - std::uint64_t{-least});
        for (residue& power : all) {
            power = next;
            next = next + next;
        }
        return all;
    }();
    return powers[static_cast<std::size_t>(e - least)];
}

inline residue::residue(double x)
{
    int exponent;
    const double mantissa = std::frexp(std::fabs(x), &exponent);
    const auto m = static_cast<std::uint64_t>(std::ldexp(mantissa, 53));
    *this = residue(m) * power_of_two(exponent - 53);
    if (x < 0) *this = -*this;
}

/// All that pivots can be compared by.
inline double magnitude(residue x)
{
    return x.value() == 0 ? 0 : 1;
}

/// Multiplies by the inverse, which is found once.
template <>
class divisor<residue> {
public:
    explicit divisor(residue by) : inverse_(by.inverse()) {}
    residue operator()(residue x) const { return x * inverse_; }

private:
    residue inverse_;
};

}  // namespace ddla::factor
