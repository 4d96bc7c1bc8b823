// What the factorisation asks of a number, for double.
#pragma once

#include <cmath>

namespace ddla::validate {

inline int sign_of(double x)
{
    return (x > 0) - (x < 0);
}
inline bool is_finite(double x)
{
    return std::isfinite(x);
}
/// |x| < |y|
inline bool smaller(double x, double y)
{
    return std::abs(x) < std::abs(y);
}
/// x -= a b
inline void subtract_product(double& x, double a, double b)
{
    x -= a * b;
}

}  // namespace ddla::validate
