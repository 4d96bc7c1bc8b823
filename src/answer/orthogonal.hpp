// Least squares by QR factors in double-double, where those of the augmented matrix do not settle.
//
// L D L^T and LU of the augmented matrix square the condition of A where their pivots are on its
// diagonal, whatever alpha is: they scale it away.  Q and R do not.  Corrections by them contract
// at 2^-104 times the condition of A with scaled columns, in the norm in which r counts as r over
// the smallest singular value (Bjorck 1967: the best alpha).
#pragma once

#include "answer.hpp"
#include "refine/augmented.hpp"

namespace ddla::refine {

/// Whether an answer of the augmented system may become better by QR.
bool wants_orthogonal(const answer& first, const answer_request& request);

/// From `first`, what the augmented system of A gave, which `system` is of: the answer of
/// corrections by QR if it tells more, else `first` again, its plan longer.  y: the solution of
/// `first` on entry, that of what is returned at the end.  Memory beside the factors: 30 vectors.
template <scalar V>
answer find_orthogonal(const host_system<V>& system, const csr<V>& a, double alpha, solution_view y,
                       const answer_request& request, answer&& first);

}  // namespace ddla::refine
