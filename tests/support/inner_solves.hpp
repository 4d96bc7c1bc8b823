// Solves by corrections in double, at the place under test.
#pragma once

#include "place.hpp"

#include "ddla/solve.hpp"

namespace test {

inline ddla::solve_options refining(ddla::preconditioning p, double tolerance)
{
    return {.method = ddla::method::refinement, .precond = p, .tolerance = tolerance};
}

template <class T>
struct solved {
    ddla::solve_report report;
    ddla::vector<T> x;
};

/// From `guess`, at the place under test.
template <class T, class V>
solved<T> solve_refining(const ddla::csr_matrix<V>& a, const ddla::vector<T>& b,
                         const ddla::vector<T>& guess, const ddla::solve_options& options,
                         const ddla::preconditioner<T>& k = {})
{
    auto x = guess.to(place_under_test());
    const auto report =
        ddla::solve(a.to(place_under_test()), k, b.to(place_under_test()), x, options);
    return {report, x.to(ddla::host)};
}
template <class T, class V>
solved<T> solve_refining(const ddla::csr_matrix<V>& a, const ddla::vector<T>& b,
                         const ddla::solve_options& options, const ddla::preconditioner<T>& k = {})
{
    return solve_refining(a, b, ddla::vector<T>(a.rows()), options, k);
}

/// Values times 1/3, which need both words of V.
template <class V>
ddla::csr_matrix<V> thirds(const ddla::csr_matrix<double>& a)
{
    const ddla::csr<double> view = a.view();
    ddla::coordinates<V> c{.rows = a.rows(), .columns = a.columns()};
    for (ddla::index_t i = 0; i < view.rows; ++i)
        for (ddla::index_t k = view.row_begin[i]; k < view.row_begin[i + 1]; ++k)
            c.add(i, view.column[k], V(view.value.get(k)) / V(3));
    return ddla::csr_matrix<V>(c);
}

}  // namespace test
