// ddla on memory, and in the order of a stream, that the caller owns.
//
//     ddla::stream on(ddla::device(0), cuda_stream);
//     ddla::vec<const ddla::dd_real> x(x_high, x_low, n), y(y_high, y_low, n);  // device pointers
//     ddla::dot(on, x, y, result);                // dd_real* on the device; returns at once
//     ddla::dd_real here = ddla::dot(on, x, y);   // waits
//     ddla::axpy(on, result, x, z.view());        // the scalar is read where dot will leave it
//
// Nothing is copied.  Calls that leave their result at the place, or have none, only enqueue work:
// data, and scalars given by address, must stay until the stream has done it.  Calls that return a
// value wait for the stream.  (Vectors at a device, as blas.hpp works on them, have a stream of
// their own; copies of them and calls that return a number wait for that one.  So the operations
// are declared here a second time, for views: a vector knows its place and the order of its work,
// memory of the caller knows neither, and one declaration for both would let a call on a vector run
// beside what ddla's own stream still does with it.  A vector takes part by its view(), after such
// a wait.)
//
// Calls that only enqueue can be captured in a CUDA graph, once one call like them has been made on
// the stream.  The graph uses memory of the ddla::stream, which must outlive it; replay it on this
// stream, or while nothing else of the ddla::stream is under way.  Calls that wait refuse to be
// captured (input_error) and leave the capture as it was.
//
// Views are checked: sizes fit; a vector that is written shares no memory with another one, unless
// the operation allows the very same; a device stream can reach the memory.  Otherwise input_error,
// and nothing is changed.  The structure of a matrix view is not checked: wrong offsets, columns,
// longest_row or long_rows may read or write memory outside the arrays.  Its values are checked by
// solve, unless csr::largest_value says that somebody has done so.
#pragma once

#include "solve.hpp"

#include <memory>

namespace ddla {

class engine;

/// A place and, on a device, the stream that orders the work.  Calls on one stream from several
/// threads are safe, in the order in which they reach the stream.
class stream {
public:
    /// `native` is a cudaStream_t of that device, kept alive by the caller until the stream is
    /// destroyed; null is CUDA's default stream.  On the host calls are done when they return.
    /// Throws resource_error if there is no such device, input_error for a stream on the host.
    explicit stream(place where, void* native = nullptr);
    ~stream();
    stream(stream&&) noexcept;
    stream& operator=(stream&&) noexcept;

    place where() const { return where_; }
    /// Returns when all work enqueued so far is done.  Throws internal_error if it failed.
    void wait();

