// Small systems, solved at the place under test.
#pragma once

#include "place.hpp"
#include "shapes.hpp"

#include "ddla/solve.hpp"

namespace test {

template <class T>
struct solved {
    ddla::vector<T> x;
    ddla::solve_report report;
};

/// A x = b at the place under test.
template <class T>
solved<T> solve(const ddla::csr_matrix<double>& a, const std::vector<double>& b,
                const ddla::solve_options& options = {})
{
    const auto at = place_under_test();
    ddla::vector<T> right(a.rows()), x(a.columns());
    for (ddla::index_t i = 0; i < a.rows(); ++i) right.set(i, T(b[static_cast<std::size_t>(i)]));
    ddla::vector<T> there = x.to(at);
    const auto report = ddla::solve(a.to(at), right.to(at), there, options);
    return {there.to(ddla::host), report};
}

inline std::vector<double> ones(ddla::index_t n)
{
    return std::vector<double>(static_cast<std::size_t>(n), 1);
}

/// Rank 2: row 3 is row 1 + row 2.
inline ddla::csr_matrix<double> of_rank_two()
{
    return matrix_of({{1, 2, 0}, {0.5, 0, 3}, {1.5, 2, 3}});
}

}  // namespace test
