#include "factor_plan.hpp"

namespace ddla::refine {
namespace {

/// LU in a precision, behind L D L^T if that is tried.
void add_factors(std::vector<factor_stage>& plan, factor_work lu, factor_work symmetric,
                 bool tries_symmetric)
{
    if (tries_symmetric) plan.push_back(stage_of(symmetric));
    plan.push_back(stage_of(lu));
    if (tries_symmetric) plan.back().follows = follows_symmetric;
}

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
        add_factors(plan, factor_work::in_double, factor_work::symmetric_in_double, symmetric);
        add_refinement(plan, asked);
        plan.push_back(stage_of(factor_work::gmres));
    }
    if (wanted != factor_precision::in_double) {
        add_factors(plan, factor_work::in_double_double, factor_work::symmetric_in_double_double,
                    symmetric);
        add_refinement(plan, asked);
        if (asked.least_squares) {
            plan.push_back(stage_of(factor_work::orthogonal));
            plan.push_back(stage_of(factor_work::refine));
        }
    }
    return plan;
}

}  // namespace ddla::refine
