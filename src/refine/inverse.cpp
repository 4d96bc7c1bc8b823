// Products with A^-1 and A^-T, refined, and condition numbers.
#include "inverse.hpp"

#include "ddla/dd_math.hpp"
#include "ddla/vector.hpp"
#include "ddla/watched_scope.hpp"
#include "steps/random_bits.hpp"

#include <algorithm>
#include <climits>
#include <cmath>
#include <functional>

namespace ddla::refine {
namespace {

constexpr int most_steps = 12;
constexpr double close_enough = 0x1p-20;

/// max |x_i| / scale_i of those with a scale; NaN if one is.
double scaled_magnitude(vec<const dd_real> x, const std::vector<double>& scale)
{
    if (scale.empty()) return largest_magnitude(x);
    double most = 0;
    for (index_t i = 0; i < x.size; ++i) {
        if (scale[static_cast<std::size_t>(i)] == 0) continue;
        const double m = std::fabs(x.word(0)[i]) / scale[static_cast<std::size_t>(i)];
        if (!(m <= most)) most = m;
        if (std::isnan(most)) return most;
    }
    return most;
}

/// y of M y = v for M = A or A^T, with this correction; `scale` is that of y.
template <scalar V>
std::optional<real_vector> refined(const csr<V>& m, const correction& correct,
                                   const std::vector<double>& scale,
                                   const std::function<bool()>& may_go_on, const real_vector& v)
{
    const index_t n = m.rows;
    vector<dd_real> y(n), r(n), d(n), wanted(n);
    for (index_t i = 0; i < n; ++i) wanted.set(i, dd_real(v[static_cast<std::size_t>(i)]));
    r = wanted;
    double last = HUGE_VAL;
    for (int step = 0; step < most_steps; ++step) {
        if (may_go_on && !may_go_on()) return std::nullopt;
        correct(r.view(), d.view());
        const double size = scaled_magnitude(d.view(), scale);
        if (!std::isfinite(size) || (step > 1 && size > 0.5 * last)) return std::nullopt;
        last = size;
        for (index_t i = 0; i < n; ++i) y.set(i, y[i] + d[i]);
        if (step > 0 && size <= close_enough * scaled_magnitude(y.view(), scale))
            return real_vector(y.view().word(0), y.view().word(0) + n);
        count_work(10 * m.nonzeros());
        host_engine().matrices<dd_real, V>().residual(m, y.view(), wanted.view(), r.view());
    }
    return std::nullopt;
}

/// ||A||_1 times `unit`, a power of two that keeps sums from overflow.
template <scalar V>
double norm1_of(const csr<V>& a, double unit)
{
    real_vector columns(static_cast<std::size_t>(a.columns), 0);
    for (index_t e = 0; e < a.nonzeros(); ++e)
        columns[static_cast<std::size_t>(a.column[e])] += std::fabs(a.value.word(0)[e]) * unit;
    return columns.empty() ? 0 : *std::max_element(columns.begin(), columns.end());
}

}  // namespace

template <scalar V>
std::optional<real_vector> refined_solve(const host_system<V>& system,
                                         const approximate_inverse& approximate,
                                         const real_vector& v)
{
    return refined(system.matrix(), approximate.solve, approximate.column_scale,
                   approximate.may_go_on, v);
}

template <scalar V>
std::optional<real_vector> refined_solve_transposed(const host_system<V>& system,
                                                    const approximate_inverse& approximate,
                                                    const real_vector& v)
{
    return refined(system.transposed(), approximate.solve_transposed, approximate.row_scale,
                   approximate.may_go_on, v);
}

namespace {

/// What the probe begins with, of each component.
using first_vector = std::function<dd_real(std::uint64_t start, std::size_t i)>;

/// Half of `scale` to all of it, of hashed sign and words: whole numbers and powers of two would
/// hide what rounding does.
dd_real full_words(std::uint64_t start, std::size_t i, double scale)
{
    const double high = random_number(start, i) * scale;
    const auto low = static_cast<double>(steps::random_bits(start + 16, i) >> 12) * 0x1p-107;
    return dd_real(high) + dd_real(low * high);
}

/// Least and largest exponents; none: least is above largest.
struct exponent_range {
    int least = INT_MAX, largest = INT_MIN;

