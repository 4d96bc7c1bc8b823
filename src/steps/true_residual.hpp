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
    vec<const T> operand;
    vec<const T> b;
    exact_products<words, T> terms;
    vec<dd_real> r;

    DDLA_HD T own(index_t i) const { return b.get(i); }
    DDLA_HD void operator()(index_t i, cascade<words> ax, T b_i, no_scalars) const
    {
        cascade<words> rest = ax;
        for (double& w : rest.word) w = -w;
        const dd_real scaled = times_power_of_two(dd_real(b_i), terms.scale);
        if constexpr (words_of<T> == 2) rest.add(scaled.lo);
        rest.add(scaled.hi);
        r.set(i, rest.rounded());
    }
};

}  // namespace ddla::steps
