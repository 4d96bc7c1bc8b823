// The vector operations and y = alpha A x + beta y, as steps.
#pragma once

#include "ddla/dd_math.hpp"
#include "step.hpp"

namespace ddla::steps {

/// x times a power of two; exact.
template <scalar T>
DDLA_HD T times_power_of_two(const T& x, double power)
{
    return from_words<T>([&](auto k) { return word<k>(x) * power; });
}

/// Leaves the sum of its terms in *result.
template <class T>
struct summing_step : always {
    using sum = sums<T, 1>;
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {.only_reads = true};
    T* result;
    DDLA_HD void finish(const sum& s) const { *result = s.value[0]; }
};

template <class T>
struct dot : summing_step<T> {
    static constexpr abilities has = {.reads = true, .only_reads = true};
    vec<const T> x, y;
    struct element {
        T x, y;
    };
    DDLA_HD auto reads() const { return fields<element>(x, y); }
    DDLA_HD sums<T, 1> operator()(index_t, const element& own, no_scalars) const
    {
        return {own.x * own.y};
    }
};

template <class T>
struct asum : summing_step<T> {
    vec<const T> x;
    DDLA_HD sums<T, 1> operator()(index_t i, no_scalars) const
    {
        using std::abs;
        return {abs(x.get(i))};
    }
};

/// Writes elements; has one scalar operand.
template <class T>
struct scaling_step : always {
    using sum = void;
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {};
    scalar_operand<T> factor;
    DDLA_HD T scalars() const { return factor.get(); }
};

/// z = a x + y; z may be x or y.
template <class T>
struct axpyz : scaling_step<T> {
    vec<const T> x, y;
    vec<T> z;
    DDLA_HD void operator()(index_t i, const T& a) const { z.set(i, a * x.get(i) + y.get(i)); }
};

template <class T>
struct scal : scaling_step<T> {
    vec<T> x;
    DDLA_HD void operator()(index_t i, const T& a) const { x.set(i, a * x.get(i)); }
};

/// z_i = x_i y_i; z may be x or y.
template <class T>
struct multiply : always {
    using sum = void;
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {};
    vec<const T> x, y;
    vec<T> z;
    DDLA_HD void operator()(index_t i, no_scalars) const { z.set(i, x.get(i) * y.get(i)); }
};

/// y = scale x, scale a power of two.
template <class T>
struct scaled_copy : always {
    using sum = void;
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {};
    vec<const T> x;
    double scale;
    vec<T> y;
    DDLA_HD void operator()(index_t i, no_scalars) const
    {
        y.set(i, times_power_of_two(x.get(i), scale));
    }
};

template <class T>
struct copy : always {
    using sum = void;
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {};
    vec<const T> x;
    vec<T> y;
    DDLA_HD void operator()(index_t i, no_scalars) const { y.set(i, x.get(i)); }
};

/// y_i = x_from[i].
template <class T>
struct gather : always {
    using sum = void;
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {};
    vec<const T> x;
    const index_t* from;
    vec<T> y;
    DDLA_HD void operator()(index_t i, no_scalars) const { y.set(i, x.get(from[i])); }
};

/// y_to[i] = x_i.
template <class T>
struct scatter : always {
    using sum = void;
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {};
    vec<const T> x;
    const index_t* to;
    vec<T> y;
    DDLA_HD void operator()(index_t i, no_scalars) const { y.set(to[i], x.get(i)); }
};

template <class T>
struct spmv_scalars {
    T alpha, beta;
    bool plain;
};

/// y = alpha A x + beta y; y is read only if beta != 0.  `plain`: y = alpha A x, where alpha is a
/// power of two, so that nothing is rounded unless it underflows.
template <class T>
struct spmv : always {
    using sum = void;
    static constexpr over sweeps = over::rows;
    static constexpr abilities has = {};
    vec<const T> operand;
    vec<T> y;
    scalar_operand<T> alpha, beta;
    bool plain = false;
    DDLA_HD spmv_scalars<T> scalars() const { return {alpha.get(), beta.get(), plain}; }
    DDLA_HD void operator()(index_t i, T ax, const spmv_scalars<T>& q) const
    {
        if (q.plain) return y.set(i, times_power_of_two(ax, to_double(q.alpha)));
        const T product = q.alpha * ax;
        y.set(i, q.beta == T(0) ? product : product + q.beta * y.get(i));
    }
};

/// y = alpha A x with the bits of spmv, where alpha is known beforehand and y is not read: a row
/// has nothing to look up.
template <class T>
struct scaled_product : always {
    using sum = void;
    static constexpr over sweeps = over::rows;
    static constexpr abilities has = {};
    vec<const T> operand;
    vec<T> y;
    T alpha;
    DDLA_HD void operator()(index_t i, T ax, no_scalars) const { y.set(i, alpha * ax); }
};

/// r = b - A x.
template <class T>
struct residual : always {
    using sum = void;
    static constexpr over sweeps = over::rows;
    static constexpr abilities has = {.reads = true};
    vec<const T> operand;
    vec<const T> b;
    vec<T> r;
    DDLA_HD vec<const T> reads() const { return b; }
    DDLA_HD void operator()(index_t i, T ax, T b_i, no_scalars) const { r.set(i, b_i - ax); }
};

/// The largest |x_i|, by high words.
template <class T>
struct largest_magnitude : always {
    using sum = largest;
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {.only_reads = true};
    vec<const T> x;
    largest* result;
    DDLA_HD largest operator()(index_t i, no_scalars) const { return {std::fabs(x.word(0)[i])}; }
    DDLA_HD void finish(const sum& s) const { *result = s; }
};

/// The first i for which x_i is Inf or NaN; element 0 has the number `from`.
template <class T>
struct first_not_finite : always {
    using sum = first_index;
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {.only_reads = true};
    vec<const T> x;
    first_index* result;
    index_t from = 0;
    DDLA_HD first_index operator()(index_t i, no_scalars) const
    {
        using std::isfinite;
        return {isfinite(x.get(i)) ? first_index::none : from + i};
    }
    DDLA_HD void finish(const sum& s) const { *result = s; }
};

}  // namespace ddla::steps
