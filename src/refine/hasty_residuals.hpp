// Residuals after an interruption: by single products, some times as fast as exact ones, where
// those are enough.
#pragma once

#include "engine/engine.hpp"

#include "ddla/vector.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace ddla::refine {

struct hasty_residuals {
    double relative = 0;  ///< ||b - A x|| / ||b||
    /// ||A^T r|| / (||A|| ||r||) of r = b - A x, where it was asked for and can be told.
    std::optional<double> normal = {};
};

/// At the host, by products in T.  `transposed`: A^T, for `normal`; may be null.  Nothing where
/// rounding may move a residual by more than 2^-20 of itself, since
///     |fl(b - A x) - (b - A x)| <= (n + 3) u (|A| |x| + |b|),
/// n the entries of a row, u the rounding of an operation, and || |A| |x| || <= ||A||_F ||x||.
template <scalar T, scalar V>
std::optional<hasty_residuals> hasty_residuals_of(engine& here, const csr<V>& a,
                                                  const csr<V>* transposed, vec<const T> x,
                                                  vec<const T> b)
{
    constexpr double rounding = words_of<T> == 1 ? 0x1p-52 : 0x1p-100;
    constexpr double no_underflow = 0x1p-900;  // below, rounding is not all that is lost
    auto& vectors = here.vectors<T>();
    const auto norm = [&](vec<const T> v) { return static_cast<double>(vectors.nrm2(v)); };
    const auto terms = [](const csr<V>& m) {
        return static_cast<double>(std::min(m.longest_row, m.columns)) + 3;
    };
    const auto is_told = [](double size, double wrong) {
        return std::isfinite(size) && size >= no_underflow && wrong <= 0x1p-20 * size;
    };
    vector<T> r(b.size);
    here.matrices<T, V>().spmv(T(1), a, x, T(0), r.view());
    vectors.axpyz(T(-1), std::as_const(r).view(), b, r.view());
    const double of_r = norm(std::as_const(r).view()), of_b = norm(b);
    const auto of_a = static_cast<double>(here.vectors<V>().nrm2(a.value));
    const double wrong = terms(a) * rounding * (of_a * norm(x) + of_b);
    if (!is_told(of_r, wrong) || !is_told(of_b, 0)) return {};
    hasty_residuals found{of_r / of_b};
    if (!transposed) return found;
    vector<T> products(a.columns);
    here.matrices<T, V>().spmv(T(1), *transposed, std::as_const(r).view(), T(0), products.view());
    const double of_products = norm(std::as_const(products).view());
    if (is_told(of_products, of_a * (wrong + terms(*transposed) * rounding * of_r)))
        found.normal = of_products / of_a / of_r;
    return found;
}

}  // namespace ddla::refine
