// Solves by factors that one rank makes, of a system that all ranks send there.
#pragma once

#include "rank_rows.hpp"

#include "direct/solve_by_factors.hpp"

#include <optional>

namespace ddla::distributed {

/// Rank 0 solves, and each rank gets its part of x.  The report is whole on rank 0; others have its
/// status and residuals.  As solve_by_factors, it returns the limit that the factors would pass,
/// also where the system alone would: then no rank has had all of it.
template <scalar T, scalar V>
std::optional<refine::passed_limit>
gathered_solve(const rank_layout& a, const row_parts<V>& parts, vec<const T> b, vec<T> x,
               const solve_options& options, solve_report& report);

}  // namespace ddla::distributed
