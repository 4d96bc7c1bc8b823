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

}  // namespace test
