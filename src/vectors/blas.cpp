#include "ddla/blas.hpp"

#include "ddla/fp_mode.hpp"

#include "calls/place_of.hpp"
#include "matrix/transpose.hpp"
#include "solve/solve_on.hpp"

namespace ddla {

using namespace api;

template <scalar T>
T dot(const vector<T>& x, const vector<T>& y)
{
    const fp_mode_guard exact;
    return engine_for("dot", x, y).template vectors<T>().dot(x.view(), y.view());
}

template <scalar T>
T nrm2(const vector<T>& x)
{
    const fp_mode_guard exact;
    return engine_at(x.where()).template vectors<T>().nrm2(x.view());
}

template <scalar T>
T asum(const vector<T>& x)
{
    const fp_mode_guard exact;
    return engine_at(x.where()).template vectors<T>().asum(x.view());
}

template <scalar T>
void axpy(std::type_identity_t<T> a, const vector<T>& x, vector<T>& y)
{
    const fp_mode_guard exact;
    engine_for("axpy", x, y).template vectors<T>().axpyz(a, x.view(), y.view(), y.view());
}

template <scalar T>
void axpyz(std::type_identity_t<T> a, const vector<T>& x, const vector<T>& y, vector<T>& z)
{
    const fp_mode_guard exact;
    require_same_size("axpyz", "x", x.size(), "z", z.size());
    require_same_place("axpyz", "x", x.where(), "z", z.where());
    engine_for("axpyz", x, y).template vectors<T>().axpyz(a, x.view(), y.view(), z.view());
}

template <scalar T>
void xpay(const vector<T>& x, std::type_identity_t<T> a, vector<T>& y)
{
    const fp_mode_guard exact;
    engine_for("xpay", x, y).template vectors<T>().axpyz(a, y.view(), x.view(), y.view());
}

template <scalar T>
void scal(std::type_identity_t<T> a, vector<T>& x)
{
    const fp_mode_guard exact;
    engine_at(x.where()).template vectors<T>().scal(a, x.view());
}

template <scalar T>
void copy(const vector<T>& x, vector<T>& y)
{
    const fp_mode_guard exact;
    engine_for("copy", x, y).template vectors<T>().copy(x.view(), y.view());
}

template <scalar T, scalar V>
requires acts_on<T, V>
void spmv(std::type_identity_t<T> alpha, const csr_matrix<V>& a, const vector<T>& x,
          std::type_identity_t<T> beta, vector<T>& y)
{
    const fp_mode_guard exact;
    engine& here = engine_for("spmv", a, "x", x, "y", y);
    require_apart("spmv", "x", x.view().word(0), "y", y.view().word(0));
    here.matrices<T, V>().spmv(alpha, a.view(), x.view(), beta, y.view());
}

template <scalar T, scalar V>
requires acts_on<T, V>
void spmv(std::type_identity_t<T> alpha, const csr_matrix<V>& a, const std::vector<vector<T>>& x,
          std::type_identity_t<T> beta, std::vector<vector<T>>& y)
{
    const fp_mode_guard exact;
    require_as_many("spmv", "x", x.size(), "y", y.size());
    for (std::size_t j = 0; j < x.size(); ++j) engine_for("spmv", a, "x", x[j], "y", y[j]);
    require_all_apart("spmv", "x", x, "y", y);
    std::vector<product_vectors<T>> all;
    for (std::size_t j = 0; j < x.size(); ++j) all.push_back({x[j].view(), y[j].view()});
    engine_at(a.where()).template matrices<T, V>().spmv_each(alpha, a.view(), all, beta);
}

template <scalar T, scalar V>
requires acts_on<T, V>
void spmv_transposed(std::type_identity_t<T> alpha, const csr_matrix<V>& a, const vector<T>& x,
                     std::type_identity_t<T> beta, vector<T>& y)
{
    const fp_mode_guard exact;
    spmv(alpha, *transposed_once(a), x, beta, y);
}

template <scalar T, scalar V>
requires acts_on<T, V>
void residual(const csr_matrix<V>& a, const vector<T>& x, const vector<T>& b, vector<T>& r)
{
    const fp_mode_guard exact;
    engine& here = engine_for("residual", a, "x", x, "b", b);
    engine_for("residual", a, "x", x, "r", r);
    require_apart("residual", "x", x.view().word(0), "r", r.view().word(0));
    here.matrices<T, V>().residual(a.view(), x.view(), b.view(), r.view());
}

template <scalar T, scalar V>
requires acts_on<T, V> residual_norms true_residual(const csr_matrix<V>& a, const vector<T>& x,
                                                    const vector<T>& b)
{
    const fp_mode_guard exact;
    engine& here = engine_for("true_residual", a, "x", x, "b", b);
    return unscaled(here.matrices<T, V>().true_residual(a.view(), x.view(), b.view()));
}

#define DDLA_INSTANTIATE(T)                                                                        \
    template T dot(const vector<T>&, const vector<T>&);                                            \
    template T nrm2(const vector<T>&);                                                             \
    template T asum(const vector<T>&);                                                             \
    template void axpy(T, const vector<T>&, vector<T>&);                                           \
    template void axpyz(T, const vector<T>&, const vector<T>&, vector<T>&);                        \
    template void xpay(const vector<T>&, T, vector<T>&);                                           \
    template void scal(T, vector<T>&);                                                             \
    template void copy(const vector<T>&, vector<T>&);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

#define DDLA_INSTANTIATE(T, V)                                                                     \
    template void spmv(T, const csr_matrix<V>&, const vector<T>&, T, vector<T>&);                  \
    template void spmv(T, const csr_matrix<V>&, const std::vector<vector<T>>&, T,                  \
                       std::vector<vector<T>>&);                                                   \
    template void spmv_transposed(T, const csr_matrix<V>&, const vector<T>&, T, vector<T>&);       \
    template void residual(const csr_matrix<V>&, const vector<T>&, const vector<T>&, vector<T>&);  \
    template residual_norms true_residual(const csr_matrix<V>&, const vector<T>&, const vector<T>&);
DDLA_FOR_PRODUCTS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla
