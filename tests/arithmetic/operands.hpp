// Operands that are hard on double-double arithmetic, and the comparison of bits.
#pragma once

#include <ddla/dd_real.hpp>

#include <cstdint>
#include <cstring>

namespace ddla::test {

DDLA_HD inline std::uint64_t bits(double x)
{
    std::uint64_t b;
    std::memcpy(&b, &x, sizeof b);
    return b;
}

/// Equal bits; all NaNs count as one.
DDLA_HD inline bool same(double x, double y)
{
    return bits(x) == bits(y) || (x != x && y != y);
}
DDLA_HD inline bool same(dd_real x, dd_real y)
{
    return same(x.hi, y.hi) && same(x.lo, y.lo);
}

/// How many random operands a test takes.  With sanitizers a tenth: they look at the code that
/// runs, whose results the plain build checks with all of them.
constexpr int samples(int n)
{
#if defined(__SANITIZE_ADDRESS__)
    return n / 10;
#else
    return n;
#endif
}

struct operand_pair {
    dd_real x, y;
};

/// An endless sequence of pairs that goes through the kinds below in turn; the same for one seed on
/// every machine, host or device: no two random numbers are asked for in one expression, whose
/// order a compiler may choose.  All operands are non-overlapping: hi = hi + lo rounded.
class operand_source {
public:
    static constexpr int kinds = 12;

    /// Seeds that follow on one another have the same random numbers, shifted by one; for many
    /// sources there is part().
    DDLA_HD explicit operand_source(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 1) {}

    /// Source number k of a seed: somewhere in the 2^64 random numbers.
    DDLA_HD static operand_source part(std::uint64_t seed, std::uint64_t k)
    {
        return operand_source(mixed(mixed(seed) + k));
    }

    DDLA_HD operand_pair next()
    {
        kind_ = (kind_ + 1) % kinds;
        switch (kind_) {
        case 0:
            return {number(uniform(-100, 100)), number(uniform(-100, 100))};
        case 1:
            return gap(uniform(0, 120));
        case 2:
            return cancel_low_word();
        case 3:
            return cancel_neighbours();
        case 4:
            return {tie(uniform(-60, 60)), tie(uniform(-60, 60))};
        case 5:
            return {number(uniform(-60, 60)), word(uniform(-60, 60))};
        case 6:
            return {word(uniform(-60, 60)), number(uniform(-60, 60))};
        case 7:
            return {number(uniform(700, 1020)), number(uniform(-1000, 1020))};
        case 8:
            return {number(uniform(-1022, -700)), number(uniform(-1022, 1020))};
        case 9:
            return {sparse(uniform(-60, 60)), sparse(uniform(-60, 60))};
        case 10:
            return {near_integer(), near_integer()};
        default:
            return {tie(0), number(uniform(-3, 3))};
        }
    }

