// Norms of the inverse.
#include "inverse_norms.hpp"

#include "element_loops.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace ddla::refine {
namespace {

/// ||A||_1 times `unit`, a power of two that keeps sums from overflow.
template <scalar V>
double norm1_of(const host_system<V>& system, double unit)
{
    const csr<V>& a = system.matrix();
    if (system.is_own_transpose()) {  // the same sums, and threads share them
        real_vector rows(static_cast<std::size_t>(a.rows), 0);
        each_element(a.rows, [&](index_t i) {
            double& sum = rows[static_cast<std::size_t>(i)];
            for (index_t e = a.row_begin[i]; e < a.row_begin[i + 1]; ++e)
                sum += std::fabs(a.value.word(0)[e]) * unit;
        });
        return largest_of(a.rows, [&](index_t i) { return rows[static_cast<std::size_t>(i)]; });
    }
    real_vector columns(static_cast<std::size_t>(a.columns), 0);
    for (index_t e = 0; e < a.nonzeros(); ++e)
        columns[static_cast<std::size_t>(a.column[e])] += std::fabs(a.value.word(0)[e]) * unit;
    return columns.empty() ? 0 : *std::max_element(columns.begin(), columns.end());
}

}  // namespace

template <scalar V>
inverse_norm norm_of_kappa1(const host_system<V>& system)
{
    inverse_norm norm;
    norm.transposed.by_transpose = true;
    norm.over = largest_entry(system.matrix()) > 0x1p+900 ? 0x1p-100 : 1;
    norm.times = norm1_of(system, norm.over);
    return norm;
}

template <scalar V>
std::optional<inverse_norm> norm_of_skeel(const host_system<V>& system, vec<const dd_real> x,
                                          const std::optional<component_range>& judged)
{
    const double largest = largest_magnitude(judged ? judged->part(x) : x);
    if (largest == 0) return std::nullopt;
    // || |A^-1| w ||_inf = || diag(w) A^-T ||_1 for w = |A| |x|.  Powers of two keep w in range.
    const auto w = std::make_shared<const real_vector>(system.magnitudes(x));
    const auto times_w = [w, largest](real_vector& v) {
        for (std::size_t i = 0; i < v.size(); ++i) v[i] *= (*w)[i] / largest;
    };
    const auto leave_judged = [judged](real_vector& v) {
        for (std::size_t i = 0; judged && i < v.size(); ++i)
            if (!judged->has(static_cast<index_t>(i))) v[i] = 0;
    };
    return inverse_norm{{true, leave_judged, times_w}, {false, times_w, leave_judged}};
}

template <scalar V>
norm_estimate estimate(const inverse_norm& norm, const host_system<V>& system,
                       const approximate_inverse& approximate)
{
    const auto by = [&](const inverse_norm::product& p) -> linear_map {
        return [&](real_vector v) {
            if (p.before) p.before(v);
            auto y = p.by_transpose ? refined_solve_transposed(system, approximate, std::move(v))
                                    : refined_solve(system, approximate, std::move(v));
            if (y && p.after) p.after(*y);
            return y;
        };
    };
    return norm.of(estimate_norm1(system.size(), by(norm.direct), by(norm.transposed)));
}

#define DDLA_INSTANTIATE(V)                                                                        \
    template inverse_norm norm_of_kappa1(const host_system<V>&);                                   \
    template std::optional<inverse_norm> norm_of_skeel(const host_system<V>&, vec<const dd_real>,  \
                                                       const std::optional<component_range>&);     \
    template norm_estimate estimate(const inverse_norm&, const host_system<V>&,                    \
                                    const approximate_inverse&);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::refine
