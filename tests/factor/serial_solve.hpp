// Solves with given factors, by docs/factorisation.md, over QD's numbers.
#pragma once

#include "serial_lu.hpp"

#include "factor/lu/factors.hpp"

namespace oracle {

inline ::dd_real divide(const ::dd_real& x, double y)
{
    return x / y;
}

/// The rows of a triangle one after the other: (x_i - sum) / pivot, with the summation rule.
template <class Q, class F>
void solve_serially(const ddla::factor::triangle<F>& t, std::vector<Q>& x)
{
    const int n = static_cast<int>(t.rows());
    for (int step = 0; step < n; ++step) {
        const std::size_t i = std::size_t(t.is_lower ? step : n - 1 - step);
        std::vector<Q> terms;
        const auto& r = t.off_diagonal;
        for (ddla::index_t k = r.begin[i]; k < r.begin[i + 1]; ++k)
            terms.push_back(x[std::size_t(r.column[std::size_t(k)])] * to(r.value.get(k)));
        x[i] = x[i] - sum(terms);
        if (t.pivot.size() > 0) x[i] = divide(x[i], to(t.pivot.get(ddla::index_t(i))));
    }
}

/// x of A x = b, or of A^T x = b; Q is what ddla computes in.
template <class Q, class F, class T>
std::vector<Q> solve(const ddla::factor::factors<F>& f, const ddla::vector<T>& b, bool transposed)
{
    using ddla::factor::factor_part;
    const auto& in = transposed ? f.column_of() : f.row_of();
    const auto& out = transposed ? f.row_of() : f.column_of();
    const auto& scale_in = transposed ? f.scaling().column : f.scaling().row;
    const auto& scale_out = transposed ? f.scaling().row : f.scaling().column;
    const std::size_t n = in.size(), rank = std::size_t(f.about().rank);
    int common = -100000;
    for (std::size_t i = 0; i < n; ++i) {
        int e;
        std::frexp(magnitude(to(T(b[ddla::index_t(i)]))), &e);
        if (T(b[ddla::index_t(i)]) != T(0)) common = std::max(common, e + scale_in[i]);
    }
    if (common == -100000) common = 0;
    std::vector<Q> y, x(n, Q(0.0));
    for (std::size_t k = 0; k < rank; ++k) {
        const std::size_t i = std::size_t(in[k]);
        y.push_back(scaled(Q(to(T(b[ddla::index_t(i)]))), scale_in[i] - common));
    }
    solve_serially(f.part(transposed ? factor_part::upper_transposed : factor_part::lower), y);
    solve_serially(f.part(transposed ? factor_part::lower_transposed : factor_part::upper), y);
    for (std::size_t k = 0; k < rank; ++k) {
        const std::size_t j = std::size_t(out[k]);
        x[j] = scaled(y[k], scale_out[j] + common);
    }
    return x;
}

}  // namespace oracle
