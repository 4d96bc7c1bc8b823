// Whole solves by schedules, on any backend.
#pragma once

#include "matrix_operations.hpp"

namespace ddla {

template <class Call, scalar T, scalar V, class K>
solve_result solve_with(Call& c, const solve_request<T, V>& q, K k)
{
    const auto look = [&](const steps::control<T>& at) {
        return !q.look || q.look(at.iterations, at.relative_residual());
    };
    const auto run = [&](const auto& method) {
        return method(c.on, c.memory, q.a, q.b, q.x, k, q.rule, q.history, look);
    };
    const steps::ending e = q.method == method::bicgstab
                                ? run([](auto&&... all) { return steps::run_bicgstab(all...); })
                                : run([](auto&&... all) { return steps::run_cg(all...); });
    return {e, bytes_of(c)};
}

template <class Context, scalar T, scalar V>
solve_result matrix_solves<Context, T, V>::solve(const Context& context,
                                                 const solve_request<T, V>& request)
{
    auto c = context.call();
    if (request.inverse_diagonal.size > 0)
        return solve_with(c, request, steps::jacobi<T>{request.inverse_diagonal});
    if (!request.jacobi) return solve_with(c, request, steps::identity<T>{});
    const vec<T> d = c.memory.template room<T>(request.a.rows);
    invert_diagonal(c, request.a, d);
    return solve_with(c, request, steps::jacobi<T>{d});
}

}  // namespace ddla
