// The bits of a double-double component that automatic solves return: 107 at most.
//
// Written apart from ddla: with the exponents of QD's numbers, and whole multiples of the lowest
// bit.
#pragma once

#include "ddla/vector.hpp"

#include <cmath>

namespace test {

/// x with each component rounded to the nearest multiple of its lowest returned bit, 2^-106 of the
/// power of two at or below its high word.  Doubles stay.
inline ddla::vector<double> as_returned(const ddla::vector<double>& x)
{
    return x;
}
inline ddla::vector<ddla::dd_real> as_returned(const ddla::vector<ddla::dd_real>& x)
{
    ddla::vector<ddla::dd_real> rounded(x.size());
    for (ddla::index_t i = 0; i < x.size(); ++i) {
        const ddla::dd_real v = x[i];
        if (v.hi == 0) continue;
        const int lowest = std::ilogb(v.hi) - 106;
        const double low = std::ldexp(std::nearbyint(std::ldexp(v.lo, -lowest)), lowest);
        const double high = v.hi + low;  // low may have become half a unit of the high word
        rounded.set(i, ddla::dd_real(high, (v.hi - high) + low));
    }
    return rounded;
}

}  // namespace test
