// Numbers of sparse factorisations, which the host makes: name, unit, evidence.  None of them
// changes a bit of a result: they say when a long loop asks whether it goes on
// (ddla/watched_scope.hpp), about every 2^18 ns of its work.
//
// Measured on one core of an AMD EPYC, processor time over the operations that reports count, on
// poisson2d(200, 200) and convection_diffusion(22, 22, 22).  "Chosen": not measured, or above what
// was, so that a loop asks too often rather than too seldom.
#pragma once

#include "ddla/views.hpp"

#include <cstdint>
#include <type_traits>

namespace ddla::factor::tuning {

/// A multiplication with a subtraction in LU: 0.3 and 0.9 ns in double.  In double-double 1.6 and
/// 2.3 ns, in blocks of columns; residues modulo a prime have no blocks, and 8 is chosen.
template <class F>
inline constexpr std::int64_t nanoseconds_of_lu = std::is_same_v<F, double> ? 1 : 8;
/// The same in a row of incomplete factors, its indices found on the way: 4.5 and 6.2 ns in double
/// (ILU of fill 10); 20 in double-double is chosen.
template <scalar F>
inline constexpr index_t nanoseconds_of_incomplete = words_of<F> == 1 ? 5 : 20;
/// An entry of each of two rows in a rotation of QR, in double-double: chosen.
inline constexpr std::int64_t nanoseconds_of_rotation = 60;

}  // namespace ddla::factor::tuning
