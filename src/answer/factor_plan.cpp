#include "factor_plan.hpp"

namespace ddla::refine {
namespace {

/// What follows factors.
void add_refinement(std::vector<factor_stage>& plan, const asked_of_factors& asked)
{
    plan.push_back(stage_of(factor_work::refine));
    plan.push_back(stage_of(factor_work::rank));
    plan.push_back(stage_of(factor_work::zeros));
    if (asked.certify) plan.push_back(stage_of(factor_work::proof));
}

}  // namespace

std::vector<factor_stage> factor_plan(const asked_of_factors& asked)
{
    const factor_precision wanted = asked.factorisation.factors;
    const bool symmetric =
        asked.least_squares && has_order_of_symmetric(asked.factorisation.ordering);
    std::vector<factor_stage> plan;
    if (wanted != factor_precision::in_double_double) {
        if (symmetric) plan.push_back(stage_of(factor_work::symmetric_in_double));
        plan.push_back(stage_of(factor_work::in_double));
        add_refinement(plan, asked);
        plan.push_back(stage_of(factor_work::gmres));
    }
    if (wanted != factor_precision::in_double) {
        if (symmetric) plan.push_back(stage_of(factor_work::symmetric_in_double_double));
        plan.push_back(stage_of(factor_work::in_double_double));
        add_refinement(plan, asked);
        if (asked.least_squares) {
            plan.push_back(stage_of(factor_work::orthogonal));
            plan.push_back(stage_of(factor_work::refine));
        }
    }
    return plan;
}

}  // namespace ddla::refine
