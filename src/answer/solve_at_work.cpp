// What is known of a solve by factors on its way: conditions of its stages.
#include "solve_at_work.hpp"

#include <algorithm>

namespace ddla::refine {

/// From here on factors may be those of a singular matrix, with noise for a pivot that is zero.
constexpr double doubtful_condition = 1e12;

template <scalar V>
solve_at_work<V>::solve_at_work(const host_system<V>& of, solution_view at_work,
                                const answer_request& asked)
    : system(of), request(asked), x(at_work), budget(work_budget::of(asked.factorisation)),
      stages(found.plan, found.work, found.steps, budget, asked.watch), judge(of, asked)
{
    exact.emplace(system, request, stages, found);
}

template <scalar V>
bool solve_at_work<V>::goes_on() const
{
    return !met && !stages.interrupted() && !found.limit && !found.unjudged && !is_inconsistent();
}

template <scalar V>
bool solve_at_work<V>::may_be_singular() const
{
    const auto& kappa1 = found.errors.condition_1;
    const bool is_doubtful =
        !refined.finite || !kappa1 || kappa1->at_least || !(kappa1->value < doubtful_condition);
    return is_doubtful && !found.rank;
}

template <scalar V>
bool solve_at_work<V>::may_hide_zeros() const
{
    if (is_singular() || stages.interrupted() || !refined.finite) return false;
    for (const index_t i : exact->suspects(x, refined.errors))
        if (x.high.word(0)[i] == 0 || has_settled()) return true;
    return false;
}

template <scalar V>
bool solve_at_work<V>::has_stalled() const
{
    const auto stalls = [](const auto& c) { return !c || c->at_least; };
    return !refined.finite || !refined.normwise.contracts() || !refined.componentwise.contracts() ||
           stalls(found.errors.condition) || stalls(found.errors.condition_1);
}

template <scalar V>
void solve_at_work<V>::count_bytes(std::int64_t now)
{
    found.working_bytes =
        std::max(found.working_bytes, now + exact->bytes() + system.transposed_bytes());
}

template <scalar V>
factor_watch solve_at_work<V>::watch_of_factors()
{
    return
        [this](double done) { return stages.report(found.steps, found.relative_residual, done); };
}

template <scalar V>
void solve_at_work<V>::begin_anew()
{
    stages.forget_error();
    exact.emplace(system, request, stages, found);
    budget = work_budget::of(request.factorisation);
    refined = {};
    met = false;
    is_judged = true;
}

template struct solve_at_work<double>;
template struct solve_at_work<dd_real>;

}  // namespace ddla::refine
