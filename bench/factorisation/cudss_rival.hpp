// cuDSS as a rival, where its header was found.
#pragma once

#include "ddla/csr_matrix.hpp"

#include <cmath>

namespace bench {

/// Seconds of a definite matrix with its own order, factors at the device; infinite where the
/// program was built without it, or it fails.
struct cudss_seconds {
    double analysis = HUGE_VAL, first = HUGE_VAL;  ///< and the first factorisation
    double again = HUGE_VAL;                       ///< the least of two refactorisations
    double solve = HUGE_VAL, solve_8 = HUGE_VAL;   ///< of one right-hand side, and of eight
    double residual = HUGE_VAL;                    ///< ||b - A x|| / ||b|| of one, b = ones

    double whole() const { return analysis + first + solve; }
};
cudss_seconds measure_cudss(const ddla::csr_matrix<double>& a, bool in_double_double);

}  // namespace bench
