// Unrolled loops, and loops that must stay loops.
#pragma once

#include "ddla/views.hpp"

#include <algorithm>
#include <utility>

namespace ddla::host_backend {

/// k, opaque to the compiler: it does not unroll a loop over k, but vectorises the eight lanes
/// inside.
[[gnu::always_inline]] inline index_t opaque(index_t k)
{
    asm("" : "+r"(k));
    return k;
}

/// f(std::integral_constant<int, k>) for 0 <= k < N.
template <int N, class F>
[[gnu::always_inline]] inline void unrolled(const F& f)
{
    [&]<int... k>(std::integer_sequence<int, k...>) __attribute__((always_inline))
    {
        (f(std::integral_constant<int, k>{}), ...);
    }
    (std::make_integer_sequence<int, N>{});
}

/// f(std::integral_constant<int, n>); First <= n <= Last.
template <int First, int Last, class F>
[[gnu::always_inline]] inline void with_constant(int n, const F& f)
{
    if constexpr (First < Last)
        if (n != First) return with_constant<First + 1, Last>(n, f);
    f(std::integral_constant<int, First>{});
}

/// Fold N terms in half; add(i, j) adds term j to term i.
template <int N, int H, class Add>
[[gnu::always_inline]] inline void fold_unrolled(const Add& add)
{
    if constexpr (H > 0) {
        unrolled<std::max(0, std::min(H, N - H))>([&](auto k) __attribute__((always_inline)) {
            add(k, k + H);
        });
        fold_unrolled<std::min(N, H), H / 2>(add);
    }
}

}  // namespace ddla::host_backend
