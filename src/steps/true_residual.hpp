// scale (b - A x) with at least twice the digits of the solve, rounded once to double-double.
#pragma once

#include "blas.hpp"
#include "cascade.hpp"

namespace ddla::steps {

/// r_i = scale (b_i - (A x)_i), scale a power of two, from exact products and K-fold sums: 159 bits
/// for T = double, 265 for dd_real.  The sum over the row follows the rule; b is added last.
template <class T, class V>
struct true_residual : always {
    static constexpr int words = 2 * words_of<T> + 1;
    using state = no_state;
    using sum = void;
    static constexpr over sweeps = over::elements;
    state* shared;
    csr<V> a;
    vec<const T> x, b;
    double scale;
    vec<dd_real> r;

    DDLA_HD void operator()(index_t i, const state&) const
    {
        running_sum<cascade<words>> ax;
        for (index_t k = a.row_begin[i]; k < a.row_begin[i + 1]; ++k)
            ax.add(exact_product<words>(times_power_of_two(x.get(a.column[k]), scale),
                                        a.value.get(k)));
        cascade<words> rest = ax.sum(cascade<words>::zero());
        for (double& w : rest.word) w = -w;
        if constexpr (words_of<T> == 2) rest.add(b.low[i] * scale);
        rest.add(b.high[i] * scale);
        r.set(i, rest.rounded());
    }
};

}  // namespace ddla::steps
