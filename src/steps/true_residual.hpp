// scale (b - A x) with at least twice the digits of the solve, rounded once to double-double.
#pragma once

#include "blas.hpp"
#include "cascade.hpp"

namespace ddla::steps {

/// The terms of a row of A (scale x) as exact products; scale is a power of two.
template <int K, class T>
struct exact_products {
    using value = cascade<K>;
    double scale;
    template <class V>
    DDLA_HD value operator()(T x, V a) const
    {
        return exact_product<K>(times_power_of_two(x, scale), a);
    }
    DDLA_HD static value none() { return value::zero(); }
};

/// r_i = scale (b_i - (A x)_i), scale a power of two, from exact products and K-fold sums: 159 bits
/// for T = double, 265 for dd_real.  The sum over the row follows the rule; b is added last.
template <class T>
struct true_residual : always {
    static constexpr int words = 2 * words_of<T> + 1;
    using sum = void;
    static constexpr over sweeps = over::rows;
    static constexpr abilities has = {.reads = true, .terms = true};
    vec<const T> operand;
    vec<const T> b;
    exact_products<words, T> terms;
    vec<dd_real> r;

    DDLA_HD vec<const T> reads() const { return b; }
    DDLA_HD void operator()(index_t i, cascade<words> ax, T b_i, no_scalars) const
    {
        cascade<words> rest = ax;
        for (double& w : rest.word) w = -w;
        const T scaled = times_power_of_two(b_i, terms.scale);
        for (int k = words_of<T> - 1; k >= 0; --k) rest.add(number_traits<T>::word(scaled, k));
        r.set(i, rest.rounded());
    }
};

}  // namespace ddla::steps
