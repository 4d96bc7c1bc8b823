// Test matrices by formula: the same bits on every machine.
//
//     ddla::csr_matrix<double> a = ddla::generate::poisson3d(100, 100, 100);
//
// Rows hold their entries in ascending order of the columns.  Sizes below 1, more than 2^31 - 1
// rows, and parameters that are not finite throw input_error with the numbers.
#pragma once

#include "csr_matrix.hpp"

namespace ddla::generate {

/// 5-point Laplacian on an nx x ny grid, Dirichlet, 4 on the diagonal.  x runs fastest.
csr_matrix<double> poisson2d(index_t nx, index_t ny);

/// 7-point Laplacian on an nx x ny x nz grid, Dirichlet, 6 on the diagonal.  x runs fastest.
csr_matrix<double> poisson3d(index_t nx, index_t ny, index_t nz);

/// 7-point convection-diffusion on an nx x ny x nz grid: -Laplace(u) + c du/dx with central
/// differences and a shift: off-diagonals -1 in y and z, -1-c in -x, -1+c in +x, diagonal 6+shift.
csr_matrix<double> convection_diffusion(index_t nx, index_t ny, index_t nz, double convection = 0.3,
                                        double shift = 0.05);

/// The nonsymmetric Toeplitz matrix of the quad-precision literature (test5 of Lis): 2 on the
/// diagonal, 1 above it, gamma two below it.  The larger gamma, the harder.
csr_matrix<double> toeplitz(index_t n, double gamma);

/// A band of the Hilbert matrix, 1 / (i + j + 1) with |i - j| <= bandwidth and i, j from 0; each
/// value is the V nearest to the fraction.  With bandwidth n - 1 it is the Hilbert matrix.
template <scalar V>
csr_matrix<V> hilbert_like(index_t n, index_t bandwidth);

/// `per_row` entries a row: one on the diagonal, the others at random columns with values between
/// -1 and 1.  Diagonally dominant by rows: a_ii = (1 + dominance) * (sum of the other |a_ij|),
/// dominance > 0.
csr_matrix<double> random(index_t n, index_t per_row, double dominance, std::uint64_t seed);

/// Row lengths by a power law, with a mean of about `per_row`: the row of rank k (ranks are dealt
/// out at random) has a length proportional to k^-exponent, at least 1 and at most n.  With an
/// exponent near 1 a few rows hold much of the matrix.  0 <= exponent <= 4.  Values as in random()
/// with a dominance of 0.1.
csr_matrix<double> skewed(index_t n, index_t per_row, double exponent, std::uint64_t seed);

extern template csr_matrix<double> hilbert_like(index_t, index_t);
extern template csr_matrix<dd_real> hilbert_like(index_t, index_t);

}  // namespace ddla::generate
