// Operands of ASUM, NRM2 and AXPY over the whole range of double, with what is expected.
#pragma once

#include "operands.hpp"
#include "sum_bounds.hpp"

#include <vector>

namespace test {

/// Exponents from the subnormals to near overflow of a sum of n numbers below 2^e.
inline std::vector<int> exponents_of_sums(ddla::index_t n)
{
    const int top = 1023 - std::bit_width(static_cast<std::uint64_t>(n));
    return {-1074, -1073, -1060, -1022, -1021, -1000, -969, -968, -800, -540, -512, -486,
            -400,  -351,  -300,  0,     300,   449,   512,  600,  900,  1000, top};
}

/// The exponent of n numbers whose norm is near overflow.
inline int exponent_of_large_norm(ddla::index_t n)
{
    return 1023 - std::bit_width(static_cast<std::uint64_t>(n)) / 2;
}

template <class T>
struct exact_norms {
    bounded asum;
    exact_number squares;  ///< their sum
};

template <class T>
exact_norms<T> exact_norms_of(const ddla::vector<T>& x)
{
    exact_sum magnitudes, squares;
    for (ddla::index_t i = 0; i < x.size(); ++i) {
        magnitudes.add(magnitude(T(x[i])));
        squares.add_product(T(x[i]), T(x[i]));
    }
    const exact_number sum = magnitudes.value();
    return {bounded_sum<T>(x.size(), sum, sum), squares.value()};
}

template <class T>
struct axpy_operands {
    T a;
    ddla::vector<T> x, y;
    std::vector<bounded> expected;
};

/// a, x and y below 2^of_a, 2^of_x and 2^of_y, but half of y, which cancels a x.
template <class T>
axpy_operands<T> axpy_operands_of(int of_a, int of_x, int of_y, ddla::index_t n)
{
    axpy_operands<T> all{scaled(random_vector<T>(1, 32, 0), of_a)[0],
                         scaled(random_vector<T>(n, 31, 0), of_x),
                         scaled(random_vector<T>(n, 33, 0), of_y),
                         {}};
    for (ddla::index_t i = 0; i < n; ++i) {
        const T x = all.x[i];
        if (i % 2 == 0) all.y.set(i, close_to<T>(-(exact_number(all.a) * exact_number(x))));
        all.expected.push_back(added<T>(multiplied<T>(all.a, given(x)), given(T(all.y[i]))));
    }
    return all;
}

/// f(of_a, of_x, of_y) for exponents of every size where a x does not overflow.
template <class F>
void for_exponents_of_axpy(const F& f)
{
    for (const int of_a : {-1074, -1040, -1000, -500, -60, 0, 60, 500, 1000, 1022})
        for (const int of_x : {-1074, -1040, -1000, -522, -500, -60, 0, 60, 500, 522, 1000, 1022})
            for (const int of_y : {-1074, -1022, -1000, -60, 0, 500, 1022})
                if (of_a + of_x <= 1022) f(of_a, of_x, of_y);
}

}  // namespace test
