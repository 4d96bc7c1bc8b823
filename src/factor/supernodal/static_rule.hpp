// When supernodes have static pivots, and which of these are replaced.
#pragma once

#include "kernels/kernels.hpp"

#include "factor/columns.hpp"

namespace ddla::factor {

/// Fewer operations are done by threshold pivots, column by column, in less time.
template <scalar F>
constexpr double least_static_operations = words_of<F> == 1 ? 1e7 : 1e6;

/// Of a multiplication in L L^T of the pattern: a quarter of that by columns, though it takes less,
/// since the order also saves memory and the time of solves.
template <scalar F>
constexpr double work_in_static_order = words_of<F> == 1 ? 0.5 : 3;

/// A pivot of this part of the largest entry, or less, is replaced by that part of it.  Of 35 real
/// matrices where that happened to L U in double, refinement healed 22.
template <scalar F>
constexpr double negligible_part = words_of<F> == 1 ? 0x1p-46 : 0x1p-98;
template <scalar F>
constexpr double part_instead = words_of<F> == 1 ? 0x1p-26 : 0x1p-52;

/// For a matrix whose entries, scaled, are so large.
template <scalar F>
constexpr pivot_rule static_rule(double largest)
{
    return {.negligible = negligible_part<F> * largest, .instead = part_instead<F> * largest};
}

template <scalar F>
double largest_entry(const sparse_columns<F>& a)
{
    double most = 0;
    for (index_t e = 0; e < a.entries(); ++e) most = std::max(most, magnitude(a.value.get(e)));
    return most;
}

}  // namespace ddla::factor
