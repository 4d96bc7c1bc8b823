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
vector_operations<T>& vectors(const stream& s)
{
    return s.implementation().vectors<T>();
}

}  // namespace

namespace on_views {

template <scalar T>
void dot(stream& s, vec<const T> x, vec<const T> y, T* result)
{
    const fp_mode_guard exact;
    const reach in(s, "dot");
    in.require_equal("x", x, "y", y);
    in.require("the result", static_cast<const void*>(result));
    vectors<T>(s).dot(x, y, result);
}

template <scalar T>
T dot(stream& s, vec<const T> x, vec<const T> y)
{
    const fp_mode_guard exact;
    const reach in(s, "dot");
    in.require_equal("x", x, "y", y);
    in.require_wait();
    return vectors<T>(s).dot(x, y);
}

template <scalar T>
void nrm2(stream& s, vec<const T> x, T* result)
{
    const fp_mode_guard exact;
    const reach in(s, "nrm2");
    in.require("x", x);
    in.require("the result", static_cast<const void*>(result));
    vectors<T>(s).nrm2(x, result);
}

template <scalar T>
T nrm2(stream& s, vec<const T> x)
{
    const fp_mode_guard exact;
    const reach in(s, "nrm2");
    in.require("x", x);
    in.require_wait();
    return vectors<T>(s).nrm2(x);
}

template <scalar T>
void asum(stream& s, vec<const T> x, T* result)
{
    const fp_mode_guard exact;
    const reach in(s, "asum");
    in.require("x", x);
    in.require("the result", static_cast<const void*>(result));
    vectors<T>(s).asum(x, result);
}

template <scalar T>
T asum(stream& s, vec<const T> x)
{
    const fp_mode_guard exact;
    const reach in(s, "asum");
    in.require("x", x);
    in.require_wait();
    return vectors<T>(s).asum(x);
}

template <scalar T>
void axpy(stream& s, scalar_operand<T> a, vec<const T> x, vec<T> y)
{
    const fp_mode_guard exact;
    const reach in(s, "axpy");
    in.require("a", a, "y", y);
    in.require_one_or_apart("x", x, "y", y);
    vectors<T>(s).axpyz(a, x, y, y);
}

template <scalar T>
void xpay(stream& s, vec<const T> x, scalar_operand<T> a, vec<T> y)
{
    const fp_mode_guard exact;
    const reach in(s, "xpay");
    in.require("a", a, "y", y);
    in.require_one_or_apart("x", x, "y", y);
    vectors<T>(s).axpyz(a, y, x, y);
}

template <scalar T>
void axpyz(stream& s, scalar_operand<T> a, vec<const T> x, vec<const T> y, vec<T> z)
{
    const fp_mode_guard exact;
    const reach in(s, "axpyz");
    in.require("a", a, "z", z);
    in.require_equal("x", x, "y", y);
    in.require_one_or_apart("x", x, "z", z);
    in.require_one_or_apart("y", y, "z", z);
    vectors<T>(s).axpyz(a, x, y, z);
}

template <scalar T>
void scal(stream& s, scalar_operand<T> a, vec<T> x)
{
    const fp_mode_guard exact;
    const reach in(s, "scal");
    in.require("a", a, "x", x);
    in.require("x", x);
    vectors<T>(s).scal(a, x);
}

template <scalar T>
void copy(stream& s, vec<const T> x, vec<T> y)
{
    const fp_mode_guard exact;
    reach(s, "copy").require_one_or_apart("x", x, "y", y);
    vectors<T>(s).copy(x, y);
}

template <scalar T, scalar V>
void spmv(stream& s, scalar_operand<T> alpha, const csr<V>& a, vec<const T> x,
          scalar_operand<T> beta, vec<T> y)
{
    const fp_mode_guard exact;
    const reach in(s, "spmv");
    in.require("alpha", alpha, "y", y);
    in.require("beta", beta, "y", y);
    in.require_product(a, "x", x, "y", y);
    s.implementation().template matrices<T, V>().spmv(alpha, a, x, beta, y);
}

template <scalar T, scalar V>
void residual(stream& s, const csr<V>& a, vec<const T> x, vec<const T> b, vec<T> r)
{
    const fp_mode_guard exact;
    const reach in(s, "residual");
    in.require_product(a, "x", x, "r", r);
    in.require_one_or_apart("b", b, "r", r);
    s.implementation().template matrices<T, V>().residual(a, x, b, r);
}

template <scalar T, scalar V>
solve_report solve(stream& s, const csr<V>& a, vec<const T> b, vec<T> x,
                   const solve_options& options)
{
    const fp_mode_guard exact;
    require_shape(options, a.rows, a.columns);
    const reach in(s, "solve");
    in.require_product(a, "x", x, "b", b);
    in.require_wait();
    return solve_on<T>(s.implementation(), matrix_system<T, V>(a, s.where()), {}, b, x, options);
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
