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

/// What underflow can take from the residual of a row, times the scale: an exact product of two
/// words loses at most 2^-1074, and so does a word of x that is scaled down, times its entry; a row
/// has at most 64 of them an entry.
template <scalar V>
double lost_to_underflow(const csr<V>& a, index_t i, double scale, int lifted)
{
    constexpr int lost = -1068;
    double most = 1;
    if (scale < 1)
        for (index_t e = a.row_begin[i]; e < a.row_begin[i + 1]; ++e)
            most = std::max(most, std::fabs(a.value.word(0)[e]));
    const auto entries = static_cast<double>(a.row_begin[i + 1] - a.row_begin[i] + 1);
    return std::ldexp(entries, lost + lifted) * most / scale;
}

/// Takes into e what errors of residuals of at most u, times 2^lifted, make of x.
void take_errors(const correction& solve, const std::vector<double>& u, std::uint64_t start,
                 int lifted, std::vector<double>& e)
{
    constexpr double unlucky_signs = 8;
    const auto n = static_cast<index_t>(u.size());
    vector<dd_real> signed_u(n), w(n);
    for (index_t i = 0; i < n; ++i)
        signed_u.set(i, dd_real(random_sign(start, static_cast<std::uint64_t>(i)) *
                                u[static_cast<std::size_t>(i)]));
    solve(std::as_const(signed_u).view(), w.view());
    for (std::size_t i = 0; i < e.size(); ++i) {
        const double size = std::fabs(w.view().word(0)[static_cast<index_t>(i)]);
        const double most =
            std::ldexp(unlucky_signs * size, -lifted) + std::numeric_limits<double>::denorm_min();
        if (!(most <= e[i])) e[i] = std::isfinite(most) ? most : HUGE_VAL;
    }
}

}  // namespace

template <scalar V>
std::vector<double> residual_errors(const host_system<V>& system, const correction& solve,
                                    const_solution_view x)
{
    constexpr int lifted = 400;
    const csr<V>& a = system.matrix();
    const double scale = system.scale_of_residuals(), relative = rounding_of_residuals(x.words());
    const std::vector<double> magnitudes = system.magnitudes(x.high);
    std::vector<double> lost(magnitudes.size()), rounded(magnitudes.size());
    for (std::size_t i = 0; i < lost.size(); ++i) {
        const auto row = static_cast<index_t>(i);
        const double size = magnitudes[i] + std::fabs(system.right_hand_side().word(0)[row]);
        lost[i] = lost_to_underflow(a, row, scale, lifted);
        rounded[i] = std::ldexp(size * relative, lifted);
    }
    std::vector<double> e(lost.size(), 0), of_rounding(lost.size(), 0);
    for (const std::uint64_t start : {3, 4}) {
        // Apart: beside the rounding of large rows what small ones lose would itself underflow.
        take_errors(solve, lost, start, lifted, e);
        take_errors(solve, rounded, start, lifted, of_rounding);
    }
    for (std::size_t i = 0; i < e.size(); ++i) e[i] += of_rounding[i];
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
