// A solve by factors on its way: x, what was found of it, and what that means for the stages to
// come.
#pragma once

#include "exact_findings.hpp"
#include "judge.hpp"
#include "stages.hpp"

namespace ddla::refine {

/// The parts of a solve write it; its functions but the last three change nothing.
template <scalar V>
struct solve_at_work {
    solve_at_work(const host_system<V>& system, solution_view x, const answer_request& request);

    /// The goal is not met, no limit was passed, and there may be an x.
    bool goes_on() const;
    bool has_residual_alone() const { return is_singular() || found.unjudged; }
    bool is_singular() const { return found.rank && found.rank->value < system.size(); }
    /// No x solves it; of least squares: too many x, of which the augmented system finds none.
    bool is_inconsistent() const
    {
        return is_singular() && (request.least_squares || !found.rank->consistent);
    }
    /// The factors may be those of a singular matrix, and the rank is not known.
    bool may_be_singular() const;
    /// Whether only small components do not settle, or one is 0, as exact findings may tell.
    bool may_hide_zeros() const;
    /// x as a whole.
    bool has_settled() const { return refined.normwise.estimate() < 0x1p-60; }
    /// Whether the last corrections, or products with A^-1 by them, did not settle.
    bool has_stalled() const;
    bool reaches_goal() const { return judge.is_met(found, has_residual_alone()); }

    /// So many bytes are held now, beside what is held since before.
    void count_bytes(std::int64_t now);
    factor_watch watch_of_factors();
    /// Another x is at work, of which nothing is known.
    void begin_anew();

    const host_system<V>& system;
    const answer_request& request;
    solution_view x;
    answer found;
    work_budget budget;
    stage_recorder stages;
    const refine::judge<V> judge;
    std::optional<exact_findings<V>> exact;
    refinement_result refined;
    bool met = false;
    bool is_judged = true;  ///< what was found is of x as it is now
};

/// What is known in the end: goes into the answer.
template <scalar V>
void conclude(solve_at_work<V>& solve);

}  // namespace ddla::refine
