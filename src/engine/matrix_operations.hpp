// The sparse operations and the solvers, on any backend.
#pragma once

#include "engine.hpp"
#include "steps/scaling.hpp"
#include "steps/true_residual.hpp"

namespace ddla {

/// `Context` makes a call: `on`, the backend, and `memory`, a workspace at its place.
template <class Context, scalar T, scalar V>
class matrix_operations_on final : public matrix_operations<T, V> {
public:
    explicit matrix_operations_on(Context context) : context_(context) {}

    void spmv(T alpha, const csr<V>& a, vec<const T> x, T beta, vec<T> y) override
    {
        auto c = context_.call();
        auto* const q = c.memory.template objects<steps::spmv_scalars<T>>(1);
        c.on.write(q, {alpha, beta});
        c.on.run(steps::spmv<T>{{}, q, x, y}, a);
    }
    void residual(const csr<V>& a, vec<const T> x, vec<const T> b, vec<T> r) override
    {
        auto c = context_.call();
        c.on.run(steps::residual<T>{{}, nothing(c), x, b, r}, a);
    }
    void true_residual(const csr<V>& a, vec<const T> x, vec<const T> b, vec<dd_real> r) override
    {
        auto c = context_.call();
        c.on.run(steps::true_residual<T, V>{{}, nothing(c), a, x, b, r}, a.rows);
    }
    index_t first_zero_diagonal(const csr<V>& a) override
    {
        auto c = context_.call();
        return invert_diagonal(c, a, c.memory.template room<T>(a.rows));
    }
    steps::ending solve(const solve_request<T, V>& request) override
    {
        auto c = context_.call();
        if (!request.jacobi) return solve_with(c, request, steps::identity<T>{});
        const vec<T> d = c.memory.template room<T>(request.a.rows);
        invert_diagonal(c, request.a, d);
        return solve_with(c, request, steps::jacobi<T>{d});
    }

private:
    template <class Call>
    static steps::no_state* nothing(Call& c)
    {
        auto* const q = c.memory.template objects<steps::no_state>(1);
        c.on.write(q, {});
        return q;
    }
    template <class Call>
    static index_t invert_diagonal(Call& c, const csr<V>& a, vec<T> d)
    {
        auto* const first = c.memory.template objects<steps::first_index>(1);
        c.on.write(first, {});
        c.on.run(steps::invert_diagonal<T, V>{{}, first, a, d}, a.rows);
        return c.on.read(first).value;
    }
    template <class Call, class K>
    static steps::ending solve_with(Call& c, const solve_request<T, V>& q, K k)
    {
        const auto look = [&](const steps::control<T>& at) {
            return !q.look || q.look(at.iterations, at.relative_residual());
        };
        const auto solve = [&](double scale) {
            return q.method == krylov_method::bicgstab
                       ? steps::run_bicgstab(c.on, c.memory, q.a, q.b, q.x, k, scale, q.rule,
                                             q.history, look)
                       : steps::run_cg(c.on, c.memory, q.a, q.b, q.x, k, scale, q.rule, q.history,
                                       look);
        };
        return steps::scaled_solve(c.on, c.memory, q.b, q.x, solve);
    }

    Context context_;
};

}  // namespace ddla
