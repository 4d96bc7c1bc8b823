// Sums in double-double with half of their additions as fused multiply-adds by one: the same bits,
// and processors that add and multiply in units of their own (AMD Zen 4) do both side by side.
//
// It pays where additions are all that limits a loop: eight vectors at once take 0.83 to 0.89 of
// the time.  Where loads do, it costs a little; notes: host_columns.
#pragma once

#include "simd8.hpp"

namespace ddla::host_backend {

enum class additions_by {
    adders,
    all_units  ///< needs fma instructions: std::fma is a library call elsewhere
};

/// 1, which compilers must not know: they would make fma(a, 1, b) an addition again.
extern const double opaque_one;

[[gnu::always_inline]] inline double sum_by_fma(double a, double b)
{
    return std::fma(a, opaque_one, b);
}
/// two_sum.
[[gnu::always_inline]] inline exact two_sum_by_fma(double a, double b)
{
    const double s = sum_by_fma(a, b);
    const double bb = sum_by_fma(s, -a);
    return {s, sum_by_fma(sum_by_fma(a, -sum_by_fma(s, -bb)), sum_by_fma(b, -bb))};
}

/// x + y of dd_real.
[[gnu::always_inline]] inline dd_real sum_by_all_units(dd_real x, dd_real y)
{
    const exact s = two_sum_by_fma(x.hi, y.hi);
    const exact t = two_sum_by_fma(x.lo, y.lo);
    const exact v = fast_two_sum(s.value, s.error + t.value);
    return detail::renormalized(v.value, v.error + t.error);
}

template <additions_by By, class T>
[[gnu::always_inline]] inline void add(eight_of<T>& sum, const eight_of<T>& term)
{
    if constexpr (By == additions_by::all_units && std::same_as<T, dd_real>) {
#pragma GCC unroll 1
        for (int l = 0; l < eight; ++l) sum.set(l, sum_by_all_units(sum.get(l), term.get(l)));
    } else
        add(sum, term);
}

}  // namespace ddla::host_backend
