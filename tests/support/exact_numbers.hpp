// Exact arithmetic over GMP integers: sums and products of doubles without any rounding.
//
// A finite double is an integer times a power of two, at least 2^-1074.  So are sums and products
// of them, with a larger integer.  Shares no code with ddla's arithmetic.
#pragma once

#include "ddla/dd_real.hpp"
#include "ddla/views.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <gmpxx.h>
#include <vector>

namespace test {

/// A finite double: integer 2^exponent, |integer| < 2^53, exponent >= -1074.
struct integer_and_exponent {
    std::int64_t integer;
    int exponent;
};

inline integer_and_exponent parts_of(double x)
{
    constexpr std::uint64_t hidden = std::uint64_t(1) << 52;
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const int biased = static_cast<int>(bits >> 52 & 0x7ff);
    const auto fraction = static_cast<std::int64_t>((bits & (hidden - 1)) + (biased ? hidden : 0));
    return {bits >> 63 ? -fraction : fraction, (biased ? biased : 1) - 1075};
}

/// integer 2^exponent, of any size.
class exact_number {
public:
    exact_number() = default;
    exact_number(double x) : integer_(0), exponent_(parts_of(x).exponent)
    {
        integer_ = static_cast<long>(parts_of(x).integer);
    }
    exact_number(ddla::dd_real x) { *this = exact_number(x.hi) + exact_number(x.lo); }
    exact_number(mpz_class integer, long exponent)
        : integer_(std::move(integer)), exponent_(exponent)
    {
    }
    static exact_number power_of_two(long exponent) { return {1, exponent}; }

    friend exact_number operator+(const exact_number& a, const exact_number& b)
    {
        if (a.sign() == 0) return b;
        if (b.sign() == 0) return a;
        if (a.exponent_ > b.exponent_) return b + a;
        return {a.integer_ + (b.integer_ << shift(b.exponent_ - a.exponent_)), a.exponent_};
    }
    friend exact_number operator-(const exact_number& a) { return {-a.integer_, a.exponent_}; }
    friend exact_number operator-(const exact_number& a, const exact_number& b) { return a + -b; }
    friend exact_number operator*(const exact_number& a, const exact_number& b)
    {
        return {a.integer_ * b.integer_, a.exponent_ + b.exponent_};
    }
    friend exact_number abs(const exact_number& a) { return {abs(a.integer_), a.exponent_}; }
    int sign() const { return sgn(integer_); }
    friend bool operator<=(const exact_number& a, const exact_number& b)
    {
        return (a - b).sign() <= 0;
    }

    mpq_class rational() const
    {
        const mpq_class scale(mpz_class(1) << shift(std::labs(exponent_)));
        return exponent_ < 0 ? mpq_class(integer_ / scale) : mpq_class(integer_ * scale);
    }
    /// The next double towards zero, for tables and to choose operands.
    double towards_zero() const
    {
        long exponent;
        const double fraction = mpz_get_d_2exp(&exponent, integer_.get_mpz_t());
        return std::ldexp(fraction, static_cast<int>(exponent + exponent_));
    }
    /// |a| / |b| to about 15 digits; 0 for 0 / 0, Inf for a / 0.
    friend double ratio(const exact_number& a, const exact_number& b)
    {
        if (a.sign() == 0) return 0;
        if (b.sign() == 0) return HUGE_VAL;
        long of_a, of_b;
        const double x = mpz_get_d_2exp(&of_a, a.integer_.get_mpz_t());
        const double y = mpz_get_d_2exp(&of_b, b.integer_.get_mpz_t());
        const long exponent = of_a + a.exponent_ - of_b - b.exponent_;
        return std::ldexp(std::fabs(x / y), static_cast<int>(exponent));
    }

private:
    static mp_bitcnt_t shift(long by) { return static_cast<mp_bitcnt_t>(by); }

    mpz_class integer_ = 0;
    long exponent_ = 0;
};

/// The nearest T but for its last bit: a double, or one and what is left.
template <class T>
T close_to(const exact_number& x)
{
    const double high = x.towards_zero();
    if constexpr (std::is_same_v<T, double>) {
        return high;
    } else {
        const double low = (x - exact_number(high)).towards_zero();
        return {high + low, low - ((high + low) - high)};
    }
}

inline double magnitude(double x)
{
    return std::fabs(x);
}
inline ddla::dd_real magnitude(ddla::dd_real x)
{
    return std::signbit(x.hi) ? ddla::dd_real{-x.hi, -x.lo} : x;
}

/// Sums up to 2^31 products exactly: the integers of products are added by their exponents, each in
/// pieces of 32 bits, and put together at the end.  10^7 products take about 0.2 s.
class exact_sum {
public:
    exact_sum() : piece_(exponents * pieces) {}

    template <class X, class Y>
    void add_product(const X& x, const Y& y)
    {
        ddla::each_word(x, [&](auto, double v) {
            ddla::each_word(y, [&](auto, double w) { add_words(v, w); });
        });
    }
    template <class X>
    void add(const X& x)
    {
        add_product(x, 1.0);
    }
    exact_number value() const
    {
        mpz_class sum = 0;
        for (int e = exponents - 1; e >= 0; --e) {
            sum <<= 1;
            for (int k = 0; k < pieces; ++k)
                if (const std::int64_t p = piece_[index(e) + static_cast<std::size_t>(k)])
                    sum += mpz_class(static_cast<long>(p)) << static_cast<mp_bitcnt_t>(32 * k);
        }
        return {sum, least};
    }

private:
    static constexpr int least = -2148;  ///< the exponent of the smallest product
    static constexpr int exponents = 2 * 971 - least + 1;
    static constexpr int pieces = 4;

    static std::size_t index(int e) { return static_cast<std::size_t>(e * pieces); }

    void add_words(double x, double y)
    {
        const auto a = parts_of(x), b = parts_of(y);
        const bool negative = (a.integer < 0) != (b.integer < 0);
        auto product = static_cast<unsigned __int128>(std::abs(a.integer)) *
                       static_cast<unsigned __int128>(std::abs(b.integer));
        std::int64_t* const to = piece_.data() + index(a.exponent + b.exponent - least);
        for (int k = 0; k < pieces; ++k, product >>= 32) {
            const auto part = static_cast<std::int64_t>(product & 0xffffffff);
            to[k] += negative ? -part : part;
        }
    }

    std::vector<std::int64_t> piece_;
};

}  // namespace test
