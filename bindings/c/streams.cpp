// Operations on memory of the caller, in the order of a stream.
#include "view.hpp"

#include <span>

using namespace ddla;
using namespace ddla::c;

namespace {

/// f.operator()<T>(the stream) for the T of x.
template <class F>
ddla_status in_order(ddla_stream* on, ddla_view x, const F& f)
{
    return guarded([&] {
        stream& order = required(on, "on").stream;
        in_precision(precision_of_view(x), [&]<scalar T>() { f.template operator()<T>(order); });
    });
}

template <scalar T>
T* result_at(double* result)
{
    return reinterpret_cast<T*>(result);
}

/// As many pairs as x has elements; the library checks where they are.
template <class Pair, class P>
std::span<Pair> pairs_of(P* pairs, ddla_view x)
{
    if (x.n < 0) throw input_error("x has " + std::to_string(x.n) + " elements");
    return {reinterpret_cast<Pair*>(pairs), static_cast<std::size_t>(x.n)};
}

}  // namespace

extern "C" {

ddla_status ddla_stream_create(ddla_place at, void* native, ddla_stream** on)
{
    return guarded([&] {
        auto& to = required_handle(on, "on");
        to = new ddla_stream{stream(place_of(at), native)};
    });
}

ddla_status ddla_stream_wait(ddla_stream* on)
{
    return guarded([&] { required(on, "on").stream.wait(); });
}

void ddla_stream_destroy(ddla_stream* on)
{
    delete on;
}

ddla_status ddla_stream_dot(ddla_stream* on, ddla_view x, ddla_view y, ddla_dd* result)
{
    return in_order(on, x, [&]<scalar T>(stream& order) {
        required(result, "result") = pair(dot(order, read<T>(x, "x"), read<T>(y, "y")));
    });
}

ddla_status ddla_stream_nrm2(ddla_stream* on, ddla_view x, ddla_dd* result)
{
    return in_order(on, x, [&]<scalar T>(stream& order) {
        required(result, "result") = pair(nrm2(order, read<T>(x, "x")));
    });
}

ddla_status ddla_stream_asum(ddla_stream* on, ddla_view x, ddla_dd* result)
{
    return in_order(on, x, [&]<scalar T>(stream& order) {
        required(result, "result") = pair(asum(order, read<T>(x, "x")));
    });
}

ddla_status ddla_stream_dot_at(ddla_stream* on, ddla_view x, ddla_view y, double* result)
{
    return in_order(on, x, [&]<scalar T>(stream& order) {
        dot(order, read<T>(x, "x"), read<T>(y, "y"), result_at<T>(result));
    });
}

ddla_status ddla_stream_nrm2_at(ddla_stream* on, ddla_view x, double* result)
{
    return in_order(on, x, [&]<scalar T>(stream& order) {
        nrm2(order, read<T>(x, "x"), result_at<T>(result));
    });
}

ddla_status ddla_stream_asum_at(ddla_stream* on, ddla_view x, double* result)
{
    return in_order(on, x, [&]<scalar T>(stream& order) {
        asum(order, read<T>(x, "x"), result_at<T>(result));
    });
}

ddla_status ddla_stream_axpy(ddla_stream* on, ddla_scalar a, ddla_view x, ddla_view y)
{
    return in_order(on, x, [&]<scalar T>(stream& order) {
        axpy(order, operand<T>(a, "a"), read<T>(x, "x"), written<T>(y, "y"));
    });
}

ddla_status ddla_stream_axpyz(ddla_stream* on, ddla_scalar a, ddla_view x, ddla_view y, ddla_view z)
{
    return in_order(on, x, [&]<scalar T>(stream& order) {
        axpyz(order, operand<T>(a, "a"), read<T>(x, "x"), read<T>(y, "y"), written<T>(z, "z"));
    });
}

ddla_status ddla_stream_xpay(ddla_stream* on, ddla_view x, ddla_scalar a, ddla_view y)
{
    return in_order(on, x, [&]<scalar T>(stream& order) {
        xpay(order, read<T>(x, "x"), operand<T>(a, "a"), written<T>(y, "y"));
    });
}

ddla_status ddla_stream_scal(ddla_stream* on, ddla_scalar a, ddla_view x)
{
    return in_order(on, x, [&]<scalar T>(stream& order) {
        scal(order, operand<T>(a, "a"), written<T>(x, "x"));
    });
}

ddla_status ddla_stream_copy(ddla_stream* on, ddla_view x, ddla_view y)
{
    return in_order(
        on, x, [&]<scalar T>(stream& order) { copy(order, read<T>(x, "x"), written<T>(y, "y")); });
}

ddla_status ddla_stream_interleave(ddla_stream* on, ddla_view x, ddla_dd* pairs)
{
    return guarded([&] {
        interleave(required(on, "on").stream, read<dd_real>(x, "x"), pairs_of<dd_pair>(pairs, x));
    });
}

ddla_status ddla_stream_split(ddla_stream* on, const ddla_dd* pairs, ddla_view x)
{
    return guarded([&] {
        split(required(on, "on").stream, pairs_of<const dd_pair>(pairs, x),
              written<dd_real>(x, "x"));
    });
}

ddla_status ddla_stream_spmv(ddla_stream* on, ddla_scalar alpha, const ddla_matrix* a, ddla_view x,
                             ddla_scalar beta, ddla_view y)
{
    return guarded([&] {
        stream& order = required(on, "on").stream;
        with_view_product(a, x, [&]<scalar T>(const auto& m) {
            spmv(order, operand<T>(alpha, "alpha"), m, read<T>(x, "x"), operand<T>(beta, "beta"),
                 written<T>(y, "y"));
        });
    });
}

ddla_status ddla_stream_residual(ddla_stream* on, const ddla_matrix* a, ddla_view x, ddla_view b,
                                 ddla_view r)
{
    return guarded([&] {
        stream& order = required(on, "on").stream;
        with_view_product(a, x, [&]<scalar T>(const auto& m) {
            residual(order, m, read<T>(x, "x"), read<T>(b, "b"), written<T>(r, "r"));
        });
    });
}
}
