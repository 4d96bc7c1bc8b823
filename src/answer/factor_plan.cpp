#include "factor_plan.hpp"

namespace ddla::refine {
namespace {

using stages = std::vector<factor_stage>;

void add(stages& plan, factor_work work, bool is_told = true)
{
    plan.push_back(stage_of(work));
    plan.back().is_told = is_told && plan.back().is_told;
}

/// The same under another condition than that of the table.
void add_where(stages& plan, factor_work work, factor_condition when, bool is_told)
{
    add(plan, work, is_told);
    plan.back().when = when;
}

/// Factors of one precision.
struct factors_of_precision {
    factor_work definite, symmetric, lu;
};

/// LU, behind L L^T, of least squares behind L D L^T, if these are tried.
void add_factors(stages& plan, const factors_of_precision& in, const asked_of_factors& asked)
{
    const bool tries_others = (asked.least_squares || asked.may_be_definite) &&
                              has_order_of_symmetric(asked.factorisation.ordering);
    if (tries_others) add(plan, asked.least_squares ? in.symmetric : in.definite);
    add(plan, in.lu);
    if (tries_others) {
        factor_stage& lu = plan.back();
        lu.follows = asked.least_squares ? follows_symmetric : follows_definite;
        lu.when = asked.least_squares ? factor_condition::refused : factor_condition::not_definite;
    }
    add_where(plan, factor_work::rank, factor_condition::lacks_pivot, false);
}

/// Corrections of x, what they need to know of zeros, and what they are worth.
void add_refinement(stages& plan, factor_work by, bool certify, bool is_told)
{
    add(plan, by);
    add(plan, factor_work::unreached);
    add_where(plan, factor_work::rank, factor_condition::has_suspects, is_told);
    add(plan, factor_work::zeros, is_told);
    add(plan, factor_work::refine_again);
    add(plan, factor_work::judge);
    add(plan, factor_work::rank, false);
    if (certify) add(plan, factor_work::proof, is_told);
}

/// Where pivots of LU may be weak: LU by columns, and refinement with it.
void add_healing(stages& plan, factor_work by, const asked_of_factors& asked)
{
    if (asked.least_squares || !may_have_static_pivots(asked.size)) return;
    add(plan, by);
    add_where(plan, factor_work::rank, factor_condition::lacks_pivot, false);
    add_refinement(plan, factor_work::refine, asked.certify, false);
}

}  // namespace

std::vector<factor_stage> factor_plan(const asked_of_factors& asked)
{
    const factor_precision wanted = asked.factorisation.factors;
    stages plan;
    if (wanted != factor_precision::in_double_double) {
        add_factors(plan,
                    {factor_work::definite_in_double, factor_work::symmetric_in_double,
                     factor_work::in_double},
                    asked);
        add_refinement(plan, factor_work::refine, asked.certify, true);
        add_healing(plan, factor_work::threshold_in_double, asked);
        add_refinement(plan, factor_work::gmres, asked.certify, false);
    }
    if (wanted != factor_precision::in_double) {
        add_factors(plan,
                    {factor_work::definite_in_double_double,
                     factor_work::symmetric_in_double_double, factor_work::in_double_double},
                    asked);
        add_refinement(plan, factor_work::refine, asked.certify, true);
        add_healing(plan, factor_work::threshold_in_double_double, asked);
        if (asked.least_squares) {
            add(plan, factor_work::conclude);
            add(plan, factor_work::orthogonal);
            add_refinement(plan, factor_work::refine, asked.certify, false);
        }
    }
    return plan;
}

std::vector<factor_stage> refinement_plan(bool certify)
{
    stages plan;
    add_refinement(plan, factor_work::refine, certify, true);
    return plan;
}

}  // namespace ddla::refine
