// Residuals of systems, on any backend.
#pragma once

#include "matrix_operations.hpp"

namespace ddla {

template <scalar U, class Call>
U norm_of(Call& c, vec<const U> x)
{
    U* const result = c.memory.template objects<U>(1);
    steps::nrm2(c.backend, x, result, c.backend.template small<steps::norm_state>());
    return c.backend.read(result);
}

template <class Context, scalar T, scalar V>
void matrix_residuals<Context, T, V>::plain(const Context& context, const csr<V>& a, vec<const T> x,
                                            vec<const T> b, vec<T> r)
{
    context.call().backend.run(steps::residual<T>{{}, x, b, r}, a);
}

template <class Context, scalar T, scalar V>
void matrix_residuals<Context, T, V>::scaled(const Context& context, const csr<V>& a,
                                             vec<const T> x, vec<const T> b, double scale,
                                             vec<dd_real> r)
{
    context.call().backend.run(steps::true_residual<T>{{}, x, b, {scale}, r}, a);
}

template <class Context, scalar T, scalar V>
scaled_norms matrix_residuals<Context, T, V>::norms(const Context& context, const csr<V>& a,
                                                    vec<const T> x, vec<const T> b)
{
    auto c = context.call();
    const double scale = steps::residual_scale(steps::largest_of(c.backend, c.memory, b),
                                               steps::largest_of(c.backend, c.memory, x));
    const vec<dd_real> r = c.memory.template room<dd_real>(a.rows);
    const vec<T> scaled_b = c.memory.template room<T>(a.rows);
    c.backend.run(steps::true_residual<T>{{}, x, b, {scale}, r}, a);
    c.backend.run(steps::scaled_copy<T>{{}, b, scale, scaled_b}, a.rows);
    return {norm_of<dd_real>(c, r), dd_real(norm_of<T>(c, scaled_b)), scale, bytes_of(c)};
}

}  // namespace ddla
