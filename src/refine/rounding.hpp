// x as it is returned: so many words, so many significant bits, in the range of doubles.
//
// Sums of two doubles can have a gap between them that holds hundreds of bits: -1 + 2^-1000 would
// be written as 0.999... of 300 digits.  What is returned ends where its digits end.
#pragma once

#include "host_system.hpp"

#include <vector>

namespace ddla::refine {

struct returned_form {
    int words = 2;     ///< of a component: 1, 2 or 4
    int exponent = 0;  ///< what is returned is x times this power of two
};

/// 53, 107 or 213: significant bits of a component at most.
constexpr int significant_bits(int words)
{
    return words == 1 ? 53 : words == 2 ? 107 : 213;
}

/// Rounds the components of x in `range` to nearest: to the bits of `form`, and to what doubles
/// hold once x is multiplied by its power of two.  Then that product is exact, unless it overflows.
/// Returns at least |change| of each component of x.  Cost: some ten operations a component.
std::vector<double> round_to(solution_view x, component_range range, returned_form form);

/// The first component that overflows once x is multiplied by 2^exponent, or is not finite; -1 if
/// there is none.
index_t first_overflow(const_solution_view x, component_range range, int exponent);

/// x_i 2^exponent of each component and word.
void multiply_by_power(solution_view x, int exponent);

}  // namespace ddla::refine
