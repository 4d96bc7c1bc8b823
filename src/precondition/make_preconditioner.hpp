// Preconditioners from the entries of a matrix.
#pragma once

#include "factor/incomplete/incomplete.hpp"
#include "factor/lu/factors.hpp"

#include "ddla/error.hpp"
#include "ddla/solve.hpp"

namespace ddla::api {

/// Of A at a place; `kind` is neither none nor jacobi.  A must outlive a polynomial.  Throws as
/// preconditioner<T>::ilu, …; limit_error for the limits.  Empty if `watch`, which sees the part of
/// the factors that is done, returns false; it may be empty.
template <scalar T, scalar V>
std::optional<preconditioner<T>> make_preconditioner(preconditioning kind, const csr<V>& a,
                                                     place where,
                                                     const preconditioner_options& options,
                                                     const std::function<bool(double)>& watch = {});

/// The same of block Jacobi, of an A that has the rows from `first_row` on of a larger one:
/// messages count from there.
template <scalar T, scalar V>
std::optional<preconditioner<T>>
make_block_jacobi(const csr<V>& a, place where, const preconditioner_options& options,
                  const std::function<bool(double)>& watch = {}, index_t first_row = 0);

/// What the watch of a solve sees of factors in the making.  The options must outlive it.
inline std::function<bool(double)> watch_of_factors(const solve_options& options)
{
    if (!options.watch) return {};
    return [&options](double done) {
        return options.watch(
            {.iterations = 0, .relative_residual = 1, .stage = "factor", .done = done});
    };
}

/// What the options ask of incomplete factors; limits for numbers of so many words.
factor::incomplete_options incomplete_options_of(preconditioning kind,
                                                 const preconditioner_options& options, int words);

/// Applied at the place as the factors of LU are: see lu_preconditioner.
template <scalar T, scalar F>
preconditioner<T> applying(std::string name, place where, const factor::factors<F>& factors,
                           build_report built);

/// What preconditioners say of factors, of an A with so many entries.
build_report build_report_of(const factorisation_report& about, index_t nonzeros);

/// "ILU(2)", "ILUT", "IC(0)"
std::string title_of(const factor::incomplete_options& options);

/// See polynomial_map.cpp.
template <scalar T, scalar V>
preconditioner<T> make_polynomial(const csr<V>& a, place where,
                                  const preconditioner_options& options);

}  // namespace ddla::api
