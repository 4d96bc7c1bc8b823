// Vectors of every kind of number that a double holds: the same on every machine.
#pragma once

#include "random.hpp"

#include "ddla/dd_math.hpp"

#include <limits>
#include <string>

namespace test {

enum class operand {
    ordinary,    ///< magnitudes from 2^-8 to 2^8
    wide,        ///< from 2^-300 to 2^300
    huge,        ///< near 2^1000: squares overflow
    tiny,        ///< near 2^-1000: squares vanish
    subnormal,   ///< near 2^-1040
    zeros,       ///< +0 and -0
    infinite,    ///< ordinary but for one -Inf
    not_finite,  ///< ordinary but for one +Inf and one NaN
};

inline constexpr operand all_operands[] = {operand::ordinary, operand::wide,      operand::huge,
                                           operand::tiny,     operand::subnormal, operand::zeros,
                                           operand::infinite, operand::not_finite};

inline std::string name_of(operand kind)
{
    constexpr const char* names[] = {"ordinary",  "wide",  "huge",     "tiny",
                                     "subnormal", "zeros", "infinite", "not_finite"};
    return names[static_cast<int>(kind)];
}

/// 2^exponent x.
template <class T>
ddla::vector<T> scaled(const ddla::vector<T>& x, int exponent)
{
    using ddla::ldexp;
    using std::ldexp;
    ddla::vector<T> y(x.size());
    for (ddla::index_t i = 0; i < x.size(); ++i) y.set(i, ldexp(x[i], exponent));
    return y;
}

template <class T>
ddla::vector<T> zeros_of_both_signs(ddla::index_t n, std::uint64_t seed)
{
    random_numbers random(seed);
    ddla::vector<T> x(n);
    for (ddla::index_t i = 0; i < n; ++i) x.set(i, T(random.below(3) ? -0.0 : 0.0));
    return x;
}

template <class T>
ddla::vector<T> operands(operand kind, ddla::index_t n, std::uint64_t seed)
{
    const double inf = std::numeric_limits<double>::infinity();
    const auto with = [&](double first, double second) {
        auto x = random_vector<T>(n, seed);
        random_numbers random(seed + 1000);
        if (n > 0) x.set(random.below(n), T(first));
        if (n > 0) x.set(random.below(n), T(second));
        return x;
    };
    switch (kind) {
    case operand::ordinary:
        break;
    case operand::wide:
        return random_vector<T>(n, seed, 300);
    case operand::huge:
        return scaled(random_vector<T>(n, seed, 4), 1000);
    case operand::tiny:
        return scaled(random_vector<T>(n, seed, 4), -1000);
    case operand::subnormal:
        return scaled(random_vector<T>(n, seed, 4), -1040);
    case operand::zeros:
        return zeros_of_both_signs<T>(n, seed);
    case operand::infinite:
        return with(-inf, -inf);
    case operand::not_finite:
        return with(inf, std::numeric_limits<double>::quiet_NaN());
    }
    return random_vector<T>(n, seed);
}

}  // namespace test
