// Errors of components where the norm of the scaled system says too little of them.
#include "sharp_errors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace ddla::refine {

template <scalar V>
double sharpen_errors(const host_system<V>& system, const correction& solve, const_solution_view x,
                      const known_zeros& zeros, refinement_result& of)
{
    constexpr double small_rate = 0x1p-7;
    const double rounding = rounding_of(x.words()), rate = of.componentwise.rate;
    if (!of.finite || !(of.componentwise.error > 8 * rounding)) return rate;
    error_norm own{scale_of_components(x, of.errors, zeros.is, rounding)};
    own.rate = probed_rate(system, solve, own.scale);
    if (!(own.rate < small_rate)) return rate;
    const std::vector<double> errors = component_errors(std::as_const(of.next).view(), own);
    for (std::size_t i = 0; i < errors.size(); ++i)
        of.errors[i] = std::min(of.errors[i], errors[i]);
    return std::max(of.observed_rate, own.rate);
}

template <scalar V>
std::vector<double> underflow_errors(const host_system<V>& system, const correction& solve)
{
    // An exact product of two words loses at most 2^-1074; a row has at most 64 of them an entry.
    constexpr int lost = -1068, lifted = 1000;
    constexpr double unlucky_signs = 8;
    const csr<V>& a = system.matrix();
    const double scale = system.scale_of_residuals();
    vector<dd_real> u(a.rows), w(a.rows);
    std::vector<double> e(static_cast<std::size_t>(a.rows), 0);
    for (const std::uint64_t start : {3, 4}) {
        for (index_t i = 0; i < a.rows; ++i) {
            const auto entries = static_cast<double>(a.row_begin[i + 1] - a.row_begin[i] + 1);
            const double sign = random_sign(start, static_cast<std::uint64_t>(i));
            u.set(i, dd_real(sign * std::ldexp(entries / scale, lost + lifted)));
        }
        solve(std::as_const(u).view(), w.view());
        for (std::size_t i = 0; i < e.size(); ++i) {
            const double size = std::fabs(w.view().word(0)[static_cast<index_t>(i)]);
            e[i] = std::max(e[i], std::ldexp(unlucky_signs * size, -lifted) +
                                      std::numeric_limits<double>::denorm_min());
        }
    }
    return e;
}

#define DDLA_INSTANTIATE(V)                                                                        \
    template double sharpen_errors(const host_system<V>&, const correction&, const_solution_view,  \
                                   const known_zeros&, refinement_result&);                        \
    template std::vector<double> underflow_errors(const host_system<V>&, const correction&);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::refine