    DDLA_HD std::uint64_t random()  // splitmix64
    {
        return mixed(state_ += 0x9e3779b97f4a7c15u);
    }
    /// Its output function, one to one.
    DDLA_HD static std::uint64_t mixed(std::uint64_t z)
    {
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }

private:
    DDLA_HD int uniform(int from, int to)
    {
        return from + static_cast<int>((random() >> 32) % static_cast<unsigned>(to - from + 1));
    }
    DDLA_HD static double power(int exponent)  // of two, in the normal range
    {
        const std::uint64_t b = static_cast<std::uint64_t>(exponent + 1023) << 52;
        double x;
        std::memcpy(&x, &b, sizeof x);
        return x;
    }
    DDLA_HD double sign() { return (random() >> 63) != 0 ? -1.0 : 1.0; }
    /// +-1.f 2^exponent with 52 random bits; one in eight has all of them set, one in eight none.
    DDLA_HD double word(int exponent)
    {
        const std::uint64_t r = random();
        const std::uint64_t mask = (1ull << 52) - 1;
        const int style = static_cast<int>(r >> 61);
        const std::uint64_t fraction = style == 0 ? mask : style == 1 ? 0 : r & mask;
        const std::uint64_t b = static_cast<std::uint64_t>(exponent + 1023) << 52 | fraction;
        double x;
        std::memcpy(&x, &b, sizeof x);
        return x * sign();
    }
    DDLA_HD static dd_real normal(double hi, double lo)
    {
        const exact s = two_sum(hi, lo);
        return {s.value, s.error};
    }
    /// The low word up to half an ulp of the high one, or some bits further down.
    DDLA_HD dd_real number(int exponent)
    {
        const double hi = word(exponent);
        const int low = exponent - 54 - (uniform(0, 3) == 0 ? uniform(0, 60) : 0);
        if (low < -1022) return normal(hi, 0x1p-1074 * uniform(-1000, 1000));
        return normal(hi, word(low));
    }
    DDLA_HD operand_pair gap(int distance)
    {
        const int exponent = uniform(-60, 60);
        return {number(exponent), number(exponent - distance)};
    }
    /// High words cancel; low words may, too, up to their last bits.
    DDLA_HD operand_pair cancel_low_word()
    {
        const dd_real x = number(uniform(-60, 60));
        const double lo = uniform(0, 1) == 0 ? x.lo * (1 + 0x1p-52 * uniform(0, 3)) : word(-120);
        return {x, normal(-x.hi, -lo)};
    }
    /// High words differ in their last bits.
    DDLA_HD operand_pair cancel_neighbours()
    {
        const int exponent = uniform(-60, 60);
        const dd_real x = number(exponent);
        const double ulp = power(exponent - 52);
        const double hi = -x.hi + ulp * uniform(-2, 2);
        const double lo = word(exponent - 54);
        return {x, normal(hi, lo * uniform(0, 1))};
    }
    /// Few bits, and a low word of exactly half or a quarter of an ulp.
    DDLA_HD dd_real tie(int exponent)
    {
        double hi = (1 + 2.0 * uniform(0, 31) / 64) * power(exponent);
        hi += power(exponent - 52) * 2 * uniform(0, 3);
        hi *= sign();
        const double lo = power(exponent - 53 - uniform(0, 1));
        return normal(hi, lo * sign());
    }
    /// One to four set bits anywhere.
    DDLA_HD dd_real sparse(int exponent)
    {
        double hi = power(exponent);
        if (uniform(0, 1) == 0) hi += power(exponent - uniform(1, 52));
        hi *= sign();
        double lo = power(exponent - uniform(54, 106));
        lo *= uniform(-1, 1);
        const double lower = power(exponent - uniform(107, 160));
        return normal(hi, lo + lower * uniform(-1, 1));
    }
    /// Near integers and halves of integers, small and up to 2^106.
    DDLA_HD dd_real near_integer()
    {
        const std::uint64_t r = random();
        double hi = static_cast<double>(r >> uniform(1, 63)) * 0.5;
        hi *= sign();
        if (uniform(0, 1) != 0) hi *= power(uniform(0, 43));
        const int many = uniform(-3, 3);
        const double lo = many * (uniform(0, 1) == 0 ? 0.5 : power(-uniform(20, 100)));
        return normal(hi, lo);
    }

    std::uint64_t state_;
    int kind_ = kinds - 1;
};

/// Words of which every pair is an operand with an unusual word: zeros, Inf, NaN, ends of the
/// range.
inline constexpr double special_words[] = {0.0,
                                           -0.0,
                                           1.0,
                                           -1.0,
                                           0.5,
                                           2.5,
                                           -3.0,
                                           0x1p-1074,
                                           -0x1p-1074,
                                           0x1p-1022,
                                           0x0.fffffffffffffp-1022,
                                           0x1p-969,
                                           0x1p-500,
                                           0x1p52,
                                           0x1p53,
                                           0x1.fffffffffffffp511,
                                           0x1p512,
                                           0x1p996,
                                           -0x1p1000,
                                           0x1.fffffffffffffp1023,
                                           -0x1.fffffffffffffp1023,
                                           __builtin_huge_val(),
                                           -__builtin_huge_val(),
                                           __builtin_nan("")};

}  // namespace ddla::test
