// Lis in its quad precision (double-double): BiCGStab with ILU(0).  It returns x in double.
#include "../host/lis_parts.hpp"
#include "methods.hpp"

namespace hard {

void run_lis(const problem& p, outcome& out, ddla::dd_real* to)
{
    omp_set_num_threads(1);
    const bench::lis_matrix a(p.a);
    bench::lis_vector b(a, false), x(a, false);
    ddla::vector<ddla::dd_real> right(p.a.rows());
    for (ddla::index_t i = 0; i < right.size(); ++i) right.set(i, ddla::dd_real(p.b[i]));
    b.set(right);
    LIS_SOLVER solver = nullptr;
    bench::check_lis(lis_solver_create(&solver));
    char options[] = "-f quad -i bicgstab -p ilu -ilu_fill 0 -maxiter 10000 -tol 1e-12";
    bench::check_lis(lis_solver_set_option(options, solver));
    const double begin = processor_seconds();
    const LIS_INT error = lis_solve(a, b, x, solver);
    out.seconds = processor_seconds() - begin;
    LIS_INT status = 0;
    bench::check_lis(lis_solver_get_status(solver, &status));
    out.claims = error == LIS_SUCCESS && status == LIS_SUCCESS;
    set_status(out, out.claims
                        ? "converged"
                        : "error " + std::to_string(error) + " status " + std::to_string(status));
    const auto found = x.get();
    for (ddla::index_t i = 0; i < found.size(); ++i) to[i] = found[i];
    out.has_x = true;
}

std::string lis_version()
{
    return std::string("Lis ") + LIS_VERSION;
}

}  // namespace hard
