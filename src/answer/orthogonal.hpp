// Least squares by QR factors in double-double, where those of the augmented matrix do not settle.
//
// L D L^T and LU of the augmented matrix square the condition of A where their pivots are on its
// diagonal, whatever alpha is: they scale it away.  Q and R do not.  Corrections by them contract
// at 2^-104 times the condition of A with scaled columns, in the norm in which r counts as r over
// the smallest singular value (Bjorck 1967: the best alpha).
#pragma once

#include "answer.hpp"

#include "errors/kept_factors.hpp"

namespace ddla::refine {

/// Whether an answer of the augmented system may become better by QR.
bool wants_orthogonal(const answer& first, const answer_request& request);

/// Of A, or of its transpose if that is taller; `count` is told what making them took, in
/// multiplications with a subtraction in double.
template <scalar V>
factor::qr_factors<dd_real> orthogonal_factors(const csr<V>& a, const answer_request& request,
                                               const factor_watch& watch,
                                               const std::function<void(double)>& count);

/// How the making ended, in the stage that has ended and in the answer.
void note_end_of_orthogonal(const factor::qr_report& about, answer& found);

/// Corrections of the augmented system by these factors, which must outlive them, and the norm in
/// which they contract.  `count` is told what each one takes.  Memory beside the factors: 30
/// vectors.
approximate_inverse inverse_of_augmented(const factor::qr_factors<dd_real>& f, double alpha,
                                         const std::function<void(double)>& count);

/// Whether the second answer of one system tells more.
bool tells_more(const answer& next, const answer& first);

/// `first`, for what `next` brought tells no more; the plan and the history of both.
answer kept_with(answer&& first, answer&& next);

void copy_solution(const_solution_view from, solution_view to);

}  // namespace ddla::refine
