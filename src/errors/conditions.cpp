// Conditions of a system, as far as the budget of work allows.
#include "conditions.hpp"

namespace ddla::refine {

template <scalar V>
bool estimate_conditions(const host_system<V>& system, const approximate_inverse& approximate,
                         vec<const dd_real> x, const std::optional<component_range>& judged,
                         const work_budget& budget, error_estimates& estimates)
{
    estimates.condition.reset();
    if (!estimates.condition_1) {
        const norm_estimate kappa1 = estimate_kappa1(system, approximate);
        if (budget.was_passed()) return false;
        estimates.condition_1 = {kappa1.value, !kappa1.complete};
    }
    const norm_estimate skeel = estimate_skeel(system, approximate, x, judged);
    if (budget.was_passed()) return false;
    estimates.condition = {skeel.value, !skeel.complete};
    return true;
}

#define DDLA_INSTANTIATE(V)                                                                        \
    template bool estimate_conditions(const host_system<V>&, const approximate_inverse&,           \
                                      vec<const dd_real>, const std::optional<component_range>&,   \
                                      const work_budget&, error_estimates&);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::refine
