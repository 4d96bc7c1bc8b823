// Whole numbers modulo a prime near 2^50, one at a time.
#pragma once

#include "factor/supernodal/kernels/kernels.hpp"

#include "ddla/dd_real.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

namespace ddla::factor {

/// From 0 to Prime - 1.
template <std::int64_t Prime>
class residue_arithmetic {
    static constexpr std::uint64_t p = Prime, below = (std::uint64_t{1} << 50) - p,
                                   mask = (std::uint64_t{1} << 50) - 1;

public:
    using number = std::uint64_t;

    static number of(std::int64_t x)
    {
        const std::int64_t r = x % Prime;
        return static_cast<number>(r < 0 ? r + Prime : r);
    }
    /// Of any finite number: m 2^e is a product.
    static number of(double x)
    {
        int exponent;
        const double mantissa = std::frexp(x, &exponent);
        return times(of(static_cast<std::int64_t>(std::ldexp(mantissa, 53))),
                     power_of_two(exponent - 53));
    }
    static number of(const dd_real& x) { return plus(of(x.hi), of(x.lo)); }
    /// Of a whole number below 2^53, as kernels keep them …
    static number of_kept(double x) { return of(static_cast<std::int64_t>(x)); }
    /// … and take them: of magnitude p / 2 at most.
    static double balanced(number a)
    {
        return static_cast<double>(2 * a > p ? static_cast<std::int64_t>(a) - Prime
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
    static number inverse(number a)
    {
        return of(inverse_residue<Prime>(static_cast<std::int64_t>(a)));
    }

private:
    /// 2^e for the exponents of doubles, of whole numbers times 2^e.
    static number power_of_two(int e)
    {
        constexpr int least = -1126, most = 971;
        static const std::vector<number> powers = [] {
            std::vector<number> all(most - least + 1, 1);
            const number half = inverse(2);
            number* const one = all.data() - least;
            for (int k = 1; k <= most; ++k) one[k] = times(one[k - 1], 2);
            for (int k = -1; k >= least; --k) one[k] = times(one[k + 1], half);
            return all;
        }();
        return powers[static_cast<std::size_t>(e - least)];
    }
};

}  // namespace ddla::factor
