// Norms of the inverse, times what condition numbers have beside it.
#pragma once

#include "inverse.hpp"

namespace ddla::refine {

/// ||B||_1 times `times` over `over`.  Products with B, and with B^T, are those with A^-1 or A^-T
/// between two steps.
struct inverse_norm {
    struct product {
        bool by_transpose = false;  ///< with A^-T
        std::function<void(real_vector&)> before = {}, after = {};
    };
    product direct, transposed;
    double times = 1, over = 1;

    const product& of(const norm_search& s) const { return s.by_transpose() ? transposed : direct; }
    norm_estimate of(norm_estimate b) const
    {
        b.value = b.value * times / over;
        return b;
    }
};

/// That of kappa_1 = ||A||_1 ||A^-1||_1.
template <scalar V>
inverse_norm norm_of_kappa1(const host_system<V>& system);
/// That of cond(A, x) = || |A^-1| |A| |x| ||_inf / ||x||_inf (Skeel 1979); nothing for x = 0, whose
/// condition is 0.  With `judged` both norms are those of these components.
template <scalar V>
std::optional<inverse_norm> norm_of_skeel(const host_system<V>& system, vec<const dd_real> x,
                                          const std::optional<component_range>& judged);

/// The estimate: a lower bound, mostly right within a factor of 3; a solve that stalls leaves
/// `complete` false, and it may be far larger.  Cost: some 8 refined solves.
template <scalar V>
norm_estimate estimate(const inverse_norm& norm, const host_system<V>& system,
                       const approximate_inverse& approximate);

}  // namespace ddla::refine
