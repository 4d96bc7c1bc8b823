// Quotients by the inverse of a pivot, as solves at a device have them: those of a division.
#include "catch.hpp"

#include "factor/supernodal/kernels/pairs.hpp"

#include "ddla/dd_real.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

namespace {

using ddla::dd_real;
using ddla::factor::pair;
using ddla::factor::pivot_divisor;

/// Both, or both not a number.
bool same(double a, double b)
{
    return std::memcmp(&a, &b, sizeof a) == 0 || (std::isnan(a) && std::isnan(b));
}

/// Of several kinds: about 1, of any exponent, near a power of two, of few bits.
double number(std::mt19937_64& random, unsigned kind)
{
    const std::uint64_t bits = random(), mantissa = bits >> 12;
    const double sign = (bits & 1) != 0 ? -1 : 1;
    const auto with = [&](std::uint64_t m) { return 1 + static_cast<double>(m) * 0x1p-52; };
    switch (kind % 4) {
    case 0:
        return sign * std::ldexp(with(mantissa), static_cast<int>(random() % 120) - 60);
    case 1:
        return sign * std::ldexp(with(mantissa), static_cast<int>(random() % 2098) - 1074);
    case 2:
        return sign * ((bits & 2) != 0 ? with(mantissa % 64) : 2 - with(mantissa % 64) * 0x1p-52);
    default:
        return sign * with((mantissa % 4096) << 40);
    }
}

}  // namespace

TEST_CASE("quotients by an inverse are those of a division", "[factor][quotients]")
{
    std::mt19937_64 random(5);
    long wrong = 0;
    for (unsigned k = 0; k < 4'000'000; ++k) {
        const double a = number(random, k), b = number(random, k / 4);
        wrong += same(pivot_divisor<double>(b).quotient(a), a / b) ? 0 : 1;
    }
    CHECK(wrong == 0);
}

TEST_CASE("quotients of zeros, and of what is not moderate, are those of a division",
          "[factor][quotients]")
{
    using limits = std::numeric_limits<double>;
    for (const double a : {0.0, 1.0, limits::denorm_min(), limits::min(), limits::max(),
                           limits::infinity(), limits::quiet_NaN(), 0x1p-800, 0x1p-799, 0x1p800})
        for (const double b : {0.0, 1.0, 3.0, limits::denorm_min(), limits::min(), limits::max(),
                               limits::infinity(), 0x1.8p-150, 0x1.8p-149, 0x1.8p150})
            for (const double s : {1.0, -1.0}) {
                CAPTURE(a, b, s);
                CHECK(same(pivot_divisor<double>(b).quotient(s * a), s * a / b));
                CHECK(same(pivot_divisor<double>(-b).quotient(s * a), s * a / -b));
            }
}

TEST_CASE("double-double quotients by an inverse are those of dd_real", "[factor][quotients]")
{
    std::mt19937_64 random(6);
    long wrong = 0;
    const auto whole = [&](double high) {
        const double part = static_cast<double>(random() >> 11) * 0x1p-53 - 0.5;
        return dd_real(high) + dd_real(high * part * 0x1p-52);
    };
    for (unsigned k = 0; k < 1'000'000; ++k) {
        const unsigned kinds[] = {0, 2, 3};  // of any exponent the low words could be lost
        const dd_real a = whole(number(random, kinds[k % 3])),
                      b = whole(number(random, kinds[k / 3 % 3])), q = a / b;
        const pair<double> by{b.hi, b.lo}, of{a.hi, a.lo},
            found = pivot_divisor<pair<double>>(by).quotient(of);
        wrong += same(found.hi, q.hi) && same(found.lo, q.lo) ? 0 : 1;
    }
    CHECK(wrong == 0);
}

TEST_CASE("double-double quotients of zeros, and of what is not moderate, are those of dd_real",
          "[factor][quotients]")
{
    long wrong = 0, compared = 0;
    for (const double high : {0.0, 1.0, 0x1.123456789abcdp-1018, 0x1.4p-801, 0x1.8p790, 0x1.8p1000})
        for (const double low : {0.0, 0x1p-54, -0x1.1p-60})
            for (const double by :
                 {1.0, 0x1.3456789abcdefp1, 0x1.8p-1060, 0x1.8p-151, 0x1.8p148, 0x1.8p1022})
                for (const double sign : {1.0, -1.0}) {
                    const dd_real a(sign * high, sign * high * low), b(by, by * 0x1p-55), q = a / b;
                    const pair<double> found =
                        pivot_divisor<pair<double>>({b.hi, b.lo}).quotient({a.hi, a.lo});
                    wrong += same(found.hi, q.hi) && same(found.lo, q.lo) ? 0 : 1;
                    ++compared;
                }
    CHECK(compared == 216);
    CHECK(wrong == 0);
}
