// solve() with factors and refinement, for data at any place; the work is done on the host.
#pragma once

#include "engine/engine.hpp"
#include "errors/kept_factors.hpp"
#include "refine/factor_stages.hpp"
#include "refine/inverse.hpp"

#include "ddla/solve.hpp"

#include <optional>

namespace ddla::api {

/// An x of T; or, with its low part, one of four words.
template <scalar T>
struct unknowns {
    vec<T> x;
    vec<dd_real> low = {};

    int words() const { return low.size > 0 ? 4 : words_of<T>; }
};

/// Solves by factors as the options say; A, b and x were checked and live at `at`.  Returns which
/// limit of the options the factors would pass, with both numbers: then x is as it was, and the
/// report only has the plan so far.  Else nothing.  `kept`, if not null: factors of A that solves
/// share.
/// Of a matrix that is not square: see least_squares.hpp.
template <scalar T, scalar V>
std::optional<refine::passed_limit>
solve_by_factors(engine& here, place where, const csr<V>& a, vec<const T> b, unknowns<T> x,
                 const solve_options& options, solve_report& report, refine::kept_factors* kept);

/// The same by corrections that are there.
template <scalar T, scalar V>
void solve_by_corrections(engine& here, place where, const csr<V>& a, vec<const T> b, vec<T> x,
                          const refine::approximate_inverse& approximate,
                          const solve_options& options, solve_report& report);

}  // namespace ddla::api
