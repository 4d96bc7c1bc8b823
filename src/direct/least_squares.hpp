// Least squares, and answers of least norm, by factors of the augmented system.
#pragma once

#include "solve_by_factors.hpp"

namespace ddla::api {

/// As solve_by_factors, of a matrix that is not square; see refine/augmented.hpp.  With more rows
/// than columns x minimises ||b - A x||, else ||x|| where A x = b.  Errors and digits are those of
/// x.  Where A has not full rank, automatic solves get that as the limit that was passed; others
/// end as singular.
template <scalar T, scalar V>
std::optional<refine::passed_limit>
least_squares_by_factors(engine& here, place where, const csr<V>& a, vec<const T> b, unknowns<T> x,
                         const solve_options& options, solve_report& report,
                         refine::kept_factors* kept);

/// Of r = b - A x: ||r|| / ||b||, and ||A^T r|| / (||A|| ||r||).
struct least_squares_residuals {
    double relative = 0, normal = 0;
};
template <scalar V>
least_squares_residuals residuals_of(const csr<V>& a, vec<const dd_real> b,
                                     refine::const_solution_view x);

}  // namespace ddla::api
