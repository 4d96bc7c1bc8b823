// Errors of a computed x against a reference answer, in MPFR with 256 bits.
#pragma once

#include "reference_answers.hpp"

#include "ddla/dd_real.hpp"

namespace reference {

struct errors {
    double normwise = 0;        ///< max |e_i| / max |x_i|
    double componentwise = 0;   ///< max |e_i| / |x_i|, see errors_of
    double norm1 = 0;           ///< |e|_1 / |x|_1
    double residual = 0;        ///< |r|_2 / |b|_2
    double backward = 0;        ///< max |r_i| / (|A| |x| + |b|)_i
    double backward_norm1 = 0;  ///< |r|_1 / (|A|_1 |x|_1)
};

/// Of `computed`, with e = computed - x and r = b - A computed; the x of the backward errors is the
/// reference.  Where x is zero, a component is right if it is smaller than the smallest normal
/// number, else the componentwise error is infinite.
errors errors_of(const ddla::csr_matrix<double>& a, const std::vector<double>& b,
                 const mpfr_vector& x, const mpfr_vector& computed);

/// Exact but for words that are more than 200 bits apart.
mpfr_vector widened(const ddla::vector<double>& x);
mpfr_vector widened(const ddla::vector<ddla::dd_real>& x);

/// x rounded to the nearest double (1 word), and the rest to the nearest double (2 words).
mpfr_vector rounded(const mpfr_vector& x, int words);

/// Upper bounds of the forward error that follow from backward errors, without terms left out.
/// With |A^-1| |A| |x| =: w and r bounded by omega (|A| |x| + |b|) <= 2 omega |A| |x|:
///   |e|_inf <= 2 omega |w|_inf, so normwise <= 2 backward cond(A, x);
///   |e|_1 <= |A^-1|_1 |r|_1, so norm1 <= backward_norm1 kappa_1.
/// Estimated conditions are lower bounds, taken to be right within a factor of 10.
double bound_of_normwise(const errors& e, const condition& skeel);
double bound_of_norm1(const errors& e, const condition& kappa1);

}  // namespace reference
