#include "ddla/blas.hpp"

#include "place_of.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace ddla {

using namespace api;

template <scalar T>
T dot(const vector<T>& x, const vector<T>& y)
{
    return engine_for("dot", x, y).template vectors<T>().dot(x.view(), y.view());
}

template <scalar T>
T nrm2(const vector<T>& x)
{
    return engine_at(x.where()).template vectors<T>().nrm2(x.view());
}

template <scalar T>
T asum(const vector<T>& x)
{
    return engine_at(x.where()).template vectors<T>().asum(x.view());
}

template <scalar T>
void axpy(T a, const vector<T>& x, vector<T>& y)
{
    engine_for("axpy", x, y).template vectors<T>().axpyz(a, x.view(), y.view(), y.view());
}

template <scalar T>
void axpyz(T a, const vector<T>& x, const vector<T>& y, vector<T>& z)
{
    require_same_size("axpyz", "x", x.size(), "z", z.size());
    require_same_place("axpyz", "x", x.where(), "z", z.where());
    engine_for("axpyz", x, y).template vectors<T>().axpyz(a, x.view(), y.view(), z.view());
}

template <scalar T>
void xpay(const vector<T>& x, T a, vector<T>& y)
{
    engine_for("xpay", x, y).template vectors<T>().axpyz(a, y.view(), x.view(), y.view());
}

template <scalar T>
void scal(T a, vector<T>& x)
{
    engine_at(x.where()).template vectors<T>().scal(a, x.view());
}

template <scalar T>
void copy(const vector<T>& x, vector<T>& y)
{
    engine_for("copy", x, y).template vectors<T>().copy(x.view(), y.view());
}

template <scalar T, scalar V>
requires acts_on<T, V>
void spmv(T alpha, const csr_matrix<V>& a, const vector<T>& x, T beta, vector<T>& y)
{
    engine& here = engine_for("spmv", a, "x", x, "y", y);
    if (x.size() > 0 && x.view().high == y.view().high)
        throw input_error(
            "spmv: x and y are the same vector, the product would read what it wrote");
    here.matrices<T, V>().spmv(alpha, a.view(), x.view(), beta, y.view());
}

template <scalar T, scalar V>
requires acts_on<T, V>
void spmv_transposed(T alpha, const csr_matrix<V>& a, const vector<T>& x, T beta, vector<T>& y)
{
    if (a.where().is_host())
        spmv(alpha, transpose(a), x, beta, y);
    else
        spmv(alpha, transpose(a.to(host)).to(a.where()), x, beta, y);
}

template <scalar T, scalar V>
requires acts_on<T, V>
void residual(const csr_matrix<V>& a, const vector<T>& x, const vector<T>& b, vector<T>& r)
{
    engine& here = engine_for("residual", a, "x", x, "b", b);
    engine_for("residual", a, "x", x, "r", r);
    if (x.size() > 0 && x.view().high == r.view().high)
        throw input_error(
            "residual: x and r are the same vector, the product would read what it wrote");
    here.matrices<T, V>().residual(a.view(), x.view(), b.view(), r.view());
}

namespace {

/// residual / right_hand_side, both scaled alike.
double ratio_of(dd_real residual, dd_real right_hand_side)
{
    if (residual == dd_real(0)) return 0;
    if (right_hand_side == dd_real(0)) return double(residual) * HUGE_VAL;
    return double(residual / right_hand_side);
}

}  // namespace

template <scalar T, scalar V>
requires acts_on<T, V> residual_norms true_residual(const csr_matrix<V>& a, const vector<T>& x,
                                                    const vector<T>& b)
{
    engine& here = engine_for("true_residual", a, "x", x, "b", b);
    const scaled_norms norms = here.matrices<T, V>().true_residual(a.view(), x.view(), b.view());
    const double back = 1 / norms.scale;
    return {norms.residual * back, norms.right_hand_side * back,
            ratio_of(norms.residual, norms.right_hand_side)};
}

namespace {

/// One bit for all NaNs, then the finaliser of splitmix64 (Steele, Lea and Flood 2014): every bit
/// of the result depends on every bit of the input.
std::uint64_t mixed(std::uint64_t h, double word)
{
    if (std::isnan(word)) word = std::numeric_limits<double>::quiet_NaN();
    h = (h ^ std::bit_cast<std::uint64_t>(word)) + 0x9e3779b97f4a7c15u;
    h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
    h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
    return h ^ (h >> 31);
}

}  // namespace

template <scalar T>
std::uint64_t hash_of(const vector<T>& x)
{
    if (!x.where().is_host()) return hash_of(x.to(host));
    std::uint64_t h = static_cast<std::uint64_t>(x.size());
    for (index_t i = 0; i < x.size(); ++i) {
        h = mixed(h, x.view().high[i]);
        if constexpr (words_of<T> == 2) h = mixed(h, x.view().low[i]);
    }
    return h;
}

template double dot(const vector<double>&, const vector<double>&);
template double nrm2(const vector<double>&);
template double asum(const vector<double>&);
template void axpy(double, const vector<double>&, vector<double>&);
template void axpyz(double, const vector<double>&, const vector<double>&, vector<double>&);
template void xpay(const vector<double>&, double, vector<double>&);
template void scal(double, vector<double>&);
template void copy(const vector<double>&, vector<double>&);
template std::uint64_t hash_of(const vector<double>&);

template dd_real dot(const vector<dd_real>&, const vector<dd_real>&);
template dd_real nrm2(const vector<dd_real>&);
template dd_real asum(const vector<dd_real>&);
template void axpy(dd_real, const vector<dd_real>&, vector<dd_real>&);
template void axpyz(dd_real, const vector<dd_real>&, const vector<dd_real>&, vector<dd_real>&);
template void xpay(const vector<dd_real>&, dd_real, vector<dd_real>&);
template void scal(dd_real, vector<dd_real>&);
template void copy(const vector<dd_real>&, vector<dd_real>&);
template std::uint64_t hash_of(const vector<dd_real>&);

template void spmv(double, const csr_matrix<double>&, const vector<double>&, double,
                   vector<double>&);
template void spmv_transposed(double, const csr_matrix<double>&, const vector<double>&, double,
                              vector<double>&);
template void residual(const csr_matrix<double>&, const vector<double>&, const vector<double>&,
                       vector<double>&);
template residual_norms true_residual(const csr_matrix<double>&, const vector<double>&,
                                      const vector<double>&);

template void spmv(dd_real, const csr_matrix<double>&, const vector<dd_real>&, dd_real,
                   vector<dd_real>&);
template void spmv_transposed(dd_real, const csr_matrix<double>&, const vector<dd_real>&, dd_real,
                              vector<dd_real>&);
template void residual(const csr_matrix<double>&, const vector<dd_real>&, const vector<dd_real>&,
                       vector<dd_real>&);
template residual_norms true_residual(const csr_matrix<double>&, const vector<dd_real>&,
                                      const vector<dd_real>&);

template void spmv(dd_real, const csr_matrix<dd_real>&, const vector<dd_real>&, dd_real,
                   vector<dd_real>&);
template void spmv_transposed(dd_real, const csr_matrix<dd_real>&, const vector<dd_real>&, dd_real,
                              vector<dd_real>&);
template void residual(const csr_matrix<dd_real>&, const vector<dd_real>&, const vector<dd_real>&,
                       vector<dd_real>&);
template residual_norms true_residual(const csr_matrix<dd_real>&, const vector<dd_real>&,
                                      const vector<dd_real>&);

}  // namespace ddla
