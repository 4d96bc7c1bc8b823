// Iterative refinement: x in double-double or in four words, residuals of 265 or 477 bits,
// corrections from whatever is at hand, for example factors in double.
//
// Source: Demmel, Hida, Kahan, Li, Mukherjee, Riedy, ACM TOMS 32(2), 2006, "Error bounds from
// extra-precise iterative refinement", one precision up; the rates that tell whether the estimates
// can be trusted are theirs.
#pragma once

#include "component_errors.hpp"
#include "host_system.hpp"

#include "ddla/vector.hpp"

#include <functional>
#include <optional>

namespace ddla::refine {

/// d ~ A^-1 r.
using correction = std::function<void(vec<const dd_real> r, vec<dd_real> d)>;
/// The same from high words of r, which are all that factors in double take; low words of d are 0.
using correction_in_double = std::function<void(vec<const double> r, vec<double> d)>;

/// Sees the number of steps and the estimated relative error; false ends the refinement.
using refinement_watch = std::function<bool(int steps, double error)>;

/// Of an x of so many words.
constexpr int most_corrections(int words)
{
    return 20 * words;
}

struct refinement_limits {
    int steps = most_corrections(2);
    refinement_watch watch = {};
    /// Components that are known to be zero; they stay so.  Empty: none.
    std::vector<bool> known_zero = {};
    /// How large components of x are as the correction sees them: those of the scaled system are x
    /// over these.  Empty: all alike.
    shared_scale column_scale = {};
    /// No correction is better than this, relative to its largest component: by the rounding of the
    /// numbers that it is computed in, or by a probe.
    double least_rate = 0x1p-52;
    /// The components whose errors are asked for; others only help to find them.  Empty: all.
    std::optional<component_range> judged = {};
    /// Goes on as long as residuals become smaller, for components that are tiny beside others.
    /// Else it ends a few steps after the largest components have settled and no more of the
    /// others do: what is left may be zeros.
    bool waits_for_all = false;
    /// Corrections contract in the norm of the scaled system, which is known for that: the rates
    /// are those of it, also where components end far above the rounding of x.
    bool contracts_as_a_whole = false;
};

/// An error of x as the next correction d shows it, and how fast corrections became smaller.
struct observed_error {
    double error = HUGE_VAL;     ///< of d over x; what x would still move
    double rate = 1;             ///< the largest quotient of successive ones
    double rounding = 0x1p-106;  ///< of x

    /// The estimate: what the corrections to come add up to, and the rounding of x.
    double estimate() const { return rate < 1 ? error / (1 - rate) + rounding : HUGE_VAL; }
    bool contracts() const { return rate < 0.5; }
};

struct refinement_result {
    int steps = 0;         ///< corrections that were added
    bool finite = true;    ///< no correction overflowed
    bool stopped = false;  ///< by the watch
    /// max |d_i| / max |x_i|; where some components alone are judged max e_i / max |x_i|, and rates
    /// are at least those of all, in the norm of the scaled system.
    observed_error normwise;
    /// max e_i / |x_i| of the components that are not known zeros, infinite where an x_i is 0; e_i
    /// as component_errors has it, in the norm of the scaled system.
    observed_error componentwise;
    std::vector<double> errors = {};  ///< the e_i
    double scaled_rate = 1;           ///< of corrections in the norm of the scaled system
    double observed_rate = 1;         ///< that of `componentwise`, of corrections alone
    vector<dd_real> next{0};          ///< the correction of the x that is left
    index_t overflowed = -1;          ///< the component whose correction was not finite first
    double residual = HUGE_VAL;       ///< max |r_i| / max |b_i|
    std::vector<double> history;      ///< of it: after 0, 1, … corrections
};

/// Refines x, the guess, and leaves there the best iterate: the one whose next correction is
/// smallest, among those that are alike the one with the smallest residual.  Ends when corrections
/// no longer become smaller.  Memory: 5 vectors, or 7.  Cost a step: one product with A of exact
/// terms, some 250 operations an entry (900 in four words), and a correction.
template <scalar V>
refinement_result refine(const host_system<V>& system, const correction& correct, solution_view x,
                         const refinement_limits& limits = {});

}  // namespace ddla::refine
