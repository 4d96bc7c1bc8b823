// Conditions of a system, as far as the budget of work allows.
#pragma once

#include "work_budget.hpp"

#include "ddla/error_estimates.hpp"

namespace ddla::refine {

/// Estimates cond(A, x), and kappa_1 where it is not known, into `to`.  False: the budget was
/// passed, and what had to be left out is empty: a lower bound would not be worth a claim.  Both
/// share passes through factors that take several systems; what is charged is that of one estimate
/// after the other.
template <scalar V>
bool estimate_conditions(const host_system<V>& system, const approximate_inverse& approximate,
                         vec<const dd_real> x, const std::optional<component_range>& judged,
                         work_budget& budget, error_estimates& estimates);

}  // namespace ddla::refine
