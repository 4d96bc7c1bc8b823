// The operations that ddla shares with QD, as pairs of functions, and where the two must agree.
#pragma once

#include "domains.hpp"

#if defined(QD_IEEE_ADD)
// The packaged configuration divides sloppily whatever the addition is.
#include <qd/qd_config.h>
#undef QD_SLOPPY_DIV
#endif
#include <ddla/interop/qd.hpp>

#include <iterator>

namespace ddla::test {

using binary = dd_real (*)(dd_real, dd_real);

struct operation {
    const char* name;
    binary ours;
    binary theirs;
    bool (*domain)(dd_real, dd_real);
    bool everywhere = false;  ///< also for Inf, NaN and after overflow
};

inline dd_real flag(bool b)
{
    return b ? 1.0 : 0.0;
}

// clang-format off
inline const operation operations[] = {
#if defined(QD_IEEE_ADD)
    {"dd + dd", [](dd_real x, dd_real y) { return x + y; }, [](dd_real x, dd_real y) { return from_qd(to_qd(x) + to_qd(y)); }, anywhere, true},
    {"dd - dd", [](dd_real x, dd_real y) { return x - y; }, [](dd_real x, dd_real y) { return from_qd(to_qd(x) - to_qd(y)); }, anywhere, true},
    {"dd / dd", [](dd_real x, dd_real y) { return x / y; }, [](dd_real x, dd_real y) { return from_qd(to_qd(x) / to_qd(y)); }, quotient_in_range},
    {"accurate_div", [](dd_real x, dd_real y) { return dd_real::accurate_div(x, y); }, [](dd_real x, dd_real y) { return from_qd(::dd_real::accurate_div(to_qd(x), to_qd(y))); }, quotient_in_range},
    {"d / dd", [](dd_real x, dd_real y) { return x.hi / y; }, [](dd_real x, dd_real y) { return from_qd(x.hi / to_qd(y)); }, quotient_in_range},
    {"inv", [](dd_real, dd_real y) { return inv(y); }, [](dd_real, dd_real y) { return from_qd(::inv(to_qd(y))); }, inverse_in_range},
    {"drem", [](dd_real x, dd_real y) { return drem(x, y); }, [](dd_real x, dd_real y) { return from_qd(::drem(to_qd(x), to_qd(y))); }, remainder_in_range},
    {"divrem", [](dd_real x, dd_real y) { dd_real r; const dd_real n = divrem(x, y, r); return n + r; },
               [](dd_real x, dd_real y) { ::dd_real r; const ::dd_real n = ::divrem(to_qd(x), to_qd(y), r); return from_qd(n + r); }, remainder_in_range},
#else
    {"sloppy dd + dd", [](dd_real x, dd_real y) { return dd_real::sloppy_add(x, y); }, [](dd_real x, dd_real y) { return from_qd(to_qd(x) + to_qd(y)); }, anywhere, true},
    {"sloppy dd / dd", [](dd_real x, dd_real y) { return dd_real::sloppy_div(x, y); }, [](dd_real x, dd_real y) { return from_qd(to_qd(x) / to_qd(y)); }, quotient_in_range},
    {"sloppy d / dd", [](dd_real x, dd_real y) { return dd_real::sloppy_div(x.hi, y); }, [](dd_real x, dd_real y) { return from_qd(x.hi / to_qd(y)); }, quotient_in_range},
#endif
    {"ieee_add", [](dd_real x, dd_real y) { return dd_real::ieee_add(x, y); }, [](dd_real x, dd_real y) { return from_qd(::dd_real::ieee_add(to_qd(x), to_qd(y))); }, anywhere, true},
    {"sloppy_add", [](dd_real x, dd_real y) { return dd_real::sloppy_add(x, y); }, [](dd_real x, dd_real y) { return from_qd(::dd_real::sloppy_add(to_qd(x), to_qd(y))); }, anywhere, true},
    {"sloppy_div", [](dd_real x, dd_real y) { return dd_real::sloppy_div(x, y); }, [](dd_real x, dd_real y) { return from_qd(::dd_real::sloppy_div(to_qd(x), to_qd(y))); }, quotient_in_range},
    {"dd + d", [](dd_real x, dd_real y) { return x + y.hi; }, [](dd_real x, dd_real y) { return from_qd(to_qd(x) + y.hi); }, anywhere, true},
    {"d + dd", [](dd_real x, dd_real y) { return x.hi + y; }, [](dd_real x, dd_real y) { return from_qd(x.hi + to_qd(y)); }, anywhere, true},
    {"dd - d", [](dd_real x, dd_real y) { return x - y.hi; }, [](dd_real x, dd_real y) { return from_qd(to_qd(x) - y.hi); }, anywhere, true},
    {"d - dd", [](dd_real x, dd_real y) { return x.hi - y; }, [](dd_real x, dd_real y) { return from_qd(x.hi - to_qd(y)); }, anywhere, true},
    {"dd * dd", [](dd_real x, dd_real y) { return x * y; }, [](dd_real x, dd_real y) { return from_qd(to_qd(x) * to_qd(y)); }, product_in_range},
    {"dd * d", [](dd_real x, dd_real y) { return x * y.hi; }, [](dd_real x, dd_real y) { return from_qd(to_qd(x) * y.hi); }, product_in_range},
    {"d * dd", [](dd_real x, dd_real y) { return x.hi * y; }, [](dd_real x, dd_real y) { return from_qd(x.hi * to_qd(y)); }, product_in_range},
    {"dd / d", [](dd_real x, dd_real y) { return x / y.hi; }, [](dd_real x, dd_real y) { return from_qd(to_qd(x) / y.hi); }, quotient_in_range},
    {"add", [](dd_real x, dd_real y) { return dd_real::add(x.hi, y.hi); }, [](dd_real x, dd_real y) { return from_qd(::dd_real::add(x.hi, y.hi)); }, anywhere, true},
    {"sub", [](dd_real x, dd_real y) { return dd_real::sub(x.hi, y.hi); }, [](dd_real x, dd_real y) { return from_qd(::dd_real::sub(x.hi, y.hi)); }, anywhere, true},
    {"mul", [](dd_real x, dd_real y) { return dd_real::mul(x.hi, y.hi); }, [](dd_real x, dd_real y) { return from_qd(::dd_real::mul(x.hi, y.hi)); }, product_in_range},
    {"div", [](dd_real x, dd_real y) { return dd_real::div(x.hi, y.hi); }, [](dd_real x, dd_real y) { return from_qd(::dd_real::div(x.hi, y.hi)); }, quotient_in_range},
    {"sqr", [](dd_real x, dd_real) { return sqr(x); }, [](dd_real x, dd_real) { return from_qd(::sqr(to_qd(x))); }, square_in_range},
    {"two_sqr", [](dd_real x, dd_real) { const exact p = two_sqr(x.hi); return dd_real(p.value, p.error); }, [](dd_real x, dd_real) { return from_qd(::dd_real::sqr(x.hi)); }, square_in_range},
    {"sqrt", [](dd_real x, dd_real) { return sqrt(x); }, [](dd_real x, dd_real) { return from_qd(::sqrt(to_qd(x))); }, root_in_range},
    {"mul_pwr2", [](dd_real x, dd_real) { return mul_pwr2(x, 0x1p-30); }, [](dd_real x, dd_real) { return from_qd(::mul_pwr2(to_qd(x), 0x1p-30)); }, anywhere, true},
    {"ldexp", [](dd_real x, dd_real y) { return ldexp(x, static_cast<int>(bits(y.hi) >> 40) % 300); }, [](dd_real x, dd_real y) { return from_qd(::ldexp(to_qd(x), static_cast<int>(bits(y.hi) >> 40) % 300)); }, anywhere, true},
    {"-", [](dd_real x, dd_real) { return -x; }, [](dd_real x, dd_real) { return from_qd(-to_qd(x)); }, anywhere, true},
    {"abs", [](dd_real x, dd_real) { return abs(x); }, [](dd_real x, dd_real) { return from_qd(::abs(to_qd(x))); }, nonzero},
    {"floor", [](dd_real x, dd_real) { return floor(x); }, [](dd_real x, dd_real) { return from_qd(::floor(to_qd(x))); }, anywhere},
    {"ceil", [](dd_real x, dd_real) { return ceil(x); }, [](dd_real x, dd_real) { return from_qd(::ceil(to_qd(x))); }, anywhere},
    {"aint", [](dd_real x, dd_real) { return aint(x); }, [](dd_real x, dd_real) { return from_qd(::aint(to_qd(x))); }, anywhere},
    {"nint", [](dd_real x, dd_real) { return nint(x); }, [](dd_real x, dd_real) { return from_qd(::nint(to_qd(x))); }, anywhere},
    {"== != < <= > >=",
     [](dd_real x, dd_real y) { return flag(x == y) + flag(x != y) * 2 + flag(x < y) * 4 + flag(x <= y) * 8 + flag(x > y) * 16 + flag(x >= y) * 32; },
     [](dd_real a, dd_real b) { const ::dd_real x = to_qd(a), y = to_qd(b); return flag(x == y) + flag(x != y) * 2 + flag(x < y) * 4 + flag(x <= y) * 8 + flag(x > y) * 16 + flag(x >= y) * 32; }, anywhere, true},
    {"comparison with double",
     [](dd_real x, dd_real d) { const double y = d.hi; return flag(x == y) + flag(x != y) * 2 + flag(y < x) * 4 + flag(x <= y) * 8 + flag(x > y) * 16 + flag(y >= x) * 32; },
     [](dd_real a, dd_real d) { const ::dd_real x = to_qd(a); const double y = d.hi; return flag(x == y) + flag(x != y) * 2 + flag(y < x) * 4 + flag(x <= y) * 8 + flag(x > y) * 16 + flag(y >= x) * 32; }, anywhere, true},
};
// clang-format on

}  // namespace ddla::test
