// The reference solution: x of A x = b with A and b as they are stored, to 40 digits and more.
//
// A level is a factorisation in 128, 256, 512, … bits.  Its x is refined with residuals of so many
// bits that each component is right down to the smallest normal double.  A reference is the x of a
// level that agrees with the x of another, of half the bits.
#pragma once

#include "mp_vectors.hpp"
#include "sparse_lu.hpp"

#include <filesystem>
#include <functional>

namespace ddla::validate {

/// What the work may take.
struct reference_limits {
    index_t rows = 200'000;
    std::size_t bytes = 0;  ///< of the factors
    double seconds = 3600;  ///< estimated, for all levels so far and the next
    int bits = 4096;        ///< of the largest level, 128 times a power of 2
};

struct reference_progress {
    const char* what;  ///< "column", "refinement step"
    int bits;          ///< of the level; 53 while the fill is counted
    index_t done, of;  ///< of = 0: not known
};

/// Returns false to end the work.
using reference_watch = std::function<bool(const reference_progress&)>;

/// Thrown where a watch ended the work.
struct interrupted_reference {};

struct reference {
    mp_vector x;
    lu_factors<mp_number> factors;  ///< of the level with more bits
    double agreed_digits = 0;       ///< of all components of at least the smallest normal double
    double rcond = 0;               ///< estimated, in the 1-norm
    int bits = 0, lower_bits = 0;   ///< of the two levels
    long x_bits = 0;                ///< of x
};

/// Throws input_error for a singular matrix: proved by its structure, or as far as limits.bits can
/// tell; resource_error where the counts of a trial in double exceed the limits, and where no two
/// levels agree to 40 digits.  `file` is A's, for messages.  A square, b of its size, both at the
/// host and finite.
reference make_reference(const csr_matrix<double>& a, const vector<double>& b,
                         const std::filesystem::path& file, const reference_limits& limits,
                         const reference_watch& watch);

/// An estimate of || |A^-1| w ||_inf, w >= 0, at the bits of the factors: Higham's estimator for
/// (A^-1 diag(w))^T, as in LAPACK's xGERFS.
mp_number weighted_inverse_norm(const lu_factors<mp_number>& factors, const mp_vector& w);

}  // namespace ddla::validate
