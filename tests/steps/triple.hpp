// A number of three words: what it takes to add a precision.
//
// Sums and products keep all exact parts, sort them by repeated two_sum and drop what three words
// do not hold.  That is slow, and right to a few units of 2^-159.
#pragma once

#include "ddla/number.hpp"

#include <cmath>

namespace test {

struct triple {
    double word[3];

    triple() = default;
    triple(double high, double middle = 0, double low = 0) : word{high, middle, low} {}
    triple(const ddla::dd_real& x) : word{x.hi, x.lo, 0} {}
    explicit operator double() const { return word[0]; }

    friend bool operator==(const triple&, const triple&) = default;
    friend bool operator<=(const triple& x, const triple& y) { return !((y - x).word[0] < 0); }

    [[gnu::noinline]] friend triple operator+(const triple& x, const triple& y)
    {
        parts<6> all;
        for (int k = 0; k < 3; ++k) all.add(x.word[k]), all.add(y.word[k]);
        return all.rounded();
    }
    friend triple operator-(const triple& x) { return {-x.word[0], -x.word[1], -x.word[2]}; }
    friend triple operator-(const triple& x, const triple& y) { return x + -y; }
    [[gnu::noinline]] friend triple operator*(const triple& x, const triple& y)
    {
        parts<18> all;
        for (int k = 0; k < 3; ++k)
            for (int j = 0; j < 3; ++j) {
                const ddla::exact p = ddla::two_prod(x.word[k], y.word[j]);
                all.add(p.value), all.add(p.error);
            }
        return all.rounded();
    }
    /// A digit of 53 bits at a time.
    [[gnu::noinline]] friend triple operator/(const triple& x, const triple& y)
    {
        triple quotient(0), rest = x;
        for (int k = 0; k < 4; ++k) {
            const triple digit(rest.word[0] / y.word[0]);
            quotient = quotient + digit;
            rest = rest - digit * y;
        }
        return quotient;
    }

private:
    template <int N>
    class parts {
    public:
        void add(double x) { part_[count_++] = x; }
        triple rounded()
        {
            for (int pass = 1; pass < N; ++pass)
                for (int k = N - 1; k > 0; --k) {
                    const ddla::exact s = ddla::two_sum(part_[k - 1], part_[k]);
                    part_[k - 1] = s.value;
                    part_[k] = s.error;
                }
            return {part_[0], part_[1], part_[2]};
        }

    private:
        double part_[N];
        int count_ = 0;
    };
};

inline double to_double(const triple& x)
{
    return x.word[0];
}
inline bool isfinite(const triple& x)
{
    return std::isfinite(x.word[0]);
}
inline triple abs(const triple& x)
{
    return x.word[0] < 0 ? -x : x;
}
/// Two steps of Newton's method.
inline triple sqrt(const triple& x)
{
    triple root(std::sqrt(x.word[0]));
    if (root.word[0] == 0) return root;
    for (int k = 0; k < 2; ++k) root = root + (x - root * root) / (root + root);
    return root;
}

}  // namespace test

template <>
struct ddla::number_traits<test::triple> {
    static constexpr int words = 3;
    static constexpr char name[] = "triple";
    static constexpr char name_in_text[] = "triple-double";
    struct limits {
        static constexpr int digits = 159;
    };
    static double word(const test::triple& x, int k) { return x.word[k]; }
};
