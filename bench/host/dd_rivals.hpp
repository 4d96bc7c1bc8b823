// Solvers and vector operations of other libraries in double-double, on the host.
#pragma once

#include "ddla/csr_matrix.hpp"

#include <memory>
#include <string>
#include <vector>

namespace bench {

enum class krylov { bicgstab, cg };

/// A x = b, b = ones, from x = 0.
class solving_rival {
public:
    virtual ~solving_rival() = default;
    virtual void set_threads(int threads) = 0;
    /// From the start, so many iterations, without a preconditioner.
    virtual void solve(krylov method, int iterations) = 0;
    virtual ddla::vector<ddla::dd_real> solution() const = 0;
};

/// Operations on x and y, which have the same size.
class vector_rival {
public:
    virtual ~vector_rival() = default;
    virtual void set_threads(int threads) = 0;
    virtual ddla::dd_real dot() = 0;
    virtual void axpy(ddla::dd_real alpha) = 0;  ///< y += alpha x
    virtual ddla::dd_real nrm2() = 0;            ///< of x

    std::string name;
};

std::unique_ptr<solving_rival> lis_solver(const ddla::csr_matrix<double>& a);

using vector_rival_maker = std::unique_ptr<vector_rival>(const ddla::vector<ddla::dd_real>& x,
                                                         const ddla::vector<ddla::dd_real>& y);
vector_rival_maker lis_vectors, qd_vectors;

/// Those that were built in; null, or none.
std::unique_ptr<solving_rival> solving_rival_of(const ddla::csr_matrix<double>& a);
std::vector<std::unique_ptr<vector_rival>> vector_rivals_of(const ddla::vector<ddla::dd_real>& x,
                                                            const ddla::vector<ddla::dd_real>& y);

}  // namespace bench
