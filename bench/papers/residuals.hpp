// When residuals of the same iterations by different programs agree.
#pragma once

#include <limits>

namespace bench {

/// Relative residuals up to here are rounding errors: the system is solved, and nothing is left to
/// compare. 512 units, for rounding errors grow with the norm of A times that of x over that of b.
constexpr double rounding_level = 512 * std::numeric_limits<double>::epsilon();

/// Within a tenth of each other, or both at the rounding level, as with a diagonal matrix of few
/// values, which CG solves within as many iterations.
inline bool residuals_agree(double one, double other)
{
    constexpr double tenth = 1.1;
    if (one <= rounding_level && other <= rounding_level) return true;
    return one <= tenth * other && other <= tenth * one;
}

}  // namespace bench
