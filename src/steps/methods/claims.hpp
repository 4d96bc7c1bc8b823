// Claims of a recurrence, which are checked: the residual is recomputed from x, and the solve goes
// on from there if the claim was false.  That is refinement.
#pragma once

#include "steps/precondition/jacobi.hpp"
#include "steps/solver_step.hpp"

namespace ddla::steps {

/// Whether a solve goes on from an x with |r|^2 = residual2, after `before` where these iterations
/// began.  If not, `control` says how it ended.
template <class T>
DDLA_HD bool goes_on(steps::control<T>& control, T residual2, T before)
{
    const bool claimed = control.end == end_of_solve::recurrence_met;
    if (control.stopped() && !claimed) return false;
    control.end = end_of_solve::none;
    control.require_finite(residual2, named_scalar::residual);
    if (!control.stopped() && residual2 <= control.target2)
        control.stop(end_of_solve::recurrence_met);
    control.respect_limit();
    if (control.stopped()) return false;
    // Of a claim that is false at least half of the residual must have gone.
    const bool is_stuck = claimed ? T(4) * residual2 > before : residual2 >= before;
    if (is_stuck) control.stop(claimed ? end_of_solve::recurrence_met : end_of_solve::stagnated);
    return !is_stuck;
}

/// The scalars of a method without cycles that checks its claims: iterations rest while a check
/// (`closing` of the solver) is due.
template <class T>
struct checked_scalars {
    steps::control<T> control;
    T residual2_before;  ///< |r|^2 where the iterations began
    index_t closing;     ///< 1 where x is to be completed and its residual recomputed, else 0
    index_t checks;

    DDLA_HD bool is_idle() const { return control.stopped() || closing != 0; }
    /// x is wanted as it is.
    DDLA_HD void close() { closing = 1; }
    /// After whatever may have ended the solve within an iteration.
    DDLA_HD void check_if_stopped() { closing = control.stopped(); }
    DDLA_HD void begin(T residual2) { residual2_before = residual2, closing = 0; }
    /// The recomputed |r|^2; true: begin anew with it.
    DDLA_HD bool judge(T residual2)
    {
        closing = 0;
        ++checks;
        return goes_on(control, residual2, residual2_before);
    }
};

/// Their iterations never end by number.
inline constexpr index_t endless_cycle = INT64_MAX;

/// A step of an iteration.
template <class T, class Scalars, class Vectors, int Sums>
struct working_step : solver_step<T, Scalars, Vectors, identity<T>, Sums> {
    DDLA_HD static bool stopped(const Scalars& q) { return q.is_idle(); }
};
/// A step of a check.
template <class T, class Scalars, class Vectors, int Sums>
struct checking_step : solver_step<T, Scalars, Vectors, identity<T>, Sums> {
    DDLA_HD static bool stopped(const Scalars& q) { return q.closing == 0; }
};

}  // namespace ddla::steps
