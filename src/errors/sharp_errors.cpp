// Errors of components where the norm of the scaled system says too little of them.
#include "sharp_errors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace ddla::refine {
namespace {

std::vector<double> sizes_of(vec<const dd_real> d)
{
    std::vector<double> size(static_cast<std::size_t>(d.size));
    for (index_t i = 0; i < d.size; ++i)
        size[static_cast<std::size_t>(i)] = std::fabs(d.word(0)[i]);
    return size;
}

}  // namespace

template <scalar V>
double sharpen_errors(const host_system<V>& system, const approximate_inverse& approximate,
                      const_solution_view x, const known_zeros& zeros, refinement_result& result)
{
    constexpr double small_rate = 0x1p-7;
    const double rounding = rounding_of(x.words()), rate = result.componentwise.rate;
    if (!result.finite || !(result.componentwise.error > 8 * rounding)) return rate;
    const vec<const dd_real> next = std::as_const(result.next).view();
    const std::vector<double> by_corrections = sizes_of(next), by_errors = result.errors;
    for (const std::vector<double>* sizes : {&by_corrections, &by_errors}) {
        error_norm own{scale_of_components(x, *sizes, result.errors, zeros.is, rounding)};
        own.rate = probed_rate(system, approximate, own.scale) * unlucky_probe(system.size());
        if (!(own.rate < small_rate)) continue;
        const std::vector<double> errors = component_errors(next, own);
        const bool has_others = result.scaled_rate < 0.5;  // else the first ones bound nothing
        // Four times: what is left of a correction that is small beside others may be as large, and
        // the probe is of two vectors.
        for (std::size_t i = 0; i < errors.size(); ++i)
            result.errors[i] =
                has_others ? std::min(result.errors[i], 4 * errors[i]) : 4 * errors[i];
        return std::max(result.observed_rate, own.rate);
    }
    return rate;
}

void forget_errors_of_zeros(refinement_result& result, const_solution_view x,
                            const known_zeros& zeros, const std::optional<component_range>& judged)
{
    double most = 0;
    for (index_t i = 0; i < x.size(); ++i) {
        double& e = result.errors[static_cast<std::size_t>(i)];
        if (zeros.has(i)) e = 0;
        if (zeros.has(i) || (judged && !judged->has(i))) continue;
        const double size = std::fabs(x.high.word(0)[i]);
        most = std::max(most, size > 0 ? e / size : HUGE_VAL);
    }
    result.componentwise.error = most;
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

/// Takes into e what errors of residuals of at most size(i, lifted), which is times 2^lifted, make
/// of x.  Lifted far, so that they do not underflow; where that overflows, the other way.
template <class Size>
void take_errors(const correction& solve, const Size& size, std::uint64_t start,
                 std::vector<double>& e)
{
    constexpr double unlucky_numbers = 16;
    const auto n = static_cast<index_t>(e.size());
    std::vector<double> most(e.size(), HUGE_VAL);
    const auto is_open = [](double m) { return !std::isfinite(m); };
    for (const int lifted : {400, -200}) {
        if (std::none_of(most.begin(), most.end(), is_open)) break;
        vector<dd_real> u(n), w(n);
        // Not less than a normal number, for an error that underflows to 0 would be hidden.
        for (index_t i = 0; i < n; ++i)
            u.set(i, dd_real(random_number(start, static_cast<std::uint64_t>(i)) *
                             std::max(size(i, lifted), std::numeric_limits<double>::min())));
        solve(std::as_const(u).view(), w.view());
        for (index_t i = 0; i < n; ++i) {
            double& m = most[static_cast<std::size_t>(i)];
            if (is_open(m))
                m = std::ldexp(unlucky_numbers * std::fabs(w.view().word(0)[i]), -lifted) +
                    std::numeric_limits<double>::denorm_min();
        }
    }
    for (std::size_t i = 0; i < e.size(); ++i)
        e[i] = std::max(e[i], is_open(most[i]) ? HUGE_VAL : most[i]);
}

}  // namespace

template <scalar V>
std::vector<double> residual_errors(const host_system<V>& system, const correction& solve,
                                    const_solution_view x)
{
    const csr<V>& a = system.matrix();
    const double scale = system.scale_of_residuals(), relative = rounding_of_residuals(x.words());
    const std::vector<double> magnitudes = system.magnitudes(x.high);
    const auto lost = [&](index_t i, int lifted) { return lost_to_underflow(a, i, scale, lifted); };
    const auto rounded = [&](index_t i, int lifted) {
        const double size = magnitudes[static_cast<std::size_t>(i)] +
                            std::fabs(system.right_hand_side().word(0)[i]);
        return std::ldexp(size * relative, lifted);
    };
    std::vector<double> e(magnitudes.size(), 0), of_rounding(magnitudes.size(), 0);
    for (const std::uint64_t start : {3, 4, 5}) {
        // Apart: beside the rounding of large rows what small ones lose would itself underflow.
        take_errors(solve, lost, start, e);
        take_errors(solve, rounded, start, of_rounding);
    }
    for (std::size_t i = 0; i < e.size(); ++i) e[i] += of_rounding[i];
    return e;
}
#define DDLA_INSTANTIATE(V)                                                                        \
    template double sharpen_errors(const host_system<V>&, const approximate_inverse&,              \
                                   const_solution_view, const known_zeros&, refinement_result&);   \
    template std::vector<double> residual_errors(const host_system<V>&, const correction&,         \
                                                 const_solution_view);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::refine
