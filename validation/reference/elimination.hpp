// Sparse elimination in as many digits as wanted: Eigen's SparseLU over MPFR numbers of Boost.
// Nothing of ddla's arithmetic is used.
#pragma once

#include "ddla/csr_matrix.hpp"

#include <boost/multiprecision/eigen.hpp>
#include <boost/multiprecision/mpfr.hpp>

#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>

#include <memory>

namespace reference {

using number = boost::multiprecision::number<boost::multiprecision::mpfr_float_backend<0>,
                                             boost::multiprecision::et_off>;
using number_vector = Eigen::Matrix<number, Eigen::Dynamic, 1>;

template <class T>
using eigen_matrix = Eigen::SparseMatrix<T, Eigen::ColMajor>;

/// A in another number type; exact for types that hold doubles.
template <class T>
eigen_matrix<T> to_eigen(const ddla::csr_matrix<double>& a)
{
    const ddla::csr<double> m = a.view();
    std::vector<Eigen::Triplet<T, int>> entries;
    for (ddla::index_t i = 0; i < m.rows; ++i)
        for (ddla::index_t k = m.row_begin[i]; k < m.row_begin[i + 1]; ++k)
            if (const double value = m.value.get(k); value != 0)
                entries.emplace_back(static_cast<int>(i), m.column[k], T(value));
    eigen_matrix<T> to(m.rows, m.columns);
    to.setFromTriplets(entries.begin(), entries.end());
    return to;
}

/// L U with COLAMD and partial pivoting, in this many decimal digits.  Sets the precision of all
/// numbers made later: one elimination at a time.
class elimination {
public:
    elimination(const ddla::csr_matrix<double>& a, unsigned digits) : digits_(digits)
    {
        activate();
        lu_.analyzePattern(to_eigen<number>(a));
        lu_.factorize(to_eigen<number>(a));
    }
    unsigned digits() const { return digits_; }
    /// New numbers have the digits of this elimination.
    void activate() const { number::default_precision(digits_); }
    /// False if a pivot was exactly zero.
    bool succeeded() const { return lu_.info() == Eigen::Success; }
    ddla::index_t nonzeros() const { return lu_.nnzL() + lu_.nnzU(); }

    number_vector solve(const number_vector& b) const { return lu_.solve(b); }
    number_vector solve_transposed(const number_vector& b) { return lu_.transpose().solve(b); }
    number_vector solve(const std::vector<double>& b) const
    {
        number_vector to(static_cast<Eigen::Index>(b.size()));
        for (std::size_t i = 0; i < b.size(); ++i) to[static_cast<Eigen::Index>(i)] = b[i];
        return solve(to);
    }

private:
    unsigned digits_;
    Eigen::SparseLU<eigen_matrix<number>, Eigen::COLAMDOrdering<int>> lu_;
};

/// Whether all pivots of L D L^T are positive.  A must be symmetric.
inline bool is_definite(const ddla::csr_matrix<double>& a, unsigned digits)
{
    number::default_precision(digits);
    const Eigen::SimplicialLDLT<eigen_matrix<number>> ldlt(to_eigen<number>(a));
    if (ldlt.info() != Eigen::Success) return false;
    const number_vector d = ldlt.vectorD();
    for (Eigen::Index i = 0; i < d.size(); ++i)
        if (!(d[i] > 0)) return false;
    return true;
}

}  // namespace reference
