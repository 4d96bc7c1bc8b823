// Vectors of MPFR's numbers: residuals, products with magnitudes, norms.
#pragma once

#include "mp_number.hpp"

#include "ddla/csr_matrix.hpp"

#include <vector>

namespace ddla::validate {

using mp_vector = std::vector<mp_number>;

/// Elements as they are: 2112 bits hold any dd_real.
template <scalar T>
mp_vector exact(const vector<T>& x)
{
    mp_vector y;
    for (index_t i = 0; i < x.size(); ++i) y.push_back(mp_number(2112, dd_real(x[i])));
    return y;
}

/// b - A x in numbers of `bits` bits, each product and difference rounded.
mp_vector residual(const csr_matrix<double>& a, const vector<double>& b, const mp_vector& x,
                   mpfr_prec_t bits);

/// |A| |x|, without b.
mp_vector magnitudes(const csr_matrix<double>& a, const mp_vector& x, mpfr_prec_t bits);

/// max |x_i|, 0 for none.
mp_number largest_magnitude(const mp_vector& x, mpfr_prec_t bits);

/// max |a - b|; both of one size.
mp_number largest_difference(const mp_vector& a, const mp_vector& b, mpfr_prec_t bits);

}  // namespace ddla::validate
