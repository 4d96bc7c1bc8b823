// Numbers modulo the prime p = 2^61 - 1, of which every double and double-double is one.
//
// 2^61 = 1 modulo p, so that m 2^e is m rotated by e mod 61 bits: no rounding, no overflow.
#pragma once

#include "numbers.hpp"

#include <cstdint>

namespace ddla::factor {

class residue {
public:
    static constexpr std::uint64_t prime = (std::uint64_t{1} << 61) - 1;

    constexpr residue() = default;
    /// Of a number below 2^64.
    constexpr explicit residue(std::uint64_t x) : value_(reduced((x & prime) + (x >> 61))) {}
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
        return make(reduced((static_cast<std::uint64_t>(product) & prime) +
                            static_cast<std::uint64_t>(product >> 61)));
    }
    friend constexpr residue operator/(residue x, residue y) { return x * y.inverse(); }

    /// x^(p-2), by Fermat.  Of 0 it is 0.
    constexpr residue inverse() const
    {
        residue power = *this, result(std::uint64_t{1});
        for (std::uint64_t e = prime - 2; e > 0; e >>= 1) {
            if (e & 1) result = result * power;
            power = power * power;
        }
        return result;
    }

private:
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

inline residue::residue(double x)
{
    constexpr int bits = 61;
    int exponent;
    const double mantissa = std::frexp(std::fabs(x), &exponent);
    const auto m = static_cast<std::uint64_t>(std::ldexp(mantissa, 53));
    const int turn = ((exponent - 53) % bits + bits) % bits;
    const std::uint64_t low = turn == 0 ? m : ((m << turn) & prime) | (m >> (bits - turn));
    *this = residue(low);
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
