// How far the system is from one that x solves exactly.
#pragma once

#include "refine/host_system.hpp"

#include "ddla/error_estimates.hpp"

#include <cmath>
#include <optional>

namespace ddla::refine {

/// From r = b - A x with 265 bits or more.  All are NaN if x is not finite, 0 where a quotient is 0
/// / 0.
struct backward_errors {
    /// ||r|| / (||A|| ||x|| + ||b||), infinity norms (Rigal, Gaches 1967).
    double normwise = 0;
    /// max |r_i| / (|A| |x| + |b|)_i (Oettli, Prager 1964; LAPACK's BERR).
    double componentwise = 0;
    /// The same over rows whose denominator is above tau_i = 1000 n eps (||A_i||_inf ||x|| +
    /// |b_i|), and over the others with the denominator (|A| |x|)_i + ||A_i||_1 ||x|| (Arioli,
    /// Demmel, Duff, SIAM J. Matrix Anal. Appl. 10(2), 1989).
    double omega1 = 0, omega2 = 0;
    /// The smallest (|A| |x| + |b|)_i that is not 0, times the scale of the residual.  Where it is
    /// near underflow, products of that row are not exact.
    double smallest_row = HUGE_VAL;
    /// That of host_system, from the same residual; nothing if x is not finite.
    std::optional<double> relative_residual = {};
};

/// Their place among what is known of x.
void store(const backward_errors& errors, error_estimates& in);

/// eps is that of x: 2^-52, 2^-104 or 2^-208.  Cost: one product of exact terms and one pass over
/// A.
template <scalar V>
backward_errors backward_errors_of(const host_system<V>& system, const_solution_view x, double eps);

}  // namespace ddla::refine
