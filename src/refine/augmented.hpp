// Least squares, and answers of least norm, as a square symmetric system.
//
// With B = A, or B = A^T where A has more columns than rows, K = [alpha I, B; B^T, 0].
//     min ||b - A x||:              K (r / alpha; x) = (b; 0)
//     min ||x|| subject to A x = b: K (x; z) = (0; b)
// Sources: Bjorck, BIT 7, 1967, "Iterative refinement of linear least squares solutions I"; Bjorck,
// Numerical Methods for Least Squares Problems, 1996, section 2.5.3 for alpha; Demmel, Hida, Riedy,
// Li, ACM TOMS 35(4), 2009, "Extra-precise iterative refinement for overdetermined least squares
// problems", for the error of x apart from that of r.
#pragma once

#include "host_system.hpp"

namespace ddla::refine {

template <scalar V>
struct augmented_system {
    csr_matrix<V> matrix;
    vector<dd_real> right_hand_side;
    component_range x;  ///< of the unknowns: x of A x ~ b
    double alpha = 1;
};

/// Whether a matrix can have so many rows.
bool can_augment(index_t rows, index_t columns);

/// Of A and b at the host.  alpha is the power of two at or below the smallest of the largest
/// entries of B's columns, columns of zeros left out: the smallest singular value, near which alpha
/// should be, is at most sqrt(rows) times that.  Factors scale K anew, and choose pivots that do
/// not depend on alpha: it only sets the norms that conditions are estimated in.  Cost: two passes
/// over A, a matrix of twice its entries and a diagonal.
template <scalar V>
augmented_system<V> augmented(const csr<V>& a, vec<const dd_real> b);

}  // namespace ddla::refine
