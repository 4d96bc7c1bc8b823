// Correctly rounded conversion from and to MPFR.
//
//     mpfr_t m;
//     mpfr_init2(m, 200);
//     ddla::to_mpfr(m, ddla::dd_real(1) / 3);
//     const ddla::dd_real back = ddla::from_mpfr(m);
//     mpfr_clear(m);
#pragma once

#include "../dd_real.hpp"

#include <algorithm>
#include <mpfr.h>

namespace ddla {

/// Set `to` to x, rounded once to its precision (exact from 2098 bits on).  Returns what MPFR
/// returns: the sign of the rounding error.
inline int to_mpfr(mpfr_ptr to, dd_real x, mpfr_rnd_t rounding = MPFR_RNDN)
{
    if (x.lo == 0 || !detail::is_finite(x.hi)) return mpfr_set_d(to, x.hi, rounding);
    mpfr_t high;
    mpfr_init2(high, std::numeric_limits<double>::digits);
    mpfr_set_d(high, x.hi, MPFR_RNDN);
    const int inexact = mpfr_add_d(to, high, x.lo, rounding);
    mpfr_clear(high);
    return inexact;
}

/// The sum of the double nearest to x and the double nearest to the rest, whatever the precision of
/// x; Inf beyond the range.
inline dd_real from_mpfr(mpfr_srcptr x)
{
    const double high = mpfr_get_d(x, MPFR_RNDN);
    if (high == 0 || !detail::is_finite(high)) return high;
    mpfr_t rest;
    mpfr_init2(rest, std::max<mpfr_prec_t>(mpfr_get_prec(x), 53) + 2);  // x - high fits
    mpfr_sub_d(rest, x, high, MPFR_RNDN);
    const double low = mpfr_get_d(rest, MPFR_RNDN);
    mpfr_clear(rest);
    return detail::renormalized(high, low);  // low may have rounded up to half an ulp
}

}  // namespace ddla
