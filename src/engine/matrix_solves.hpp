// Whole solves by schedules, on any backend.
#pragma once

#include "matrix_operations.hpp"

namespace ddla {

/// `run(all...)` is steps::run_bicgstab(all...), or another method's.
template <class Call, scalar T, scalar V, class K, class Run>
solve_result solve_with(Call& c, const matrix_request<T, V>& q, K k, const Run& run)
{
    const auto look = [&](const steps::control<T>& now) {
        return !q.look || q.look(now.iterations, now.relative_residual());
    };
    const steps::ending e = run(c.backend, c.memory, q.a, q.b, q.x, k, q.rule, q.history, look);
    return {e, bytes_of(c)};
}

/// With the preconditioner that is asked for.
template <class Context, scalar T, scalar V, class Run>
solve_result solve_by_schedule(const Context& context, const matrix_request<T, V>& request,
                               const Run& run)
{
    auto c = context.call();
    if (request.inverse_diagonal)
        return solve_with(c, request, steps::jacobi<T>{*request.inverse_diagonal}, run);
    if (!request.jacobi) return solve_with(c, request, steps::identity<T>{}, run);
    const vec<T> d = c.memory.template room<T>(request.a.rows);
    invert_diagonal(c, request.a, d);
    return solve_with(c, request, steps::jacobi<T>{d}, run);
}

}  // namespace ddla
