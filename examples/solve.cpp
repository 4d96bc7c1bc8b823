// Reads a matrix, solves A x = 1 in double-double, and says how well that went.
#include <ddla/ddla.hpp>

#include <iostream>

int main(int, char** arguments)
{
    const ddla::csr_matrix<double> a = ddla::read_matrix<double>(arguments[1]);
    const ddla::vector<ddla::dd_real> b(a.rows(), 1.0);
    ddla::vector<ddla::dd_real> x(a.rows());

    const ddla::solve_report report = ddla::solve(a, b, x, {.tolerance = 1e-20});
    std::cout << ddla::to_string(report.status) << " after " << report.iterations
              << " iterations, true residual " << report.true_relative_residual << "\n"
              << "x[0] = " << ddla::to_string(x[0]) << "\n";
    return report.status == ddla::solve_status::converged ? 0 : 1;
}
