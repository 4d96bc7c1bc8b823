// What of a matrix decides how it is iterated where its factors are too large.
#pragma once

#include "ddla/method.hpp"
#include "ddla/views.hpp"

namespace ddla::api {

struct matrix_shape {
    /// Symmetric, in pattern and values, with a positive diagonal: what every symmetric positive
    /// definite matrix is.
    bool may_be_definite = false;
    /// The trace of A^2, by high words: the sum of the squares of the eigenvalues.
    double sum_of_squares = 0;
};

/// Of a square matrix at the host.  Cost: a transpose, and a pass over both.
template <scalar V>
matrix_shape shape_of(const csr<V>& a);

/// Of nonsymmetric iterations.  Where the squares of the eigenvalues have a negative sum, their
/// imaginary parts outweigh their real ones, in the mean square: BiCGStab(2), whose polynomials of
/// degree 2 have conjugate zeros.  Else BiCGStab.
method nonsymmetric_method(const matrix_shape& shape);

}  // namespace ddla::api
