// Bytes that an iteration of a solver must move at least.
#pragma once

#include "ddla/solve.hpp"
#include "ddla/sparse_format.hpp"

namespace bench {

/// Vectors gathered from and vectors read or written in order, and matrices: what is counted above
/// the steps in src/steps/bicgstab.hpp and cg.hpp.
struct traffic {
    int matrices, vectors;
};

constexpr traffic traffic_of(ddla::method m)
{
    return m == ddla::method::cg ? traffic{1, 1 + 11} : traffic{2, 2 + 18};
}

/// With the matrix as it is stored; solves without a preconditioner.
template <ddla::scalar T>
double bytes_of_iteration(const ddla::csr_matrix<double>& a, ddla::method m)
{
    const traffic t = traffic_of(m);
    return t.matrices * static_cast<double>(ddla::format_of(a).product_bytes) +
           t.vectors * static_cast<double>(sizeof(T)) * static_cast<double>(a.rows());
}

}  // namespace bench
