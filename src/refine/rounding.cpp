// x as it is returned.
#include "rounding.hpp"

#include "ddla/eft.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace ddla::refine {
namespace {

/// Of the smallest subnormal double.
constexpr int least_exponent = -1074;

/// The words of a component, the largest first; they do not overlap.
using component = std::array<double, 4>;

component words_of_component(const_solution_view x, index_t i)
{
    component w{x.high.word(0)[i], x.high.word(1)[i], 0, 0};
    if (x.words() == 4) w[2] = x.low.word(0)[i], w[3] = x.low.word(1)[i];
    return w;
}

void set_component(solution_view x, index_t i, const component& w)
{
    x.high.set(i, dd_real(w[0], w[1]));
    if (x.words() == 4) x.low.set(i, dd_real(w[2], w[3]));
}

/// 2^q times the whole number next to x / 2^q; halves go where `rest` points, else to even.
double rounded_to_multiple(double x, int q, double rest)
{
    const double t = std::ldexp(x, -q), below = std::floor(t);
    double whole = std::nearbyint(t);
    if (t - below == 0.5 && rest != 0) whole = rest > 0 ? below + 1 : below;
    return std::ldexp(whole, q);
}

/// Whether x is a multiple of 2^q, or not finite.
bool is_multiple(double x, int q)
{
    if (x == 0 || !std::isfinite(x)) return true;
    if (std::ilogb(x) - 52 >= q) return true;
    const double t = std::ldexp(x, -q);
    return t == std::floor(t) && std::ldexp(t, q) == x;
}

/// Carries of rounding back into larger words; exact, for all bits fit.
void renormalise(component& w)
{
    for (int pass = 0; pass < 3; ++pass)
        for (std::size_t k = 3; k > 0; --k) {
            const exact s = two_sum(w[k - 1], w[k]);
            w[k - 1] = s.value;
            w[k] = s.error;
        }
}

/// Rounds to multiples of 2^q; returns at least the magnitude of the change.
double round_component(component& w, int q)
{
    std::size_t k = 0;
    while (k < w.size() && is_multiple(w[k], q)) ++k;
    if (k == w.size()) return 0;
    double rest = 0, change = 0;
    for (std::size_t j = w.size() - 1; j > k; --j) {
        rest += w[j];
        change += std::fabs(w[j]);
        w[j] = 0;
    }
    const double before = w[k];
    w[k] = rounded_to_multiple(before, q, rest);
    change += std::fabs(before - w[k]);
    renormalise(w);
    return change * (1 + 0x1p-50);  // the sum may have been rounded down
}

}  // namespace

std::vector<double> round_to(solution_view x, component_range range, returned_form form)
{
    std::vector<double> change(static_cast<std::size_t>(x.size()), 0);
    const int least = std::max(least_exponent, least_exponent - form.exponent);
    for (index_t i = range.begin; i < range.end; ++i) {
        component w = words_of_component(x, i);
        if (w[0] == 0 || !std::isfinite(w[0])) continue;
        const int q = std::ilogb(w[0]) - (significant_bits(form.words) - 1);
        change[static_cast<std::size_t>(i)] = round_component(w, std::max(q, least));
        if (w[0] == 0) w[0] = 0.0;  // not -0
        set_component(x, i, w);
    }
    return change;
}

index_t first_overflow(const_solution_view x, component_range range, int exponent)
{
    for (index_t i = range.begin; i < range.end; ++i) {
        const double w = x.high.word(0)[i];
        if (!std::isfinite(w) || !std::isfinite(std::ldexp(w, exponent))) return i;
    }
    return -1;
}

void multiply_by_power(solution_view x, int exponent)
{
    if (exponent == 0) return;
    const auto multiply = [exponent](vec<dd_real> v) {
        for (int k = 0; k < 2; ++k)
            for (index_t i = 0; i < v.size; ++i) v.word(k)[i] = std::ldexp(v.word(k)[i], exponent);
    };
    multiply(x.high);
    multiply(x.low);
}

}  // namespace ddla::refine
