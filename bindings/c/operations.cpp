#include "handles.hpp"
#include "several.hpp"

using namespace ddla;
using namespace ddla::c;

extern "C" {

ddla_status ddla_dot(const ddla_vector* x, const ddla_vector* y, ddla_dd* result)
{
    return guarded([&] {
        in_precision_of(x, "x", [&]<scalar T>() {
            required(result, "result") = pair(dot(in<T>(x, "x"), in<T>(y, "y")));
        });
    });
}

ddla_status ddla_nrm2(const ddla_vector* x, ddla_dd* result)
{
    return guarded([&] {
        in_precision_of(
            x, "x", [&]<scalar T>() { required(result, "result") = pair(nrm2(in<T>(x, "x"))); });
    });
}

ddla_status ddla_asum(const ddla_vector* x, ddla_dd* result)
{
    return guarded([&] {
        in_precision_of(
            x, "x", [&]<scalar T>() { required(result, "result") = pair(asum(in<T>(x, "x"))); });
    });
}

ddla_status ddla_axpy(ddla_dd a, const ddla_vector* x, ddla_vector* y)
{
    return guarded([&] {
        in_precision_of(x, "x",
                        [&]<scalar T>() { axpy(number<T>(a, "a"), in<T>(x, "x"), in<T>(y, "y")); });
    });
}

ddla_status ddla_axpyz(ddla_dd a, const ddla_vector* x, const ddla_vector* y, ddla_vector* z)
{
    return guarded([&] {
        in_precision_of(x, "x", [&]<scalar T>() {
            axpyz(number<T>(a, "a"), in<T>(x, "x"), in<T>(y, "y"), in<T>(z, "z"));
        });
    });
}

ddla_status ddla_xpay(const ddla_vector* x, ddla_dd a, ddla_vector* y)
{
    return guarded([&] {
        in_precision_of(x, "x",
                        [&]<scalar T>() { xpay(in<T>(x, "x"), number<T>(a, "a"), in<T>(y, "y")); });
    });
}

ddla_status ddla_scal(ddla_dd a, ddla_vector* x)
{
    return guarded([&] {
        in_precision_of(x, "x", [&]<scalar T>() { scal(number<T>(a, "a"), in<T>(x, "x")); });
    });
}

ddla_status ddla_copy(const ddla_vector* x, ddla_vector* y)
{
    return guarded(
        [&] { in_precision_of(x, "x", [&]<scalar T>() { copy(in<T>(x, "x"), in<T>(y, "y")); }); });
}

ddla_status ddla_spmv(ddla_dd alpha, const ddla_matrix* a, const ddla_vector* x, ddla_dd beta,
                      ddla_vector* y)
{
    return guarded([&] {
        with_product(a, precision_of_vector(x, "x"), [&]<scalar T>(const auto& m) {
            spmv(number<T>(alpha, "alpha"), m, in<T>(x, "x"), number<T>(beta, "beta"),
                 in<T>(y, "y"));
        });
    });
}

ddla_status ddla_spmv_several(ddla_dd alpha, const ddla_matrix* a, int64_t count,
                              const ddla_vector* const* x, ddla_dd beta, ddla_vector* const* y)
{
    return guarded([&] {
        require_count(count);
        required(x, "x");
        required(y, "y");
        with_product(a, precision_of_vector(x[0], "x[0]"), [&]<scalar T>(const auto& m) {
            const T factor = number<T>(alpha, "alpha"), of_y = number<T>(beta, "beta");
            const auto of_x = vectors_in<T>(x, count, "x");
            const auto to_y = vectors_in<T>(y, count, "y");
            require_apart<T>(of_x, "x", to_y, "y");
            const std::vector<vector<T>> from = copies_of<T>(of_x);
            taken_vectors<T> to(to_y);
            spmv(factor, m, from, of_y, to.all);
        });
    });
}

ddla_status ddla_spmv_transposed(ddla_dd alpha, const ddla_matrix* a, const ddla_vector* x,
                                 ddla_dd beta, ddla_vector* y)
{
    return guarded([&] {
        with_product(a, precision_of_vector(x, "x"), [&]<scalar T>(const auto& m) {
            spmv_transposed(number<T>(alpha, "alpha"), m, in<T>(x, "x"), number<T>(beta, "beta"),
                            in<T>(y, "y"));
        });
    });
}

ddla_status ddla_residual(const ddla_matrix* a, const ddla_vector* x, const ddla_vector* b,
                          ddla_vector* r)
{
    return guarded([&] {
        with_product(a, precision_of_vector(x, "x"), [&]<scalar T>(const auto& m) {
            residual(m, in<T>(x, "x"), in<T>(b, "b"), in<T>(r, "r"));
        });
    });
}

ddla_status ddla_true_residual(const ddla_matrix* a, const ddla_vector* x, const ddla_vector* b,
                               ddla_dd* residual, ddla_dd* norm_of_b, double* relative)
{
    return guarded([&] {
        auto &of_r = required(residual, "residual"), &of_b = required(norm_of_b, "norm_of_b");
        auto& quotient = required(relative, "relative");
        with_product(a, precision_of_vector(x, "x"), [&]<scalar T>(const auto& m) {
            const residual_norms norms = true_residual(m, in<T>(x, "x"), in<T>(b, "b"));
            of_r = pair(norms.residual);
            of_b = pair(norms.right_hand_side);
            quotient = norms.relative;
        });
    });
}
}
