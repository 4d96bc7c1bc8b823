// Powers of two that keep squares and products of a solve away from overflow and underflow.
#pragma once

#include "norm.hpp"

#include <algorithm>

namespace ddla::steps {

/// max |x_i|, by high words.
template <class Backend, class Memory, class T>
double largest_of(Backend& backend, Memory& memory, vec<const T> x)
{
    auto* const most = memory.template objects<largest>(1);
    backend.run(largest_magnitude<T>{{}, x, most}, x.size);
    return backend.read(most).value;
}

/// What a solver works on: scale_a A and scale_b b.  Its residuals are scale_b times those of the
/// system, its updates of x are multiplied by scale_x = scale_a / scale_b; x itself is never
/// scaled, so that a guess stays what it is.
struct system_scale {
    double a = 1, b = 1, x = 1;
};

/// Ones for systems in the range where squares are safe; there, and wherever nothing underflows,
/// scaling changes no bit.
inline system_scale scale_for(double largest_a, double largest_b)
{
    const auto far = [](double magnitude, double limit) {
        return magnitude > 0 && (magnitude > limit || magnitude < 1 / limit);
    };
    system_scale s;
    if (far(largest_a, 0x1p+100)) s.a = scale_to_one(largest_a);
    if (far(largest_b, 0x1p+200)) s.b = scale_to_one(largest_b);
    s.x = s.a / s.b;
    return s;
}

/// A power of two for b and x under which the products of A and x that matter to b are error-free
/// (above 2^-968) and finite.  They are of the size of b, unless they cancel.
inline double residual_scale(double largest_b, double largest_x)
{
    if (largest_b > 0x1p+980) return 0x1p-60;
    if (!(largest_b > 0 && largest_b < 0x1p-400)) return 1;
    const double for_b = scale_to_one(largest_b);
    if (!(largest_x > 0)) return for_b;
    int exponent;
    std::frexp(largest_x, &exponent);
    return std::min(for_b, std::ldexp(1.0, std::clamp(1000 - exponent, 0, 1022)));
}

}  // namespace ddla::steps
