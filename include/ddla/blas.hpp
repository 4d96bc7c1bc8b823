// Vector and sparse operations in double and double-double.
//
//     ddla::vector<ddla::dd_real> x(a.columns(), 1.0), y(a.rows());
//     ddla::spmv(1.0, a, x, 0.0, y);            // y = A x
//     const ddla::dd_real s = ddla::dot(x, y);  // about 32 digits, the same bits everywhere
//
// All arguments of a call live at one place; the operation runs there.  Bits depend on the data
// alone: every sum follows the summation rule (summation.hpp), for any number of threads.
// Shape or place mismatches throw input_error and touch nothing.
#pragma once

#include "csr_matrix.hpp"
#include "host_threads.hpp"
#include "interop/pair.hpp"

#include <span>
#include <vector>

namespace ddla {

/// Sum of x_i y_i.  Reads 2 vectors.
template <scalar T>
T dot(const vector<T>& x, const vector<T>& y);

/// Square root of the sum of squares; neither overflows nor underflows unless the result does
/// (a second, scaled pass when the plain sum leaves the safe range).  Reads 1 vector.
template <scalar T>
T nrm2(const vector<T>& x);

/// Sum of |x_i|.  Reads 1 vector.
template <scalar T>
T asum(const vector<T>& x);

/// y = a x + y.  Reads 2 vectors, writes 1.
template <scalar T>
void axpy(std::type_identity_t<T> a, const vector<T>& x, vector<T>& y);

/// z = a x + y.
template <scalar T>
void axpyz(std::type_identity_t<T> a, const vector<T>& x, const vector<T>& y, vector<T>& z);

/// y = x + a y.
template <scalar T>
void xpay(const vector<T>& x, std::type_identity_t<T> a, vector<T>& y);

/// x = a x.
template <scalar T>
void scal(std::type_identity_t<T> a, vector<T>& x);

/// y = x, at one place.  (`vector::to` copies between places.)
template <scalar T>
void copy(const vector<T>& x, vector<T>& y);

/// y = alpha A x + beta y; with beta == 0, y is not read.
template <scalar T, scalar V>
requires acts_on<T, V>
void spmv(std::type_identity_t<T> alpha, const csr_matrix<V>& a, const vector<T>& x,
          std::type_identity_t<T> beta, vector<T>& y);

/// y_j = alpha A x_j + beta y_j for several vectors, each with the bits that it has alone.  A is
/// read once for eight vectors: on the host if it is stored as compressed rows, which takes eight
/// vectors more of working memory, or as patterns, else once for each; on a device in every format.
/// There, in double-double with A in double, two vectors also share each load from the cache if A
/// is stored as compressed rows, of known lengths (csr_matrix::look_at_rows), or as slices.  No y
/// may be one of the x.
template <scalar T, scalar V>
requires acts_on<T, V>
void spmv(std::type_identity_t<T> alpha, const csr_matrix<V>& a, const std::vector<vector<T>>& x,
          std::type_identity_t<T> beta, std::vector<vector<T>>& y);

/// y = alpha A^T x + beta y.  The first product makes transpose(a), which A and its copies at that
/// place keep: one more matrix of memory.  Bits: those of spmv with transpose(a).
template <scalar T, scalar V>
requires acts_on<T, V>
void spmv_transposed(std::type_identity_t<T> alpha, const csr_matrix<V>& a, const vector<T>& x,
                     std::type_identity_t<T> beta, vector<T>& y);

/// r = b - A x.
template <scalar T, scalar V>
requires acts_on<T, V>
void residual(const csr_matrix<V>& a, const vector<T>& x, const vector<T>& b, vector<T>& r);

/// ||b - A x|| and ||b||, with b - A x computed with at least twice the digits of T (K-fold sums
/// of Ogita, Rump and Oishi 2005 over error-free products) and rounded once to double-double.
struct residual_norms {
    dd_real residual;
    dd_real right_hand_side;
    /// ||b - A x|| / ||b||, right even where the norms underflow; for b = 0 it is 0 when the
    /// residual is, else infinite.
    double relative;
};
template <scalar T, scalar V>
requires acts_on<T, V> residual_norms true_residual(const csr_matrix<V>& a, const vector<T>& x,
                                                    const vector<T>& b);

/// pairs_i = x_i and x_i = pairs_i, word by word: to and from the arrays of others
/// (interop/pair.hpp). As many pairs as x has elements, aligned to 16 bytes, at the place of x, in
/// memory of their own; else input_error.  Done on return.  Cost: 16 bytes read and 16 written an
/// element.
void interleave(const vector<dd_real>& x, std::span<dd_pair> pairs);
void split(std::span<const dd_pair> pairs, vector<dd_real>& x);

/// A 64-bit hash of the bits of x, the same on every machine; all NaNs count as one.
template <scalar T>
std::uint64_t hash_of(const vector<T>& x);

}  // namespace ddla
