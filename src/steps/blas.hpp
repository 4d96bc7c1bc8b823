// The vector operations and y = alpha A x + beta y, as steps.
#pragma once

#include "ddla/dd_math.hpp"
#include "step.hpp"

namespace ddla::steps {

/// x times a power of two; exact.
DDLA_HD inline double times_power_of_two(double x, double power)
{
    return x * power;
}
DDLA_HD inline dd_real times_power_of_two(dd_real x, double power)
{
    return {x.hi * power, x.lo * power};
}

/// What the operations share: a scalar in, or a sum out.
template <class T>
struct blas_step : always {
    using state = T;
    using sum = void;
    static constexpr over sweeps = over::elements;
    T* shared;
};

/// Leaves the sum of `K = 1` terms in *shared.
template <class T>
struct summing_step : blas_step<T> {
    using sum = sums<T, 1>;
    DDLA_HD void finish(const sum& s, T& result) const { result = s.value[0]; }
};

template <class T>
struct dot : summing_step<T> {
    vec<const T> x, y;
    DDLA_HD sums<T, 1> operator()(index_t i, const T&) const { return {x.get(i) * y.get(i)}; }
};

template <class T>
struct sum_of_squares : summing_step<T> {
    vec<const T> x;
    double scale;  ///< a power of two
    DDLA_HD sums<T, 1> operator()(index_t i, const T&) const
    {
        const T s = times_power_of_two(x.get(i), scale);
        return {s * s};
    }
};

template <class T>
struct asum : summing_step<T> {
    vec<const T> x;
    DDLA_HD sums<T, 1> operator()(index_t i, const T&) const
    {
        using std::abs;
        return {abs(x.get(i))};
    }
};

/// z = a x + y; z may be x or y.
template <class T>
struct axpyz : blas_step<T> {
    vec<const T> x, y;
    vec<T> z;
    DDLA_HD void operator()(index_t i, const T& a) const { z.set(i, a * x.get(i) + y.get(i)); }
};

template <class T>
struct scal : blas_step<T> {
    vec<T> x;
    DDLA_HD void operator()(index_t i, const T& a) const { x.set(i, a * x.get(i)); }
};

template <class T>
struct copy : blas_step<T> {
    vec<const T> x;
    vec<T> y;
    DDLA_HD void operator()(index_t i, const T&) const { y.set(i, x.get(i)); }
};

/// y = scale x, scale a power of two.
template <class T>
struct scaled_copy : always {
    using state = no_state;
    using sum = void;
    static constexpr over sweeps = over::elements;
    state* shared;
    vec<const T> x;
    double scale;
    vec<T> y;
    DDLA_HD void operator()(index_t i, const state&) const
    {
        y.set(i, times_power_of_two(x.get(i), scale));
    }
};

template <class T>
struct spmv_scalars {
    T alpha, beta;
};

/// y = alpha A x + beta y; y is read only if beta != 0.
template <class T>
struct spmv : always {
    using state = spmv_scalars<T>;
    using sum = void;
    static constexpr over sweeps = over::rows;
    state* shared;
    vec<const T> operand;
    vec<T> y;
    DDLA_HD void operator()(index_t i, T ax, const state& q) const
    {
        const T product = q.alpha * ax;
        y.set(i, q.beta == T(0) ? product : product + q.beta * y.get(i));
    }
};

/// r = b - A x.
template <class T>
struct residual : always {
    using state = no_state;
    using sum = void;
    static constexpr over sweeps = over::rows;
    state* shared;
    vec<const T> operand;
    vec<const T> b;
    vec<T> r;
    DDLA_HD void operator()(index_t i, T ax, const state&) const { r.set(i, b.get(i) - ax); }
};

/// The largest |x_i|, by high words.
template <class T>
struct largest_magnitude : always {
    using state = largest;
    using sum = largest;
    static constexpr over sweeps = over::elements;
    state* shared;
    vec<const T> x;
    DDLA_HD largest operator()(index_t i, const state&) const { return {std::fabs(x.high[i])}; }
    DDLA_HD void finish(const sum& s, state& result) const { result = s; }
};

/// The first i for which x_i is Inf or NaN.
template <class T>
struct first_not_finite : always {
    using state = first_index;
    using sum = first_index;
    static constexpr over sweeps = over::elements;
    state* shared;
    vec<const T> x;
    DDLA_HD first_index operator()(index_t i, const state&) const
    {
        using std::isfinite;
        return {isfinite(x.get(i)) ? first_index::none : i};
    }
    DDLA_HD void finish(const sum& s, state& result) const { result = s; }
};

}  // namespace ddla::steps
