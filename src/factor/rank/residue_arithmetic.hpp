// Whole numbers modulo residue_prime, one at a time.
#pragma once

#include "factor/supernodal/kernels/kernels.hpp"

#include <cstdint>

namespace ddla::factor {

/// From 0 to residue_prime - 1.
class residue_arithmetic {
    static constexpr std::uint64_t p = residue_prime, below = (std::uint64_t{1} << 50) - p,
                                   mask = (std::uint64_t{1} << 50) - 1;

public:
    using number = std::uint64_t;

    static number of(std::int64_t x)
    {
        const std::int64_t r = x % residue_prime;
        return static_cast<number>(r < 0 ? r + residue_prime : r);
    }
    /// As kernels keep them.
    static number of(double x) { return of(static_cast<std::int64_t>(x)); }
    /// … and take them: of magnitude p / 2 at most.
    static double balanced(number a)
    {
        return static_cast<double>(2 * a > p ? static_cast<std::int64_t>(a) - residue_prime
                                             : static_cast<std::int64_t>(a));
    }
    /// 2^50 is `below`: once for the upper half, and once for what that carries.
    static number times(number a, number b)
    {
        const auto all = static_cast<unsigned __int128>(a) * b;
        const std::uint64_t once = static_cast<std::uint64_t>(all >> 50) * below +
                                   (static_cast<std::uint64_t>(all) & mask);
        const std::uint64_t twice = (once >> 50) * below + (once & mask);
        return twice >= p ? twice - p : twice;
    }
    static number minus(number a, number b) { return a >= b ? a - b : a + p - b; }
    static number plus(number a, number b) { return minus(a, minus(0, b)); }
    static number inverse(number a) { return of(inverse_residue(static_cast<std::int64_t>(a))); }
};

}  // namespace ddla::factor
