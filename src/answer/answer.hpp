// A x = b by factors and refinement: the stages, and what is known of the result.
//
// The stages depend on A, b, the options and counted work alone, never on the clock or the machine.
#pragma once

#include "factor_plan.hpp"
#include "refine/factor_stages.hpp"
#include "refine/inverse.hpp"

#include "ddla/solve.hpp"

namespace ddla::refine {

struct kept_factors;

/// The system is the augmented one of least squares: symmetric, with L D L^T tried before LU.
struct least_squares_request {
    component_range x;  ///< the components that are x: errors, digits and conditions are theirs
    /// What the tolerance is compared with, of a solution of the augmented system.
    std::function<double(const_solution_view)> residual;
};

struct answer_request {
    factorisation_options factorisation = {};
    solve_goal goal = solve_goal::digits;
    int digits = 12;
    bool normwise = false;
    std::optional<double> tolerance = {};
    int words = 2;         ///< of the x that will be returned: 1, 2 or 4
    int exponent = 0;      ///< what will be returned is x times this power of two
    bool certify = false;  ///< prove a bound of the error
    const_solution_view certified =
        vec<const dd_real>();  ///< … of this x; empty: of the one returned
    std::function<bool(const solve_progress&)> watch = {};
    place_of_factors factors_at = {};  ///< none: the host
    kept_factors* kept = nullptr;      ///< of the same A and factorisation
    std::optional<least_squares_request> least_squares = {};

    std::optional<component_range> judged() const
    {
        if (!least_squares) return {};
        return least_squares->x;
    }
};

struct answer {
    solve_status status = solve_status::stagnated;
    bool interrupted = false;
    std::optional<passed_limit> limit = {};  ///< that factors would pass: nothing was solved
    /// The limit that conditions would pass: they are not known, and the residual alone counts.
    std::optional<passed_limit> unjudged = {};
    std::int64_t steps = 0;               ///< corrections of all stages
    double relative_residual = HUGE_VAL;  ///< of the x that is returned, recomputed; or the other
                                          ///< residual that the request names; NaN where an
                                          ///< interruption left no time for it
    std::vector<solve_stage> plan = {};
    std::vector<double> work = {};     ///< of each stage of the plan, as planned_stage counts it
    std::vector<double> history = {};  ///< max |r_i| / max |b_i| after 0, 1, … corrections
    error_estimates errors = {};
    std::optional<error_bound> bound = {};
    std::optional<double> digits = {}, normwise_digits = {};
    bool digits_proved = false;  ///< `digits` are those of the bound
    /// A component that no double holds, in x or once it is multiplied by 2^exponent; -1 if none.
    index_t overflowed = -1;
    bool overflowed_inside = false;  ///< … in x already: a smaller b might help
    std::optional<rank_report> rank = {};
    std::int64_t working_bytes = 0;  ///< the most at a time, beside A, b and x
};

/// A of least squares, of whose augmented matrix a system is.
template <scalar V>
struct least_squares_matrix {
    csr<V> a;
    double alpha;
};

/// Solves from the guess in x, which has the low part if four words are asked for; x is then
/// rounded to what is returned (rounding.hpp).
/// `of`: then factors of that matrix by QR may follow, see orthogonal.hpp.
/// Throws input_error if A x = b cannot be factored for another reason than its numbers or size.
template <scalar V>
answer find_answer(const host_system<V>& system, solution_view x, const answer_request& request,
                   const least_squares_matrix<V>* problem = nullptr);

/// The same with corrections that are there: those of A, or of a matrix near it.
template <scalar V>
answer improve_answer(const host_system<V>& system, solution_view x,
                      const approximate_inverse& approximate, const answer_request& request);

}  // namespace ddla::refine
