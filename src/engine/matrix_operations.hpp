// The sparse operations and the solvers, on any backend.
#pragma once

#include "engine.hpp"
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
    scaled_norms true_residual(const csr<V>& a, vec<const T> x, vec<const T> b) override
    {
        auto c = context_.call();
        const double scale = steps::residual_scale(steps::largest_of(c.on, c.memory, b),
                                                   steps::largest_of(c.on, c.memory, x));
        const vec<dd_real> r = c.memory.template room<dd_real>(a.rows);
        const vec<T> scaled_b = c.memory.template room<T>(a.rows);
        c.on.run(steps::true_residual<T>{{}, nothing(c), x, b, {scale}, r}, a);
        c.on.run(steps::scaled_copy<T>{{}, nothing(c), b, scale, scaled_b}, a.rows);
        return {norm_of<dd_real>(c, r), dd_real(norm_of<T>(c, scaled_b)), scale};
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
    template <scalar U, class Call>
    static U norm_of(Call& c, vec<const U> x)
    {
        return steps::nrm2(c.on, x, c.memory.template objects<U>(1),
                           c.memory.template objects<steps::largest>(1));
    }
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
        if (q.method == krylov_method::bicgstab)
            return steps::run_bicgstab(c.on, c.memory, q.a, q.b, q.x, k, q.rule, q.history, look);
        return steps::run_cg(c.on, c.memory, q.a, q.b, q.x, k, q.rule, q.history, look);
    }

    Context context_;
};

}  // namespace ddla