    /// For ddla's own use.
    engine& implementation() const { return *engine_; }

private:
    place where_;
    std::unique_ptr<engine> owned_;
    engine* engine_;
};

namespace on_views {

/// Views of one kind of number, to be read or written.
template <class X, class... Others>
concept same_numbers = scalar<std::remove_const_t<X>> &&
    (std::is_same_v<std::remove_const_t<X>, std::remove_const_t<Others>>&&...);

template <class X>
using number = std::remove_const_t<X>;

template <scalar T>
void dot(stream& s, vec<const T> x, vec<const T> y, T* result);
template <scalar T>
T dot(stream& s, vec<const T> x, vec<const T> y);
template <scalar T>
void nrm2(stream& s, vec<const T> x, T* result);
template <scalar T>
T nrm2(stream& s, vec<const T> x);
template <scalar T>
void asum(stream& s, vec<const T> x, T* result);
template <scalar T>
T asum(stream& s, vec<const T> x);
template <scalar T>
void axpy(stream& s, scalar_operand<T> a, vec<const T> x, vec<T> y);
template <scalar T>
void axpyz(stream& s, scalar_operand<T> a, vec<const T> x, vec<const T> y, vec<T> z);
template <scalar T>
void xpay(stream& s, vec<const T> x, scalar_operand<T> a, vec<T> y);
template <scalar T>
void scal(stream& s, scalar_operand<T> a, vec<T> x);
template <scalar T>
void copy(stream& s, vec<const T> x, vec<T> y);
template <scalar T, scalar V>
void spmv(stream& s, scalar_operand<T> alpha, const csr<V>& a, vec<const T> x,
          scalar_operand<T> beta, vec<T> y);
template <scalar T, scalar V>
void residual(stream& s, const csr<V>& a, vec<const T> x, vec<const T> b, vec<T> r);
template <scalar T, scalar V>
solve_report solve(stream& s, const csr<V>& a, vec<const T> b, vec<T> x,
                   const solve_options& options);

}  // namespace on_views

/// *result = sum of x_i y_i.
template <class X, class Y>
requires on_views::same_numbers<X, Y>
void dot(stream& s, vec<X> x, vec<Y> y, on_views::number<X>* result)
{
    on_views::dot<on_views::number<X>>(s, x, y, result);
}
template <class X, class Y>
requires on_views::same_numbers<X, Y> on_views::number<X> dot(stream& s, vec<X> x, vec<Y> y)
{
    return on_views::dot<on_views::number<X>>(s, x, y);
}

/// *result = square root of the sum of squares; neither overflows nor underflows unless the result
/// does.
template <class X>
requires on_views::same_numbers<X>
void nrm2(stream& s, vec<X> x, on_views::number<X>* result)
{
    on_views::nrm2<on_views::number<X>>(s, x, result);
}
template <class X>
requires on_views::same_numbers<X> on_views::number<X> nrm2(stream& s, vec<X> x)
{
    return on_views::nrm2<on_views::number<X>>(s, x);
}

/// *result = sum of |x_i|.
template <class X>
requires on_views::same_numbers<X>
void asum(stream& s, vec<X> x, on_views::number<X>* result)
{
    on_views::asum<on_views::number<X>>(s, x, result);
}
template <class X>
requires on_views::same_numbers<X> on_views::number<X> asum(stream& s, vec<X> x)
{
    return on_views::asum<on_views::number<X>>(s, x);
}

/// y = a x + y; y may be x.
template <class X, scalar T>
requires on_views::same_numbers<X, T>
void axpy(stream& s, std::type_identity_t<scalar_operand<T>> a, vec<X> x, vec<T> y)
{
    on_views::axpy<T>(s, a, x, y);
}

/// z = a x + y; z may be x or y.
template <class X, class Y, scalar T>
requires on_views::same_numbers<X, Y, T>
void axpyz(stream& s, std::type_identity_t<scalar_operand<T>> a, vec<X> x, vec<Y> y, vec<T> z)
{
    on_views::axpyz<T>(s, a, x, y, z);
}

/// y = x + a y; y may be x.
template <class X, scalar T>
requires on_views::same_numbers<X, T>
void xpay(stream& s, vec<X> x, std::type_identity_t<scalar_operand<T>> a, vec<T> y)
{
    on_views::xpay<T>(s, x, a, y);
}

/// x = a x.
template <scalar T>
void scal(stream& s, std::type_identity_t<scalar_operand<T>> a, vec<T> x)
{
    on_views::scal<T>(s, a, x);
}

/// y = x.
template <class X, scalar T>
requires on_views::same_numbers<X, T>
void copy(stream& s, vec<X> x, vec<T> y)
{
    on_views::copy<T>(s, x, y);
}

/// pairs_i = x_i and x_i = pairs_i, as interleave() and split() on vectors; these only enqueue.
void interleave(stream& s, vec<const dd_real> x, std::span<dd_pair> pairs);
void split(stream& s, std::span<const dd_pair> pairs, vec<dd_real> x);

/// y = alpha A x + beta y; where beta == 0, y is not read.
template <scalar V, class X, scalar T>
requires(acts_on<T, V>&& on_views::same_numbers<X, T>) void spmv(
    stream& s, std::type_identity_t<scalar_operand<T>> alpha, const csr<V>& a, vec<X> x,
    std::type_identity_t<scalar_operand<T>> beta, vec<T> y)
{
    on_views::spmv<T, V>(s, alpha, a, x, beta, y);
}

/// r = b - A x; r may be b.
template <scalar V, class X, class B, scalar T>
requires(acts_on<T, V>&& on_views::same_numbers<X, B, T>) void residual(stream& s, const csr<V>& a,
                                                                        vec<X> x, vec<B> b,
                                                                        vec<T> r)
{
    on_views::residual<T, V>(s, a, x, b, r);
}

/// As solve() on vectors: from the guess in x, with a report; waits.
template <scalar V, class B, scalar T>
requires(acts_on<T, V>&& on_views::same_numbers<B, T>) solve_report
    solve(stream& s, const csr<V>& a, vec<B> b, vec<T> x, const solve_options& options = {})
{
    return on_views::solve<T, V>(s, a, b, x, options);
}

}  // namespace ddla
