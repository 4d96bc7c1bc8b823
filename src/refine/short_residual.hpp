// r = b - A x with just so many digits that a report can tell its norm: a few times as fast as
// residuals of twice the digits of x.
#pragma once

#include "ddla/csr_matrix.hpp"

namespace ddla::refine {

/// At the host, without a format.  From exact products, in sums of three words, of four where rows
/// are long.  Rounding moves r_i by at most 2^-50 |r_i| + short_error(a) (|A| |x| + |b|)_i, unless
/// something underflows.
template <scalar T, scalar V>
void short_residual(const csr<V>& a, vec<const T> x, vec<const T> b, vec<dd_real> r);

template <scalar T, scalar V>
double short_error(const csr<V>& a);

/// Nanoseconds of a processor, about.
template <scalar T, scalar V>
std::int64_t time_of_short_residual(const csr<V>& a);

}  // namespace ddla::refine
