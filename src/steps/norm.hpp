// The 2-norm, without overflow or underflow on the way.
#pragma once

#include "blas.hpp"

#include <algorithm>
#include <cmath>

namespace ddla::steps {

/// The power of two that brings `magnitude` (finite, > 0) into [1, 2).
inline double scale_to_one(double magnitude)
{
    int exponent;
    std::frexp(magnitude, &exponent);
    // 2^1023 and 2^-1022 are the outermost powers whose reciprocals are normal, too.
    return std::ldexp(1.0, std::min(1022, std::max(-1022, 1 - exponent)));
}

/// Whether a sum of squares lost nothing to overflow or underflow: the low words of its terms,
/// 2^-106 of the sum and below, are still far above 2^-1074.
inline bool is_safe_square(double s)
{
    return s > 0x1p-700 && s < 0x1p+900;
}

/// ||x||.  One pass; two more if the sum of squares leaves the safe range.  Multiplying by a power
/// of two is exact, so both ways give the same bits where both work.
/// `shared_sum` and `shared_largest` are memory of the backend.
template <class Backend, class T>
T nrm2(Backend& on, vec<const T> x, T* shared_sum, largest* shared_largest)
{
    using std::sqrt;
    on.run(sum_of_squares<T>{{{{}, shared_sum}}, x, 1.0}, x.size);
    const T plain = on.read(shared_sum);
    if (is_safe_square(static_cast<double>(plain))) return sqrt(plain);
    on.run(largest_magnitude<T>{{}, shared_largest, x}, x.size);
    const double m = on.read(shared_largest).value;
    if (m == 0 || !std::isfinite(m)) return T(m);
    const double scale = scale_to_one(m);
    on.run(sum_of_squares<T>{{{{}, shared_sum}}, x, scale}, x.size);
    return times_power_of_two(sqrt(on.read(shared_sum)), 1 / scale);
}

}  // namespace ddla::steps
