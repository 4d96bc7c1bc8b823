// Eigen's matrices and vectors in and out; dd_real as a scalar of Eigen.  Eigen 3.4.
//
//     Eigen::SparseMatrix<double> a(n, n);
//     a.setIdentity();
//     const Eigen::VectorXd b = Eigen::VectorXd::Ones(n);
//     ddla::vector<ddla::dd_real> x(n);
//     ddla::solve(ddla::from_eigen(a), ddla::from_eigen<ddla::dd_real>(b), x);
//     Eigen::VectorX<ddla::dd_real> answer = ddla::to_eigen(x);
//
//     // Eigen's dense LU (<Eigen/LU>), QR and eigenvalues: 31 digits.
//     const Eigen::MatrixX<ddla::dd_real> dense(a.cast<ddla::dd_real>());
//     answer = dense.partialPivLu().solve(answer);
//
// Eigen's own sums do not follow ddla's summation rule: what Eigen computes may have other bits
// with another version or compiler.  As everywhere with dd_real: never with -ffast-math.
#pragma once

#include "csr_matrix.hpp"
#include "dd_real.hpp"

#include <Eigen/Core>
#include <Eigen/SparseCore>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace Eigen {

/// Costs in flops.  No packets: Eigen's loops over dd_real are not vectorised.
template <>
struct NumTraits<ddla::dd_real> : GenericNumTraits<ddla::dd_real> {
    enum {
        IsComplex = 0,
        IsInteger = 0,
        IsSigned = 1,
        RequireInitialization = 0,
        ReadCost = 2,
        AddCost = 20,
        MulCost = 9
    };
    /// What Eigen takes for equal without a tolerance given: 1e-12 for double, and so here.
    static ddla::dd_real dummy_precision() { return 1e-28; }
};

/// A double and a dd_real make a dd_real, in either order.
template <class Operation>
struct ScalarBinaryOpTraits<double, ddla::dd_real, Operation> {
    using ReturnType = ddla::dd_real;
};
template <class Operation>
struct ScalarBinaryOpTraits<ddla::dd_real, double, Operation> {
    using ReturnType = ddla::dd_real;
};

}  // namespace Eigen

