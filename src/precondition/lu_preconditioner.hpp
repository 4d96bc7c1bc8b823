// LU factors as a preconditioner.
#pragma once

#include "engine/linear_map.hpp"
#include "factor/lu/factors.hpp"

#include "ddla/solve.hpp"

namespace ddla::api {

/// What was factored, and how long it took.
struct factored {
    index_t nonzeros = 0;  ///< of A
    double seconds = 0;
};

/// What a preconditioner at the host applies: the factors, shared with the caller, row by row; or a
/// copy in levels, which is several times as fast.
enum class keep_factors { shared, copied };

/// Factors that have a pivot in each column, at a place; else throws input_error, which begins with
/// `call`.
template <scalar T, scalar F>
preconditioner<T> lu_preconditioner(const char* call, const factor::factors<F>& f,
                                    const factored& factors, place where,
                                    keep_factors keep = keep_factors::shared);

/// Of A at a place, factored as the options say; empty if their watch stopped that.  Throws
/// resource_error if the factors pass the limits, input_error as above.
template <scalar T, scalar V>
std::optional<preconditioner<T>> lu_for_solve(engine& here, place where, const csr<V>& a,
                                              const solve_options& options);

}  // namespace ddla::api
