// What each component of x may be wrong by.
#include "component_errors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ddla::refine {
namespace {

/// No correction is known better: what is smaller is 0 in it.
constexpr double unit_of_underflow = std::numeric_limits<double>::denorm_min();

}  // namespace

double error_norm::of(vec<const dd_real> e, double more) const
{
    double most = 0;
    for (index_t i = 0; i < e.size; ++i)
        if (const double s = scale_of(i); s > 0)
            most = std::max(most, (std::fabs(e.word(0)[i]) + more) / s);
    return most;
}

double unlucky_probe(index_t n)
{
    return 2 * std::sqrt(static_cast<double>(std::max<index_t>(n, 1)));
}

std::vector<double> component_errors(vec<const dd_real> d, const error_norm& norm)
{
    const double wrong = norm.rate * norm.of(d, unit_of_underflow);
    std::vector<double> e(static_cast<std::size_t>(d.size), 0);
    for (index_t i = 0; i < d.size; ++i)
        if (const double s = norm.scale_of(i); s > 0)
            e[static_cast<std::size_t>(i)] =
                std::fabs(d.word(0)[i]) + wrong * s + unit_of_underflow;
    return e;
}

std::vector<double> scale_of_components(const_solution_view x, const std::vector<double>& left,
                                        const std::vector<double>& e,
                                        const std::vector<bool>& known_zero, double rounding)
{
    std::vector<double> scale(e.size(), 0);
    for (std::size_t i = 0; i < e.size(); ++i) {
        if (!known_zero.empty() && known_zero[i]) continue;
        scale[i] = std::max(std::fabs(x.high.word(0)[i]), left[i] / rounding);
        if (scale[i] == 0) scale[i] = e[i] / rounding;
    }
    return scale;
}

}  // namespace ddla::refine
