// What a stage by factors takes at most.
//
// Work is counted as ddla::planned_stage says.  Factors end with the step that passes their limit,
// so that they take as much as that step more; all else asks before.
#pragma once

#include "factor_plan.hpp"

namespace ddla::refine {

/// The system that is factored: of least squares the augmented one.
struct factored_system {
    double size = 0, nonzeros = 0;
    int words = 2;  ///< of x while it is refined: 2 or 4
    bool is_augmented = false;
};

factored_system factored(double rows, double columns, double nonzeros, int words);

/// `factors`: those that a stage without any of its own works with.
double most_work(factor_work stage, factor_work factors, const factored_system& system,
                 const factorisation_options& asked);

/// Whether the stage makes factors that later ones work with.
constexpr bool makes_factors(factor_work stage)
{
    switch (stage) {
    case factor_work::definite_in_double:
    case factor_work::definite_in_double_double:
    case factor_work::symmetric_in_double:
    case factor_work::in_double:
    case factor_work::threshold_in_double:
    case factor_work::symmetric_in_double_double:
    case factor_work::in_double_double:
    case factor_work::threshold_in_double_double:
    case factor_work::orthogonal:
        return true;
    default:
        return false;
    }
}

}  // namespace ddla::refine
