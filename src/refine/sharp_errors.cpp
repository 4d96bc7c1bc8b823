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
    own.rate = probed_rate(system, solve, own.scale) * unlucky_probe(system.size());
    if (!(own.rate < small_rate)) return rate;
    const std::vector<double> errors = component_errors(std::as_const(of.next).view(), own);
    // Twice, for what is left of a correction that is small beside others may be as large.
    for (std::size_t i = 0; i < errors.size(); ++i)
        of.errors[i] = std::min(of.errors[i], 2 * errors[i]);
    return std::max(of.observed_rate, own.rate);
}

void forget_errors_of_zeros(refinement_result& of, const_solution_view x, const known_zeros& zeros,
                            const std::optional<component_range>& judged)
{
    double most = 0;
    for (index_t i = 0; i < x.size(); ++i) {
        double& e = of.errors[static_cast<std::size_t>(i)];
        if (zeros.has(i)) e = 0;
        if (zeros.has(i) || (judged && !judged->has(i))) continue;
        const double size = std::fabs(x.high.word(0)[i]);
        most = std::max(most, size > 0 ? e / size : HUGE_VAL);
    }
    of.componentwise.error = most;
}

namespace {

/// What the sum of 265 bits, or of 477 for an x of four words, can be wrong by, relative to the sum
/// of magnitudes: some bits are lost to its growth.
double rounding_of_residuals(int words)
{
    return words == 4 ? 0x1p-460 : 0x1p-250;
}

}  // namespace

template <scalar V>
std::vector<double> residual_errors(const host_system<V>& system, const correction& solve,
                                    const_solution_view x)
{
    // An exact product of two words loses at most 2^-1074; a row has at most 64 of them an entry.
    constexpr int lost = -1068, lifted = 400;
    constexpr double unlucky_signs = 8;
    const csr<V>& a = system.matrix();
    const double scale = system.scale_of_residuals(), relative = rounding_of_residuals(x.words());
    const std::vector<double> magnitudes = system.magnitudes(x.high);
    vector<dd_real> u(a.rows), w(a.rows);
    std::vector<double> e(static_cast<std::size_t>(a.rows), 0);
    for (const std::uint64_t start : {3, 4}) {
        for (index_t i = 0; i < a.rows; ++i) {
            const auto entries = static_cast<double>(a.row_begin[i + 1] - a.row_begin[i] + 1);
            const double size = magnitudes[static_cast<std::size_t>(i)] +
                                std::fabs(system.right_hand_side().word(0)[i]);
            const double sign = random_sign(start, static_cast<std::uint64_t>(i));
            u.set(i, dd_real(sign * (std::ldexp(entries / scale, lost + lifted) +
                                     std::ldexp(size * relative, lifted))));
        }
        solve(std::as_const(u).view(), w.view());
        for (std::size_t i = 0; i < e.size(); ++i) {
            const double size = std::fabs(w.view().word(0)[static_cast<index_t>(i)]);
            const double most = std::ldexp(unlucky_signs * size, -lifted) +
                                std::numeric_limits<double>::denorm_min();
            if (!(most <= e[i])) e[i] = std::isfinite(most) ? most : HUGE_VAL;
        }
    }
    return e;
}

#define DDLA_INSTANTIATE(V)                                                                        \
    template double sharpen_errors(const host_system<V>&, const correction&, const_solution_view,  \
                                   const known_zeros&, refinement_result&);                        \
    template std::vector<double> residual_errors(const host_system<V>&, const correction&,         \
                                                 const_solution_view);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::refine
