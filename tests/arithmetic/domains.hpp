// Where operations have the bits of QD's: docs/arithmetic.md.
#pragma once

#include "operands.hpp"

#include <cmath>

namespace ddla::test {

/// Where QD's splitting gives the bits of the fused product (docs/arithmetic.md): both operands
/// below 2^1024 (1 - 2^-27), the product from 2^-968 to 2^1024 (1 - 2^-26).
DDLA_HD inline bool product_in_range(dd_real x, dd_real y)
{
    const double p = std::fabs(x.hi * y.hi);
    return std::fabs(x.hi) < 0x1.ffffffcp1023 && std::fabs(y.hi) < 0x1.ffffffcp1023 &&
           p < 0x1.ffffff8p1023 && (x.hi == 0 || y.hi == 0 || p >= 0x1p-968);
}
DDLA_HD inline bool square_in_range(dd_real x, dd_real)
{
    return product_in_range(x, x);
}
DDLA_HD inline bool quotient_in_range(dd_real x, dd_real y)
{
    const double q = std::fabs(x.hi / y.hi);
    return std::fabs(y.hi) < 0x1p1000 && std::fabs(y.hi) > 0x1p-1000 &&
           std::fabs(x.hi) > 0x1p-800 && std::fabs(x.hi) < 0x1p1020 && q > 0x1p-1000 &&
           q < 0x1p1000;
}
DDLA_HD inline bool remainder_in_range(dd_real x, dd_real y)
{
    return quotient_in_range(x, y) && std::fabs(x.hi / y.hi) < 0x1p100;
}
DDLA_HD inline bool inverse_in_range(dd_real, dd_real y)
{
    return quotient_in_range(1.0, y);
}
DDLA_HD inline bool root_in_range(dd_real x, dd_real)
{
    return x.hi >= 0x1p-968 && x.hi < 0x1p1023;
}
DDLA_HD inline bool anywhere(dd_real, dd_real)
{
    return true;
}

DDLA_HD inline bool nonzero(dd_real x, dd_real)
{
    return x.hi != 0;
}

}  // namespace ddla::test
