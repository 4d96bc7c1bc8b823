// The operations of blas.hpp by the names of the C++ standard's linear algebra (P1673, C++26).
//
//     namespace la = ddla::linalg;
//     la::matrix_vector_product(a, x, y);            // y = A x
//     la::add(x, y, y);                              // y = x + y
//     const ddla::dd_real s = la::vector_two_norm(y);
//
// Arguments in the order of the standard: inputs, then the output.  Bits, errors thrown and places:
// those of the operation named beside each.
#pragma once

#include "blas.hpp"

namespace ddla::linalg {

/// dot
template <scalar T>
T dot(const vector<T>& x, const vector<T>& y)
{
    return ddla::dot(x, y);
}
/// dot, added to `init`
template <scalar T>
T dot(const vector<T>& x, const vector<T>& y, std::type_identity_t<T> init)
{
    return ddla::detail::plus(init, ddla::dot(x, y));
}

/// nrm2
template <scalar T>
T vector_two_norm(const vector<T>& x)
{
    return ddla::nrm2(x);
}

/// asum
template <scalar T>
T vector_abs_sum(const vector<T>& x)
{
    return ddla::asum(x);
}

/// scal: x = alpha x
template <scalar T>
void scale(std::type_identity_t<T> alpha, vector<T>& x)
{
    ddla::scal(alpha, x);
}

/// copy: y = x
template <scalar T>
void copy(const vector<T>& x, vector<T>& y)
{
    ddla::copy(x, y);
}

/// axpyz: z = x + y
template <scalar T>
void add(const vector<T>& x, const vector<T>& y, vector<T>& z)
{
    ddla::axpyz(T(1), x, y, z);
}

/// spmv: y = A x
template <scalar T, scalar V>
requires acts_on<T, V>
void matrix_vector_product(const csr_matrix<V>& a, const vector<T>& x, vector<T>& y)
{
    ddla::spmv(T(1), a, x, T(0), y);
}
/// spmv: z = y + A x
template <scalar T, scalar V>
requires acts_on<T, V>
void matrix_vector_product(const csr_matrix<V>& a, const vector<T>& x, const vector<T>& y,
                           vector<T>& z)
{
    const bool fits = x.size() == a.columns() && x.where() == a.where() && z.size() == a.rows() &&
                      z.where() == a.where() && &x != &z;
    if (fits && &y != &z) ddla::copy(y, z);
    ddla::spmv(T(1), a, x, T(1), z);  // throws unless it fits: z is as it was
}

}  // namespace ddla::linalg
