// Errors as decimal digits.
#pragma once

#include <algorithm>
#include <cmath>

namespace ddla::refine {

/// -log10(error), from 0 to `most`: to be shown, not to decide by, for the last bit of log10 is not
/// the same everywhere.
inline double digits_of(double error, double most)
{
    return error > 0 ? std::clamp(0.0 - std::log10(error), 0.0, most) : most;
}

/// Whether error <= 10^-digits, by products and a quotient alone.
inline bool has_digits(double error, int digits)
{
    double power = 1;
    for (int k = 0; k < digits; ++k) power *= 10;
    return error <= 1 / power;
}

}  // namespace ddla::refine
