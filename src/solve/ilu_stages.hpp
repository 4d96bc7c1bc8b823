// What automatic solves iterate where factors of a matrix would be too large.
#pragma once

#include "operators/system_map.hpp"

#include "ddla/solve.hpp"

namespace ddla::api {

/// Incomplete factors of rising levels of fill and iterations from x, within the limits of the
/// options; leaves the x of the smallest true residual, and a stage for each part.  See
/// ilu_stages.cpp.
template <scalar T>
void iterate_by_stages(engine& here, const system_map<T>& a, vec<const T> b, vec<T> x,
                       const solve_options& options, solve_report& report);

}  // namespace ddla::api
