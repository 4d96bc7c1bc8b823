// The better x of least squares, or of least norm, that a check compares with.
#pragma once

#include "answer/answer.hpp"

#include "ddla/check.hpp"

namespace ddla::api {

/// Which components of the better x are not known, as the reason of a check.
std::string text_of_unknown(const unsettled_components& open);

/// What is known of the better x, and of the system.
struct better_least_squares {
    std::string why = {};  ///< why there is none; empty if there is one
    limit_subject limited = limit_subject::none;
    bool interrupted = false;
    error_estimates errors = {};  ///< of the better x
    std::vector<solve_stage> plan = {};
    std::optional<rank_report> rank = {};
};

/// Solves A x ~ b anew by factors, A not square, into `better`, which has low words for four.
/// Throws limit_error where factors would pass the limits.
template <scalar V>
better_least_squares find_better(const csr<V>& a, vec<const dd_real> b,
                                 refine::solution_view better, int digits,
                                 const check_options& options);

/// The residuals of this x: relative_residual is ||r|| / ||b||, normal_residual ||A^T r|| /
/// (||A|| ||r||) for r = b - A x.  After an interruption NaN and none, where they take long.
template <scalar V>
void store_residuals(const csr<V>& a, vec<const dd_real> b, refine::const_solution_view x,
                     solution_check& found);

}  // namespace ddla::api
