// How far an x is from the reference, and what it makes of the equations.
#pragma once

#include "reference.hpp"

#include <array>

namespace ddla::validate {

/// More digits than the reference promises are not counted.
inline constexpr int most_digits = 40;

/// A component of x beside the reference.
struct component {
    index_t index;  ///< from 1, as in the file
    double digits;
    std::string x, reference;
};

/// Right digits are -log10(|x_i - ref_i| / |ref_i|), from 0 to most_digits.  Where the reference is
/// zero, an x_i that is zero is right to most_digits, any other has 0 digits; tiny references are
/// no exception.  An x_i that is not finite has 0.
struct right_digits {
    double worst = most_digits, median = most_digits;
    double normwise = most_digits;  ///< of ||x - ref||_inf / ||ref||_inf
    double error = 0;               ///< that quotient
    index_t tiny = 0,
            wrong_tiny = 0;  ///< references that are no normal double, those without a right digit
    std::array<index_t, most_digits + 1> histogram{};  ///< by whole digits
    std::vector<component> worst_five;  ///< the worst first, those of all digits left out
};

/// r = b - A x, everything in 512 bits.  NaN if x is not finite.
struct backward_errors {
    double eta = 0;   ///< ||r|| / (||A|| ||x|| + ||b||), infinity norms (Rigal, Gaches 1967)
    double berr = 0;  ///< max |r_i| / (|A| |x| + |b|)_i (Oettli, Prager 1964; LAPACK's BERR)
    /// The same over the rows whose denominator is above 1000 n eps (||A_i||_1 ||x|| + |b_i|), and
    /// max |r_i| / ((|A| |x|)_i + ||A_i||_1 ||x||) over the others, 0 if there are none (Arioli,
    /// Demmel, Duff, SIMAX 10, 1989; MUMPS's RINFOG(7) and (8)).  ||A_i||_1 is the sum of |a_ij|.
    double omega1 = 0, omega2 = 0;
};

template <scalar T>
right_digits compare(const vector<T>& x, const mp_vector& reference);

/// `epsilon`: of the arithmetic that x was computed in.
template <scalar T>
backward_errors look_back(const csr_matrix<double>& a, const vector<double>& b, const vector<T>& x,
                          double epsilon);

/// LAPACK's FERR: || |A^-1| |r| ||_inf / ||x||_inf, but for the estimate a bound of
/// ||x - ref||_inf / ||x||_inf.  LAPACK adds to |r| what rounding r may cost; this r is exact to
/// 512 bits.  Infinite if x is zero and r is not.
template <scalar T>
double error_bound(const csr_matrix<double>& a, const vector<double>& b, const vector<T>& x,
                   const reference& ref, const solve_look& look = {});

/// || |A^-1| |A| |x| ||_inf / ||x||_inf at the reference, estimated (Skeel 1979).
double skeel_condition(const csr_matrix<double>& a, const reference& ref,
                       const solve_look& look = {});

}  // namespace ddla::validate
