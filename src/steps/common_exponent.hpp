// A power of two for a right-hand side, so that solves with it do not overflow.
#pragma once

#include "step.hpp"
#include "words.hpp"

namespace ddla::steps {

/// The largest of some exponents.  As a "sum" its order cannot matter.
struct largest_exponent {
    static constexpr index_t none = INT64_MIN;
    index_t value = none;
    DDLA_HD friend largest_exponent operator+(largest_exponent a, largest_exponent b)
    {
        return a.value >= b.value ? a : b;
    }
    /// 0 if there was none.
    DDLA_HD int or_zero() const { return value == none ? 0 : static_cast<int>(value); }
};

/// That of 2^exponent |b|, by the high word; none for zero, Inf and NaN.
template <scalar T>
DDLA_HD largest_exponent exponent_of_scaled(const T& b, int exponent)
{
    const double high = word<0>(b);
    if (high == 0 || exponent_field(high) == 0x7ff) return {};
    return {exponent_of(high) + exponent};
}

/// The exponent that makes the largest 2^exponent[i] |b_i| about 1.
template <class T>
struct common_exponent : always {
    using sum = largest_exponent;
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {.only_reads = true};
    vec<const T> b;
    const int* exponent;  ///< null: nothing is scaled, and there is no exponent
    largest_exponent* result;
    DDLA_HD largest_exponent operator()(index_t i, no_scalars) const
    {
        return exponent ? exponent_of_scaled(b.get(i), exponent[i]) : largest_exponent();
    }
    DDLA_HD void finish(const sum& s) const { *result = s; }
};

}  // namespace ddla::steps
