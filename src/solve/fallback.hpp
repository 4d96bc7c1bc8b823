// What automatic solves iterate where there are no factors.
#pragma once

#include "operators/system_map.hpp"

#include "ddla/solve.hpp"

namespace ddla::api {

/// Of a matrix that is not square: LSMR.  Of one without a preconditioner: iterate_by_stages.  Else
/// BiCGStab: after a breakdown, or a recurrence that claims what is not true, it begins again from
/// x with the residual recomputed, a few times at most, as long as that lowers the residual to a
/// half.  The iterations of all count for the limit.  Fills what iterate() fills, and a stage for
/// each run.  Elsewhere, if options.place_of_iterations says so.
template <scalar T>
void iterate_without_factors(engine& here, const system_map<T>& a, const preconditioner<T>& k,
                             vec<const T> b, vec<T> x, const solve_options& options,
                             solve_report& report);

}  // namespace ddla::api
