#include "double_lu.hpp"

#include "elimination.hpp"

#if defined(DDLA_UMFPACK)
#include <Eigen/UmfPackSupport>
#endif
#if defined(DDLA_SUPERLU)
#include <Eigen/SuperLUSupport>
#endif

#include <cmath>

namespace reference {

namespace {

template <class Solver>
bool solve_with(const ddla::csr_matrix<double>& a, const std::vector<double>& b,
                std::vector<double>& x)
{
    const eigen_matrix<double> matrix = to_eigen<double>(a);
    Solver solver;
    solver.compute(matrix);
    if (solver.info() != Eigen::Success) return false;
    const Eigen::Map<const Eigen::VectorXd> right(b.data(), static_cast<Eigen::Index>(b.size()));
    const Eigen::VectorXd solution = solver.solve(Eigen::VectorXd(right));
    x.assign(solution.data(), solution.data() + solution.size());
    return solution.allFinite();
}

}  // namespace

const std::vector<double_lu>& double_lus()
{
    using matrix = eigen_matrix<double>;
    static const std::vector<double_lu> all = {
        {"Eigen", solve_with<Eigen::SparseLU<matrix, Eigen::COLAMDOrdering<int>>>},
#if defined(DDLA_UMFPACK)
        {"UMFPACK", solve_with<Eigen::UmfPackLU<matrix>>},
#endif
#if defined(DDLA_SUPERLU)
        {"SuperLU", solve_with<Eigen::SuperLU<matrix>>},
#endif
    };
    return all;
}

}  // namespace reference
