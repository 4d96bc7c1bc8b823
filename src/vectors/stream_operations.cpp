// The operations on views: checks, then the engine of the stream.
#include "ddla/stream.hpp"

#include "ddla/fp_mode.hpp"

#include "operators/matrix_system.hpp"
#include "reach.hpp"
#include "solve/solve_on.hpp"

namespace ddla {

using namespace api;

namespace {

template <scalar T>
vector_operations<T>& vectors(const stream& on)
{
    return on.implementation().vectors<T>();
}

}  // namespace

namespace on_views {

template <scalar T>
void dot(stream& on, vec<const T> x, vec<const T> y, T* result)
{
    const fp_mode_guard exact;
    const reach in(on, "dot");
    in.require_equal("x", x, "y", y);
    in.require("the result", static_cast<const void*>(result));
    vectors<T>(on).dot(x, y, result);
}

template <scalar T>
T dot(stream& on, vec<const T> x, vec<const T> y)
{
    const fp_mode_guard exact;
    const reach in(on, "dot");
    in.require_equal("x", x, "y", y);
    in.require_wait();
    return vectors<T>(on).dot(x, y);
}

template <scalar T>
void nrm2(stream& on, vec<const T> x, T* result)
{
    const fp_mode_guard exact;
    const reach in(on, "nrm2");
    in.require("x", x);
    in.require("the result", static_cast<const void*>(result));
    vectors<T>(on).nrm2(x, result);
}

template <scalar T>
T nrm2(stream& on, vec<const T> x)
{
    const fp_mode_guard exact;
    const reach in(on, "nrm2");
    in.require("x", x);
    in.require_wait();
    return vectors<T>(on).nrm2(x);
}

template <scalar T>
void asum(stream& on, vec<const T> x, T* result)
{
    const fp_mode_guard exact;
    const reach in(on, "asum");
    in.require("x", x);
    in.require("the result", static_cast<const void*>(result));
    vectors<T>(on).asum(x, result);
}

template <scalar T>
T asum(stream& on, vec<const T> x)
{
    const fp_mode_guard exact;
    const reach in(on, "asum");
    in.require("x", x);
    in.require_wait();
    return vectors<T>(on).asum(x);
}

template <scalar T>
void axpy(stream& on, scalar_operand<T> a, vec<const T> x, vec<T> y)
{
    const fp_mode_guard exact;
    const reach in(on, "axpy");
    in.require("a", a, "y", y);
    in.require_one_or_apart("x", x, "y", y);
    vectors<T>(on).axpyz(a, x, y, y);
}

template <scalar T>
void xpay(stream& on, vec<const T> x, scalar_operand<T> a, vec<T> y)
{
    const fp_mode_guard exact;
    const reach in(on, "xpay");
    in.require("a", a, "y", y);
    in.require_one_or_apart("x", x, "y", y);
    vectors<T>(on).axpyz(a, y, x, y);
}

template <scalar T>
void axpyz(stream& on, scalar_operand<T> a, vec<const T> x, vec<const T> y, vec<T> z)
{
    const fp_mode_guard exact;
    const reach in(on, "axpyz");
    in.require("a", a, "z", z);
    in.require_equal("x", x, "y", y);
    in.require_one_or_apart("x", x, "z", z);
    in.require_one_or_apart("y", y, "z", z);
    vectors<T>(on).axpyz(a, x, y, z);
}

template <scalar T>
void scal(stream& on, scalar_operand<T> a, vec<T> x)
{
    const fp_mode_guard exact;
    const reach in(on, "scal");
    in.require("a", a, "x", x);
    in.require("x", x);
    vectors<T>(on).scal(a, x);
}

template <scalar T>
void copy(stream& on, vec<const T> x, vec<T> y)
{
    const fp_mode_guard exact;
    reach(on, "copy").require_one_or_apart("x", x, "y", y);
    vectors<T>(on).copy(x, y);
}

template <scalar T, scalar V>
void spmv(stream& on, scalar_operand<T> alpha, const csr<V>& a, vec<const T> x,
          scalar_operand<T> beta, vec<T> y)
{
    const fp_mode_guard exact;
    const reach in(on, "spmv");
    in.require("alpha", alpha, "y", y);
    in.require("beta", beta, "y", y);
    in.require_product(a, "x", x, "y", y);
    on.implementation().template matrices<T, V>().spmv(alpha, a, x, beta, y);
}

template <scalar T, scalar V>
void residual(stream& on, const csr<V>& a, vec<const T> x, vec<const T> b, vec<T> r)
{
    const fp_mode_guard exact;
    const reach in(on, "residual");
    in.require_product(a, "x", x, "r", r);
    in.require_one_or_apart("b", b, "r", r);
    on.implementation().template matrices<T, V>().residual(a, x, b, r);
}

template <scalar T, scalar V>
solve_report solve(stream& on, const csr<V>& a, vec<const T> b, vec<T> x,
                   const solve_options& options)
{
    const fp_mode_guard exact;
    require_shape(options, a.rows, a.columns);
    const reach in(on, "solve");
    in.require_product(a, "x", x, "b", b);
    in.require_wait();
    return solve_on<T>(on.implementation(), matrix_system<T, V>(a, on.where()), {}, b, x, options);
}

#define DDLA_INSTANTIATE(T)                                                                        \
    template void dot(stream&, vec<const T>, vec<const T>, T*);                                    \
    template T dot(stream&, vec<const T>, vec<const T>);                                           \
    template void nrm2(stream&, vec<const T>, T*);                                                 \
    template T nrm2(stream&, vec<const T>);                                                        \
    template void asum(stream&, vec<const T>, T*);                                                 \
    template T asum(stream&, vec<const T>);                                                        \
    template void axpy(stream&, scalar_operand<T>, vec<const T>, vec<T>);                          \
    template void xpay(stream&, vec<const T>, scalar_operand<T>, vec<T>);                          \
    template void axpyz(stream&, scalar_operand<T>, vec<const T>, vec<const T>, vec<T>);           \
    template void scal(stream&, scalar_operand<T>, vec<T>);                                        \
    template void copy(stream&, vec<const T>, vec<T>);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

#define DDLA_INSTANTIATE(T, V)                                                                     \
    template void spmv(stream&, scalar_operand<T>, const csr<V>&, vec<const T>, scalar_operand<T>, \
                       vec<T>);                                                                    \
    template void residual(stream&, const csr<V>&, vec<const T>, vec<const T>, vec<T>);            \
    template solve_report solve(stream&, const csr<V>&, vec<const T>, vec<T>, const solve_options&);
DDLA_FOR_PRODUCTS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace on_views

}  // namespace ddla