namespace ddla {

/// A sparse matrix of Eigen, or an expression of such: by rows or by columns, compressed or not,
/// any type of index, with values in double or dd_real.  Rows keep the order of their entries;
/// stored zeros stay.  Throws input_error for more than 2^31 - 1 rows or columns.  Cost: two passes
/// over the entries, one more matrix.
template <class Derived>
requires scalar<typename Derived::Scalar> csr_matrix<typename Derived::Scalar>
from_eigen(const Eigen::SparseMatrixBase<Derived>& a)
{
    using V = typename Derived::Scalar;
    constexpr index_t most = csr_matrix<V>::max_dimension;
    const index_t rows = a.rows(), columns = a.cols();
    if (rows > most || columns > most)
        throw input_error("a matrix of Eigen with " + std::to_string(rows) + " rows and " +
                          std::to_string(columns) + " columns: at most " + std::to_string(most) +
                          " of each are possible");
    // Expressions are evaluated once, a matrix or a map of one is read where it is.
    const Eigen::Ref<const Eigen::SparseMatrix<
        V, Derived::IsRowMajor ? Eigen::RowMajor : Eigen::ColMajor, typename Derived::StorageIndex>>
        entries(a.derived());
    using iterator = typename decltype(entries)::InnerIterator;

    std::vector<index_t> row_begin(static_cast<std::size_t>(rows) + 1);
    for (Eigen::Index k = 0; k < entries.outerSize(); ++k)
        for (iterator e(entries, k); e; ++e) ++row_begin[static_cast<std::size_t>(e.row()) + 1];
    for (std::size_t i = 1; i < row_begin.size(); ++i) row_begin[i] += row_begin[i - 1];

    std::vector<index_t> next = row_begin;
    std::vector<column_t> column(static_cast<std::size_t>(row_begin.back()));
    vector<V> value(row_begin.back());
    const vec<V> values = value.view();
    for (Eigen::Index k = 0; k < entries.outerSize(); ++k)
        for (iterator e(entries, k); e; ++e) {
            const index_t at = next[static_cast<std::size_t>(e.row())]++;
            column[static_cast<std::size_t>(at)] = static_cast<column_t>(e.col());
            values.set(at, e.value());
        }
    return {rows, columns, std::move(row_begin), std::move(column), std::move(value)};
}

/// A vector of Eigen, or an expression that is one row or one column; T is its type of number or a
/// wider one.  Throws input_error for other shapes.
template <scalar T, class Derived>
requires acts_on<T, typename Derived::Scalar> vector<T>
from_eigen(const Eigen::MatrixBase<Derived>& x)
{
    if (x.rows() != 1 && x.cols() != 1)
        throw input_error("a vector has one row or one column, this matrix of Eigen is " +
                          std::to_string(x.rows()) + " x " + std::to_string(x.cols()));
    const auto& numbers = x.derived().eval();
    vector<T> result(numbers.size());
    const vec<T> to = result.view();
    const bool is_column = numbers.cols() == 1;
    for (Eigen::Index i = 0; i < numbers.size(); ++i)
        to.set(i, T(is_column ? numbers(i, 0) : numbers(0, i)));
    return result;
}
template <class Derived>
requires scalar<typename Derived::Scalar> vector<typename Derived::Scalar>
from_eigen(const Eigen::MatrixBase<Derived>& x)
{
    return from_eigen<typename Derived::Scalar>(x);
}

/// The same numbers.  A vector of doubles on the host needs no copy: Eigen::Map on x.word(0).
template <scalar T>
Eigen::Matrix<T, Eigen::Dynamic, 1> to_eigen(const vector<T>& x)
{
    if (!x.where().is_host()) return to_eigen(x.to(host));
    Eigen::Matrix<T, Eigen::Dynamic, 1> result(x.size());
    const vec<const T> from = x.view();
    for (index_t i = 0; i < x.size(); ++i) result(i) = from.get(i);
    return result;
}

/// The same matrix by rows, compressed, each row in ascending order as Eigen needs it; entries at
/// one place are summed, in their order, by the summation rule.  Throws input_error if Index does
/// not hold the number of entries, rows or columns.
template <class Index = int, scalar V>
Eigen::SparseMatrix<V, Eigen::RowMajor, Index> to_eigen(const csr_matrix<V>& a)
{
    if (!a.where().is_host()) return to_eigen<Index>(a.to(host));
    const csr<V> from = a.view();
    bool ascends = true;
    for (index_t i = 0; i < from.rows && ascends; ++i)
        for (index_t k = from.row_begin[i] + 1; k < from.row_begin[i + 1]; ++k)
            ascends = ascends && from.column[k - 1] < from.column[k];
    if (!ascends) {
        coordinates<V> entries{.rows = a.rows(), .columns = a.columns()};
        for (index_t i = 0; i < from.rows; ++i)
            for (index_t k = from.row_begin[i]; k < from.row_begin[i + 1]; ++k)
                entries.add(i, from.column[k], from.value.get(k));
        return to_eigen<Index>(csr_matrix<V>(entries));
    }
    constexpr auto most = static_cast<std::int64_t>(std::numeric_limits<Index>::max());
    const index_t largest = std::max({a.rows(), a.columns(), a.nonzeros()});
    if (largest > most)
        throw input_error("indices up to " + std::to_string(most) + " do not hold a matrix with " +
                          std::to_string(a.rows()) + " rows, " + std::to_string(a.columns()) +
                          " columns and " + std::to_string(a.nonzeros()) + " entries");
    Eigen::SparseMatrix<V, Eigen::RowMajor, Index> result(a.rows(), a.columns());
    result.resizeNonZeros(a.nonzeros());
    for (index_t i = 0; i <= from.rows; ++i)
        result.outerIndexPtr()[i] = static_cast<Index>(from.row_begin[i]);
    for (index_t k = 0; k < a.nonzeros(); ++k) {
        result.innerIndexPtr()[k] = static_cast<Index>(from.column[k]);
        result.valuePtr()[k] = from.value.get(k);
    }
    return result;
}

}  // namespace ddla
