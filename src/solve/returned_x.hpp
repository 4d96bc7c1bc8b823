// x of iterations, in automatic solves and in refinement, rounded as x of factors is.
#pragma once

#include "calls/at_host.hpp"
#include "calls/place_of.hpp"
#include "operators/system_map.hpp"
#include "refine/rounding.hpp"
#include "solve_on.hpp"

#include <algorithm>

namespace ddla::api {

/// Rounds x to the bits that are returned (refine/rounding.hpp), at the host.  Whether one changed.
template <scalar T>
bool round_returned(engine& here, vec<T> x, place where)
{
    if (words_of<T> == 1) return false;  // it has 53
    here.wait();
    vector<dd_real> all = at_host<T>(vec<const T>(x), where);
    const std::vector<double> change =
        refine::round_to(refine::solution_view(all.view()), {0, x.size}, {.words = words_of<T>});
    const bool moves = std::any_of(change.begin(), change.end(), [](double c) { return c > 0; });
    if (!here.anywhere(moves)) return false;
    copy_back(all, x, where);
    return true;
}

/// The same of the x that a solve by iterations has left, and what its report says of that x.
template <scalar T>
void round_returned(engine& here, const system_map<T>& a, vec<const T> b, vec<T> x,
                    double tolerance, solve_report& report)
{
    if (!round_returned(here, x, a.where())) return;
    const bool normal = report.normal_residual.has_value();
    const auto hasty = report.interrupted ? a.hasty_residuals(here, vec<const T>(x), b, normal,
                                                              report.relative_residual)
                                          : std::nullopt;
    report.true_relative_residual =
        hasty ? hasty->relative : unscaled(a.true_residual(here, vec<const T>(x), b)).relative;
    if (hasty)
        report.normal_residual = hasty->normal;
    else if (normal)
        report.normal_residual = a.normal_residual(here, vec<const T>(x), b);
    const bool met = report.true_relative_residual <= tolerance ||
                     (report.normal_residual && *report.normal_residual <= tolerance);
    if (report.status == solve_status::converged && !met) report.status = solve_status::at_floor;
}

}  // namespace ddla::api
