// A solve at the place under test of what is at the host.
#pragma once

#include "place.hpp"

#include "ddla/solve.hpp"

namespace test {

/// From x, which becomes the answer.
template <class T>
ddla::solve_report solve_there(const ddla::csr_matrix<double>& a, const ddla::vector<T>& b,
                               ddla::vector<T>& x, const ddla::solve_options& options,
                               const ddla::preconditioner<T>& k = {})
{
    auto x_there = x.to(place_under_test());
    const auto report =
        ddla::solve(a.to(place_under_test()), k, b.to(place_under_test()), x_there, options);
    x = x_there.to(ddla::host);
    return report;
}

/// The true residual after n iterations from 0, for b of ones.
template <class T>
double residual_after(const ddla::preconditioner<T>& k, const ddla::csr_matrix<double>& a,
                      ddla::method m, int n)
{
    const ddla::vector<T> b(a.rows(), T(1));
    ddla::vector<T> x(a.rows());
    return solve_there(a, b, x, {.method = m, .tolerance = 0, .max_iterations = n}, k)
        .true_relative_residual;
}

}  // namespace test
