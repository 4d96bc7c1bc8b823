// Run a check under every way in which the device backend cuts its work.
#pragma once

#include "catch.hpp"
#include "support/random.hpp"

#include "ddla/blas.hpp"
#include "device/schedule.hpp"

#include <bit>
#include <cmath>

namespace test {

inline constexpr ddla::place gpu = ddla::device(0);

template <class Check>
void under_every_schedule(const Check& check)
{
    using ddla::device_backend::choose_schedule;
    using ddla::device_backend::schedule;
    constexpr ddla::index_t never = INT64_MAX;
    for (const schedule& s : {schedule{}, schedule{1, 1, 1}, schedule{4, never, 2},
                              schedule{256, 1, 3}, schedule{16, never, 8}}) {
        INFO("tiles per block " << s.tiles_per_block << ", warp tiles from " << s.warp_tiles_from
                                << ", iterations per graph " << s.iterations_per_graph);
        choose_schedule(s);
        check();
    }
    choose_schedule({});
}

/// Equal bits; all NaNs are equal.
inline bool same_bits(double a, double b)
{
    return (std::isnan(a) && std::isnan(b)) ||
           std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}
inline bool same_bits(ddla::dd_real a, ddla::dd_real b)
{
    return same_bits(a.hi, b.hi) && same_bits(a.lo, b.lo);
}
template <class T>
bool same_bits(const ddla::vector<T>& a, const ddla::vector<T>& b)
{
    if (!a.where().is_host()) return same_bits(a.to(ddla::host), b);
    if (!b.where().is_host()) return same_bits(a, b.to(ddla::host));
    if (a.size() != b.size()) return false;
    for (ddla::index_t i = 0; i < a.size(); ++i)
        if (!same_bits(a[i], b[i])) {
            UNSCOPED_INFO("first difference at " << i << ": " << double(a[i]) << " and "
                                                 << double(b[i]));
            return false;
        }
    return true;
}

template <class T, class V>
struct types {
    using scalar = T;
    using value = V;
};
using double_double = types<double, double>;
using dd_double = types<ddla::dd_real, double>;
using dd_dd = types<ddla::dd_real, ddla::dd_real>;

}  // namespace test
