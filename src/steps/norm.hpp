// The 2-norm, without intermediate overflow or underflow.
#pragma once

#include "blas.hpp"

#include <cmath>

namespace ddla::steps {

/// The power of two that brings `magnitude` (finite, > 0) into [1, 2).
DDLA_HD inline double scale_to_one(double magnitude)
{
    int exponent;
    std::frexp(magnitude, &exponent);
    // 2^1023 and 2^-1022 are the outermost powers whose reciprocals are normal, too.
    const int wanted = 1 - exponent;
    return std::ldexp(1.0, wanted > 1022 ? 1022 : wanted < -1022 ? -1022 : wanted);
}

/// Whether a sum of squares lost nothing to overflow or underflow: the low words of its terms,
/// 2^-106 of the sum and below, are still far above 2^-1074.
DDLA_HD inline bool is_safe_square(double s)
{
    return s > 0x1p-700 && s < 0x1p+900;
}

/// What the steps of a norm share.
struct norm_state {
    double scale;  ///< of x in the sum of squares; 0: the norm is known
};

template <class T, class Sum>
struct norm_step {
    using sum = Sum;
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {.only_reads = true, .rare = true};
    vec<const T> x;
    T* result;
    norm_state* shared;
    DDLA_HD static bool stopped(norm_state q) { return q.scale == 0; }
};

/// The norm from the plain sum of squares, where that is safe.
template <class T>
struct plain_norm : always {
    using sum = sums<T, 1>;
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {.only_reads = true};
    vec<const T> x;
    T* result;
    norm_state* next;
    DDLA_HD sum operator()(index_t i, no_scalars) const
    {
        const T s = x.get(i);
        return {s * s};
    }
    DDLA_HD void finish(const sum& s) const
    {
        using std::sqrt;
        const T plain = s.value[0];
        const bool safe = is_safe_square(static_cast<double>(plain));
        if (safe) *result = sqrt(plain);
        *next = {safe ? 0.0 : 1.0};
    }
};

/// A scale for x; the norm is known if there is nothing to scale.
template <class T>
struct norm_scale : norm_step<T, largest> {
    DDLA_HD largest operator()(index_t i, norm_state) const
    {
        return {std::fabs(this->x.word(0)[i])};
    }
    DDLA_HD void finish(largest most, norm_state& q) const
    {
        using std::isfinite;
        const double m = most.value;
        q.scale = m == 0 || !isfinite(m) ? 0.0 : scale_to_one(m);
        if (q.scale == 0) *this->result = T(m);
    }
};

template <class T>
struct scaled_norm : norm_step<T, sums<T, 1>> {
    DDLA_HD sums<T, 1> operator()(index_t i, norm_state q) const
    {
        const T s = times_power_of_two(this->x.get(i), q.scale);
        return {s * s};
    }
    DDLA_HD void finish(const sums<T, 1>& s, norm_state& q) const
    {
        using std::sqrt;
        *this->result = times_power_of_two(sqrt(s.value[0]), 1 / q.scale);
    }
};

/// *result = ||x||.  One pass; two more if the sum of squares leaves the safe range.  Multiplying
/// by a power of two is exact, so both ways give the same bits where both work.  The step that has
/// the sum decides, where the data is, so the host does not wait.
template <class Backend, class T>
void nrm2(Backend& backend, vec<const T> x, T* result, norm_state* shared)
{
    backend.run(plain_norm<T>{{}, x, result, shared}, x.size);
    backend.run(norm_scale<T>{{x, result, shared}}, x.size);
    backend.run(scaled_norm<T>{{x, result, shared}}, x.size);
}

}  // namespace ddla::steps
