// Sparse LU in double by others: what an x from a direct solver is worth.
#pragma once

#include "ddla/csr_matrix.hpp"

#include <string>
#include <vector>

namespace reference {

struct double_lu {
    std::string name;
    /// Whether A could be factored; x is the solution.
    bool (*solve)(const ddla::csr_matrix<double>& a, const std::vector<double>& b,
                  std::vector<double>& x);
};

/// Eigen's SparseLU (COLAMD), and where they were found UMFPACK and SuperLU, all with their default
/// options: UMFPACK refines x twice, SuperLU equilibrates A.
const std::vector<double_lu>& double_lus();

}  // namespace reference
