// What the interfaces on vectors and on views share: solves, residuals and hashes on an engine.
#pragma once

#include "calls/place_of.hpp"
#include "ddla/solve.hpp"
#include "operators/system_map.hpp"

#include <cmath>
#include <span>
#include <vector>

namespace ddla::api {

/// Those that factor A, or, of least squares, its augmented matrix.
inline bool uses_factors(method m)
{
    return m == method::automatic || m == method::refinement;
}

/// LSMR takes any shape, factors that of any matrix.
inline void require_shape(const solve_options& options, index_t rows, index_t columns,
                          bool has_entries = true)
{
    if (takes_any_shape(options.method) && (has_entries || !uses_factors(options.method))) return;
    require_square("solve", rows, columns);
}

/// One of several systems with the same A.
template <scalar T>
struct system_vectors {
    vec<const T> b;
    vec<T> x;
};

/// Solve with data at a.where(), whose engine is `here`, and that fit together; checks all
/// else that ddla::solve checks.
template <scalar T>
std::vector<solve_report> solve_on(engine& here, const system_map<T>& a, const preconditioner<T>& k,
                                   std::span<const system_vectors<T>> each,
                                   const solve_options& options);

/// The same for one system.
template <scalar T>
solve_report solve_on(engine& here, const system_map<T>& a, const preconditioner<T>& k,
                      vec<const T> b, vec<T> x, const solve_options& options)
{
    const system_vectors<T> only{b, x};
    return solve_on<T>(here, a, k, std::span(&only, 1), options).front();
}

/// Of vectors that were checked.
template <scalar T>
std::vector<system_vectors<T>> views_of(const std::vector<vector<T>>& b, std::vector<vector<T>>& x)
{
    std::vector<system_vectors<T>> all;
    for (std::size_t j = 0; j < b.size(); ++j) all.push_back({b[j].view(), x[j].view()});
    return all;
}

/// ddla::hash_of for a view of memory at a place where no work is under way.
template <scalar T>
std::uint64_t hash_of(vec<const T> x, place where);
/// The hash so far with the elements of a vector on the host: that of all begins with their number.
template <scalar T>
std::uint64_t mixed_with(std::uint64_t hash, vec<const T> x);

inline residual_norms unscaled(const scaled_norms& n)
{
    const double back = 1 / n.scale;
    const auto relative = [&]() -> double {
        if (n.residual == dd_real(0)) return 0;
        if (n.right_hand_side == dd_real(0)) return double(n.residual) * HUGE_VAL;
        return double(n.residual / n.right_hand_side);
    };
    return {n.residual * back, n.right_hand_side * back, relative()};
}

}  // namespace ddla::api
