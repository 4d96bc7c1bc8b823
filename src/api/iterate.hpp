// Solves by Krylov methods, of any system.
#pragma once

#include "stopwatch.hpp"
#include "system_map.hpp"

#include "ddla/solve.hpp"

namespace ddla::api {

/// Of solves that end by the residual.
constexpr double default_tolerance = 1e-12;

/// By options.method, a Krylov method; what solve() checks was checked.  Fills what the report says
/// of iterations, residuals and status, and peak_bytes without the system.
template <scalar T>
void iterate(engine& here, const system_map<T>& a, const preconditioner<T>& k, vec<const T> b,
             vec<T> x, const solve_options& options, solve_report& report);

}  // namespace ddla::api
