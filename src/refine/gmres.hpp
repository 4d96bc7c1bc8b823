// GMRES-IR: products with A^-1 by GMRES, where factors alone are too far from those of A.
//
// Source: Carson, Higham, SIAM J. Sci. Comput. 39(6), 2017, "A new analysis of iterative refinement
// and its application to accurate solution of ill-conditioned sparse linear systems": where
// kappa(A) is so large that corrections by the factors B ~ A^-1 grow, B A is still near I but for a
// few directions, if B is applied in twice the digits that it was made in.  GMRES finds these.
#pragma once

#include "inverse.hpp"

#include "factor/factor_end.hpp"

#include "ddla/factorisation.hpp"

#include <limits>

namespace ddla::refine {

/// What runs of GMRES may take, and what they took.  Work is counted in multiplications with a
/// subtraction in double-double.
struct gmres_budget {
    double most_work = std::numeric_limits<double>::infinity();
    double work_of_product = 0;        ///< of one with B A
    double work_of_vector = 0;         ///< of a pass over a vector
    std::function<bool()> watch = {};  ///< false: ends this run and all that follow

    double work = 0;
    std::size_t bytes = 0;  ///< of a run, at most
    bool stopped = false;   ///< by the watch
};

/// Iterations of a run, which has one cycle.  Memory: as many vectors and 6.
constexpr index_t gmres_iterations = 60;
/// A run ends where || B (r - A d) || is below this part of || B r ||.
constexpr double gmres_tolerance = 0x1p-40;

/// Factors in double as GMRES applies them, in double-double.
struct factors_in_double {
    const factor::ended_report& about;
    double work = 0;        ///< that they took, in multiplications with a subtraction in double
    double work_in_dd = 0;  ///< … and those in double-double take
    double entries = 0;     ///< that a solve uses
    approximate_inverse inverse;
};

/// The budget for GMRES with these factors, if it is worth beginning.  Factors in double-double
/// come next where they are wanted and within the limits: then GMRES begins only if it is expected
/// to take less than they, and may take as much.  Else it may take as many multiplications as
/// factors in double may.
std::optional<gmres_budget> budget_for_gmres(const factors_in_double& f, index_t nonzeros,
                                             const factorisation_options& asked);

/// Corrections d of C^-1 B A d = C^-1 B r by GMRES in double-double, where C is
/// `factors.column_scale`; with A^T likewise.  B must be computed in double-double.  Norms are
/// those of the scaled system, from the left, as errors are wanted small and not residuals.  All
/// that is given must outlive the result.  Where the budget is spent d is not a number.
template <scalar V>
approximate_inverse inverse_by_gmres(const host_system<V>& system,
                                     const approximate_inverse& factors, gmres_budget& budget);

}  // namespace ddla::refine
