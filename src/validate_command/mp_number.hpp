// MPFR's numbers as values: each has a precision of its own.
//
//     mp_number x(256, 1.0);   // 256 bits
//     x /= mp_number(256, 3.0);
#pragma once

#include "ddla/interop/mpfr.hpp"

#include <mpfr.h>

#include <string>

namespace ddla::validate {

/// A number of MPFR.  Operations round to nearest, to the precision of the left operand; a copy
/// takes the precision, too.  One that was moved from may only be assigned or destroyed.
/// Exponents have 62 bits: nothing that doubles are computed from over- or underflows.
class mp_number {
public:
    explicit mp_number(mpfr_prec_t bits = 53)
    {
        mpfr_init2(value_, bits);
        mpfr_set_zero(value_, 1);
    }
    mp_number(mpfr_prec_t bits, double x) : mp_number(bits) { *this = x; }
    mp_number(mpfr_prec_t bits, dd_real x) : mp_number(bits) { to_mpfr(value_, x); }
    /// x rounded to `bits`.
    mp_number(mpfr_prec_t bits, const mp_number& x) : mp_number(bits) { round_from(x); }
    mp_number(const mp_number& x) : mp_number(x.bits(), x) {}
    mp_number(mp_number&& x) noexcept
    {
        *value_ = *x.value_;
        x.value_->_mpfr_d = nullptr;
    }
    mp_number& operator=(const mp_number& x)
    {
        if (this != &x) *this = mp_number(x);
        return *this;
    }
    mp_number& operator=(mp_number&& x) noexcept
    {
        std::swap(*value_, *x.value_);
        return *this;
    }
    /// x, rounded to the precision that this number has.
    mp_number& operator=(double x)
    {
        mpfr_set_d(value_, x, MPFR_RNDN);
        return *this;
    }
    ~mp_number()
    {
        if (value_->_mpfr_d != nullptr) mpfr_clear(value_);
    }

    /// The value of x, rounded to the precision that this number has.
    void round_from(const mp_number& x) { mpfr_set(value_, x.value_, MPFR_RNDN); }

    mpfr_prec_t bits() const { return mpfr_get_prec(value_); }
    mpfr_srcptr get() const { return value_; }
    mpfr_ptr get() { return value_; }

    mp_number& operator+=(const mp_number& x)
    {
        mpfr_add(value_, value_, x.value_, MPFR_RNDN);
        return *this;
    }
    mp_number& operator-=(const mp_number& x)
    {
        mpfr_sub(value_, value_, x.value_, MPFR_RNDN);
        return *this;
    }
    mp_number& operator*=(const mp_number& x)
    {
        mpfr_mul(value_, value_, x.value_, MPFR_RNDN);
        return *this;
    }
    mp_number& operator*=(double x)
    {
        mpfr_mul_d(value_, value_, x, MPFR_RNDN);
        return *this;
    }
    mp_number& operator/=(const mp_number& x)
    {
        mpfr_div(value_, value_, x.value_, MPFR_RNDN);
        return *this;
    }
    friend bool operator<(const mp_number& x, const mp_number& y)
    {
        return mpfr_less_p(x.value_, y.value_) != 0;
    }

private:
    mpfr_t value_;
};

inline mp_number abs(mp_number x)
{
    mpfr_abs(x.get(), x.get(), MPFR_RNDN);
    return x;
}
/// -1, 0 or 1.
inline int sign_of(const mp_number& x)
{
    return mpfr_sgn(x.get());
}
inline bool is_finite(const mp_number& x)
{
    return mpfr_number_p(x.get()) != 0;
}
/// |x| < |y|
inline bool smaller(const mp_number& x, const mp_number& y)
{
    return mpfr_cmpabs(x.get(), y.get()) < 0;
}
/// x -= a b, in two roundings: a third faster than mpfr_fms.
inline void subtract_product(mp_number& x, const mp_number& a, const mp_number& b)
{
    thread_local mp_number product;
    if (product.bits() != x.bits()) mpfr_set_prec(product.get(), x.bits());
    mpfr_mul(product.get(), a.get(), b.get(), MPFR_RNDN);
    mpfr_sub(x.get(), x.get(), product.get(), MPFR_RNDN);
}
/// The nearest double, ±Inf or ±0 outside its range.
inline double to_double(const mp_number& x)
{
    return mpfr_get_d(x.get(), MPFR_RNDN);
}
/// log10 |x|, whatever the exponent; -Inf for 0.
inline double log10_of(const mp_number& x)
{
    mp_number logarithm(53, abs(x));
    mpfr_log10(logarithm.get(), logarithm.get(), MPFR_RNDN);
    return to_double(logarithm);
}
/// The exponent e of 2^(e - 1) <= |x| < 2^e; `otherwise` for 0.
inline long exponent_of(const mp_number& x, long otherwise)
{
    return mpfr_regular_p(x.get()) != 0 ? static_cast<long>(mpfr_get_exp(x.get())) : otherwise;
}
/// `digits` significant digits in scientific notation.
std::string to_text(const mp_number& x, int digits);

}  // namespace ddla::validate
