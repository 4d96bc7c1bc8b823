// What solve() checks before any work.
#pragma once

#include "operators/system_map.hpp"

#include "ddla/linear_operator.hpp"
#include "ddla/preconditioner.hpp"
#include "ddla/solve_options.hpp"

namespace ddla::api {

/// Of a system whose parts fit together, with a preconditioner object or none.  Throws as solve().
template <scalar T>
void check_system(engine& here, const system_map<T>& a, const preconditioner<T>& k, vec<const T> b,
                  vec<const T> x, const solve_options& options);

/// The A of a system whose parts must fit together.
template <scalar T>
std::shared_ptr<const system_map<T>> system_of(const linear_operator<T>& a, const vector<T>& b,
                                               const vector<T>& x, const solve_options& options);

/// For corrections of x.  Throws input_error if it is code for double-double.
template <scalar T>
std::shared_ptr<const preconditioner<double>> in_double_of(const preconditioner<T>& k);

/// Of a solve in four words, beside check_system with the options that with_low_part returns.
void check_low_part(engine& here, const vector<dd_real>& x, const vector<dd_real>& x_low,
                    const solve_options& options);
solve_options with_low_part(const solve_options& options);

}  // namespace ddla::api
