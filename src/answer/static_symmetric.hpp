// When L D L^T with static pivots takes the place of LU.
#pragma once

#include "factor_plan.hpp"
#include "refine/factor_stages.hpp"

namespace ddla::refine {

/// Before A is looked at.
inline bool may_be_static_symmetric(index_t size, const factorisation_options& asked)
{
    return may_have_static_pivots(static_cast<double>(size)) &&
           has_order_of_symmetric(asked.ordering);
}

/// For a symmetric A.  Below this LU is made by columns.  Where that has no diagonal to begin with,
/// nobody knows beforehand how much it fills in.  `analysis`: of LU, where it was asked.
template <scalar F, scalar V>
bool wants_static_symmetric(double operations, const csr<V>& a, const factor::options& o,
                            std::optional<factor::lu_analysis<V>>& analysis)
{
    if (operations >= factor::least_static_operations<F> / 2) return true;
    if (operations < factor::least_static_operations<F> / 100) return false;
    analysis = factor::analyse_lu<F>(a, o, factor::work_in_static_order<F>);
    return !(analysis->static_operations < HUGE_VAL);
}

}  // namespace ddla::refine