    void take(int e)
    {
        least = std::min(least, e);
        largest = std::max(largest, e);
    }
};

/// A power of two for z of these sizes, so that the rows of A z are about the middle of the range:
/// products lose bits near its ends.  It leaves z normal, and A z finite.  1 where a size is
/// infinite: A z has no middle then, and no rate.
template <scalar V>
double middle_of_range(const csr<V>& a, const std::vector<double>& scale)
{
    constexpr int far = 900;
    exponent_range rows, z;
    for (index_t i = 0; i < a.rows; ++i) {
        exponent_range row;
        for (index_t e = a.row_begin[i]; e < a.row_begin[i + 1]; ++e) {
            const double size = scale.empty() ? 1 : scale[static_cast<std::size_t>(a.column[e])];
            const double value = a.value.word(0)[e];
            if (!std::isfinite(size)) return 1;
            if (size != 0) z.take(std::ilogb(size));
            if (size != 0 && value != 0) row.take(std::ilogb(value) + std::ilogb(size));
        }
        if (row.least <= row.largest) rows.take(row.largest);
    }
    if (rows.largest < rows.least) return 1;
    const int middle = std::max(-(rows.least + rows.largest) / 2, -far - z.least);
    return std::ldexp(1.0, std::clamp(std::min(middle, far - rows.largest), -far, far));
}

template <scalar V>
double rate_of(const host_system<V>& system, const correction& solve,
               const std::vector<double>& scale, double rounding, const first_vector& first)
{
    const index_t n = system.size();
    const double unit = middle_of_range(system.matrix(), scale);
    vector<dd_real> z(n), az(n), e(n);
    double rate = 0;
    for (const std::uint64_t start : {1, 2}) {
        for (index_t i = 0; i < n; ++i) z.set(i, first(start, static_cast<std::size_t>(i)) * unit);
        for (int step = 0; step < 2; ++step) {
            const double size = scaled_magnitude(z.view(), scale);
            if (size == 0) break;
            host_engine().matrices<dd_real, V>().spmv(dd_real(1), system.matrix(), z.view(),
                                                      dd_real(0), az.view());
            for (index_t i = 0; i < n; ++i) {
                const auto at = static_cast<std::uint64_t>(2 * i + step);
                az.set(i, az[i] * (dd_real(1) + rounding * random_number(start + 8, at)));
            }
            solve(az.view(), e.view());
            for (index_t i = 0; i < n; ++i) {
                const bool is_out = !scale.empty() && scale[static_cast<std::size_t>(i)] == 0;
                e.set(i, is_out ? dd_real(0) : e[i] - z[i]);
            }
            const double left = scaled_magnitude(e.view(), scale) / size;
            if (!(left <= rate)) rate = left;
            if (!std::isfinite(rate)) return HUGE_VAL;
            std::swap(z, e);
        }
    }
    return rate;
}

}  // namespace

template <scalar V>
double probed_rate(const host_system<V>& system, const correction& solve,
                   const std::vector<double>& scale, double rounding)
{
    return rate_of(system, solve, scale, rounding, [&](std::uint64_t start, std::size_t i) {
        return full_words(start, i, scale[i]);
    });
}

template <scalar V>
double probed_rate(const host_system<V>& system, const approximate_inverse& approximate)
{
    const std::vector<double>& scale = approximate.column_scale;
    return rate_of(system, approximate.solve, scale, approximate.rounding,
                   [&](std::uint64_t start, std::size_t i) {
                       return full_words(start, i, scale.empty() ? 1 : scale[i]);
                   });
}

template <scalar V>
norm_estimate estimate_kappa1(const host_system<V>& system, const approximate_inverse& approximate)
{
    norm_estimate inverse = estimate_norm1(
        system.size(), [&](const real_vector& v) { return refined_solve(system, approximate, v); },
        [&](const real_vector& v) { return refined_solve_transposed(system, approximate, v); });
    const double largest = largest_entry(system.matrix());
    const double unit = largest > 0x1p+900 ? 0x1p-100 : 1;
    inverse.value = inverse.value * norm1_of(system.matrix(), unit) / unit;
    return inverse;
}

template <scalar V>
norm_estimate estimate_skeel(const host_system<V>& system, const approximate_inverse& approximate,
                             vec<const dd_real> x, const std::optional<component_range>& judged)
{
    const double largest = largest_magnitude(judged ? judged->part(x) : x);
    if (largest == 0) return {};
    // || |A^-1| w ||_inf = || diag(w) A^-T ||_1 for w = |A| |x|.  Powers of two keep w in range.
    const real_vector w = system.magnitudes(x);
    const auto times_w = [&](real_vector v) {
        for (std::size_t i = 0; i < v.size(); ++i) v[i] *= w[i] / largest;
        return v;
    };
    const auto judged_part = [&](real_vector v) {
        for (std::size_t i = 0; judged && i < v.size(); ++i)
            if (!judged->has(static_cast<index_t>(i))) v[i] = 0;
        return v;
    };
    return estimate_norm1(
        system.size(),
        [&](const real_vector& v) {
            auto y = refined_solve_transposed(system, approximate, judged_part(v));
            return y ? std::optional(times_w(*y)) : y;
        },
        [&](const real_vector& v) {
            auto y = refined_solve(system, approximate, times_w(v));
            return y ? std::optional(judged_part(std::move(*y))) : y;
        });
}

#define DDLA_INSTANTIATE(V)                                                                        \
    template std::optional<real_vector> refined_solve(                                             \
        const host_system<V>&, const approximate_inverse&, const real_vector&);                    \
    template std::optional<real_vector> refined_solve_transposed(                                  \
        const host_system<V>&, const approximate_inverse&, const real_vector&);                    \
    template double probed_rate(const host_system<V>&, const approximate_inverse&);                \
    template double probed_rate(const host_system<V>&, const correction&,                          \
                                const std::vector<double>&, double);                               \
    template norm_estimate estimate_kappa1(const host_system<V>&, const approximate_inverse&);     \
    template norm_estimate estimate_skeel(const host_system<V>&, const approximate_inverse&,       \
                                          vec<const dd_real>,                                      \
                                          const std::optional<component_range>&);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::refine
