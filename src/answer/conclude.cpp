// What is known of a solve by factors in its end: its status, and what may be claimed.
#include "errors/rank.hpp"
#include "solve_at_work.hpp"

#include <cmath>

namespace ddla::refine {
namespace {

void distrust(answer& found)
{
    found.errors.trusted = found.errors.componentwise_trusted = false;
    found.digits.reset();
    found.normwise_digits.reset();
}

template <scalar V>
solve_status status_of(const solve_at_work<V>& solve)
{
    const answer& found = solve.found;
    if (found.interrupted || found.limit) return solve_status::iteration_limit;
    if (found.overflowed >= 0) return solve_status::not_finite;
    if (solve.is_inconsistent()) return solve_status::singular;
    if (solve.met) return solve_status::converged;
    return solve.may_be_singular() && !found.digits_proved ? solve_status::stagnated
                                                           : solve.judge.status_of(found);
}

template <scalar V>
std::string why_unproved(const solve_at_work<V>& solve)
{
    return solve.is_singular()           ? "A is singular"
           : solve.found.unjudged        ? solve.found.unjudged->text
           : solve.found.overflowed >= 0 ? "x is out of the range of double"
           : solve.found.interrupted     ? "interrupted"
                                         : "no factors are good enough";
}

}  // namespace

template <scalar V>
void conclude(solve_at_work<V>& solve)
{
    answer& found = solve.found;
    found.interrupted = solve.stages.interrupted();
    if (!solve.is_judged) solve.judge.look_in_haste(solve.x, found);
    if (!found.digits_proved && (solve.may_be_singular() || solve.is_singular())) distrust(found);
    if (solve.is_singular())
        found.errors.unsettled = {};  // x is one of many, or none
    else
        solve.exact->explain(found.errors.unsettled, solve.refined.finite && solve.has_settled(),
                             found.interrupted);
    if (found.rank)
        found.rank->numerically_singular =
            is_numerically_singular(*found.rank, solve.system.size(), found.errors.condition_1);
    if (!std::isfinite(found.relative_residual))
        found.relative_residual = solve.judge.residual_of(solve.x, found.interrupted);
    found.status = status_of(solve);
    if (solve.request.certify && !found.bound) found.bound.emplace().why = why_unproved(solve);
}

template void conclude(solve_at_work<double>&);
template void conclude(solve_at_work<dd_real>&);

}  // namespace ddla::refine
