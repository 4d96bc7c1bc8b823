// Solves by Krylov methods, of any system.
#pragma once

#include "calls/stopwatch.hpp"
#include "operators/system_map.hpp"

#include "ddla/solve.hpp"

#include <span>

namespace ddla::api {

/// One of several systems with the same A.
template <scalar T>
struct system_column {
    vec<const T> b;
    vec<T> x;
    solve_options options;  ///< they differ in `watch` alone
    solve_report& report;
};

/// By options.method, a Krylov method, in lock-step where the engine can; what solve() checks was
/// checked.  Fills what the reports say of iterations, residuals and status, and peak_bytes without
/// the system.
template <scalar T>
void iterate(engine& here, const system_map<T>& a, const preconditioner<T>& k,
             std::span<const system_column<T>> all);

/// One solve and no report of it: for a b that is not zero, from the guess in x.  `history`, if not
/// null: as solve_report::history.  `renew`: only with a preconditioner that is a map.
template <scalar T>
solve_result krylov_solve(engine& here, const system_map<T>& a, const preconditioner<T>& k,
                          vec<const T> b, vec<T> x, const solve_options& options,
                          std::vector<double>* history, const renewal<T>& renew);

/// What reports call it: "(p, A p)".
const char* name_of(steps::named_scalar s);

/// What an iteration of a solve with so many rows moves, on average.
template <scalar T>
std::size_t bytes_of_iteration(index_t rows, const steps::ending& e);

}  // namespace ddla::api
