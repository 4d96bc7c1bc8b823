// Residuals after an interruption: by single products, some times as fast as exact ones, where
// those are enough; else from sums of few words.
#pragma once

#include "engine/engine.hpp"
#include "short_residual.hpp"

#include "ddla/vector.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace ddla::refine {

struct hasty_residuals {
    double relative = 0;  ///< ||b - A x|| / ||b||
    /// ||A^T r|| / (||A|| ||r||) of r = b - A x, where it was asked for and can be told.
    std::optional<double> normal = {};
};

/// Of r = b - A x, where its norm is off by at most `wrong`; nothing where that is more than 2^-20
/// of it.  `of_a`: ||A||_F; `transposed`: A^T, for `normal`; may be null.
template <scalar T, scalar V>
std::optional<hasty_residuals> told_of(engine& here, const csr<V>& a, const csr<V>* transposed,
                                       vec<const T> r, double of_a, double of_b, double wrong)
{
    constexpr double rounding = words_of<T> == 1 ? 0x1p-52 : 0x1p-100;
    constexpr double no_underflow = 0x1p-900;  // below, rounding is not all that is lost
    const auto is_told = [](double size, double error) {
        return std::isfinite(size) && size >= no_underflow && error <= 0x1p-20 * size;
    };
    auto& vectors = here.vectors<T>();
    const auto of_r = static_cast<double>(vectors.nrm2(r));
    if (!is_told(of_r, wrong) || !is_told(of_b, 0)) return {};
    hasty_residuals found{of_r / of_b};
    if (!transposed) return found;
    vector<T> products(a.columns);
    here.matrices<T, V>().spmv(T(1), *transposed, r, T(0), products.view());
    const auto of_products = static_cast<double>(vectors.nrm2(std::as_const(products).view()));
    const double terms = static_cast<double>(std::min(transposed->longest_row, a.rows)) + 3;
    if (is_told(of_products, of_a * (wrong + terms * rounding * of_r)))
        found.normal = of_products / of_a / of_r;
    return found;
}

/// ||A||_F, ||x||, ||b||.
struct system_norms {
    double a, x, b;

    /// Of sums that are off by `error` (|A| |x| + |b|), since || |A| |x| || <= ||A||_F ||x||.
    double wrong(double error) const { return error * (a * x + b); }
};

template <scalar T, scalar V>
system_norms norms_of(engine& here, const csr<V>& a, vec<const T> x, vec<const T> b)
{
    return {static_cast<double>(here.vectors<V>().nrm2(a.value)),
            static_cast<double>(here.vectors<T>().nrm2(x)),
            static_cast<double>(here.vectors<T>().nrm2(b))};
}

/// |fl(b - A x) - (b - A x)| <= (n + 3) u (|A| |x| + |b|), n the entries of a row, u the rounding
/// of an operation in T.
template <scalar T, scalar V>
double error_of_products(const csr<V>& a)
{
    constexpr double rounding = words_of<T> == 1 ? 0x1p-52 : 0x1p-100;
    return (static_cast<double>(std::min(a.longest_row, a.columns)) + 3) * rounding;
}

/// At the host, by products in T.  Nothing where rounding may move a residual by more than 2^-20 of
/// itself.
template <scalar T, scalar V>
std::optional<hasty_residuals> hasty_residuals_of(engine& here, const csr<V>& a,
                                                  const csr<V>* transposed, vec<const T> x,
                                                  vec<const T> b, const system_norms& norms)
{
    auto& vectors = here.vectors<T>();
    vector<T> r(b.size);
    here.matrices<T, V>().spmv(T(1), a, x, T(0), r.view());
    vectors.axpyz(T(-1), std::as_const(r).view(), b, r.view());
    return told_of<T, V>(here, a, transposed, std::as_const(r).view(), norms.a, norms.b,
                         norms.wrong(error_of_products<T>(a)));
}
template <scalar T, scalar V>
std::optional<hasty_residuals> hasty_residuals_of(engine& here, const csr<V>& a,
                                                  const csr<V>* transposed, vec<const T> x,
                                                  vec<const T> b)
{
    return hasty_residuals_of<T, V>(here, a, transposed, x, b, norms_of<T, V>(here, a, x, b));
}

/// The same by short_residual(), where single products do not tell.
template <scalar T, scalar V>
std::optional<hasty_residuals> short_residuals_of(engine& here, const csr<V>& a,
                                                  const csr<V>* transposed, vec<const T> x,
                                                  vec<const T> b, const system_norms& norms)
{
    vector<dd_real> r(b.size);
    short_residual<T, V>(a, x, b, r.view());
    const auto of_r = static_cast<double>(here.vectors<dd_real>().nrm2(std::as_const(r).view()));
    return told_of<dd_real, V>(here, a, transposed, std::as_const(r).view(), norms.a, norms.b,
                               norms.wrong(short_error<T>(a)) + 0x1p-50 * of_r);
}

/// The same, by what takes about a tenth of a second of a processor at most: else the residual is
/// NaN.  Nothing where an exact one takes less.  `claimed`: what iterations say of the relative
/// residual; where products would not tell that, they are not tried first.
template <scalar T, scalar V>
std::optional<hasty_residuals> quick_residuals_of(engine& here, const csr<V>& a,
                                                  const csr<V>* transposed, vec<const T> x,
                                                  vec<const T> b, double claimed)
{
    constexpr std::int64_t tenth_of_a_second = 100'000'000;
    constexpr std::int64_t time_of_product = 5, time_of_exact = 40;  // nanoseconds an entry
    constexpr hasty_residuals unknown{std::numeric_limits<double>::quiet_NaN()};
    const auto is_quick = [](std::int64_t time) { return time <= tenth_of_a_second; };
    if (!is_quick(time_of_product * a.nonzeros())) return unknown;
    const system_norms norms = norms_of<T, V>(here, a, x, b);
    const bool is_short = is_quick(time_of_short_residual<T>(a));
    if (!is_short || norms.wrong(error_of_products<T>(a)) <= 0x1p-20 * claimed * norms.b) {
        const auto found = hasty_residuals_of<T, V>(here, a, transposed, x, b, norms);
        if (found) return found;
    }
    if (is_quick(time_of_exact * a.nonzeros())) return {};
    if (!is_short) return unknown;
    const auto found = short_residuals_of<T, V>(here, a, transposed, x, b, norms);
    return found ? found : unknown;
}

}  // namespace ddla::refine
