// Double-double arithmetic of factorisations, of doubles or of lines of them.
//
// For the units kernels_*.cpp and for device code: each is compiled for its instruction set, so
// that nothing here may be linked elsewhere.  Therefore all is in an unnamed namespace and nothing
// of the standard library is called.  All operations are IEEE: the same bits everywhere.
#pragma once

namespace ddla::factor {
namespace {

#if defined(__CUDACC__)
#define DDLA_INLINE __device__ __forceinline__
#define DDLA_LONG DDLA_INLINE
#define DDLA_FMA DDLA_INLINE
#else
#define DDLA_INLINE [[gnu::always_inline]] inline
/// What is long without vectors, and an FMA without the instruction, stands in one place: inlined
/// at each use it would be megabytes.
#if defined(__AVX2__)
#define DDLA_LONG DDLA_INLINE
#else
#define DDLA_LONG [[gnu::noinline]] inline
#endif
#if defined(__FP_FAST_FMA)
#define DDLA_FMA DDLA_INLINE
#else
#define DDLA_FMA [[gnu::noinline]] inline
#endif
#endif

#if defined(__CUDACC__)
DDLA_INLINE double fma(double a, double b, double c)
{
    return __fma_rn(a, b, c);
}
DDLA_INLINE double square_root(double a)
{
    return __dsqrt_rn(a);
}
#else
DDLA_INLINE double fma(double a, double b, double c)
{
    return __builtin_fma(a, b, c);
}
DDLA_INLINE double square_root(double a)
{
    return __builtin_sqrt(a);
}
#endif
DDLA_INLINE double fms(double a, double b, double c)
{
    return fma(a, b, -c);
}
DDLA_INLINE double fnma(double a, double b, double c)
{
    return fma(-a, b, c);
}

/// Double-double of W, a double or a line of them.
template <class W>
struct pair {
    W hi, lo;
};
/// |value| >= |error|
template <class W>
DDLA_INLINE pair<W> fast_two_sum(W value, W error)
{
    const W s = value + error;
    return {s, error - (s - value)};
}
template <class W>
DDLA_INLINE pair<W> two_diff(W a, W b)
{
    const W s = a - b, t = s - a;
    return {s, (a - (s - t)) - (b + t)};
}
template <class W>
DDLA_INLINE pair<W> two_sum(W a, W b)
{
    const W s = a + b, t = s - a;
    return {s, (a - (s - t)) + (b - t)};
}

/// c - l u, the update of a factorisation: docs/factorisation.md has its error.  Not commutative:
/// the number of L is the first.
template <class W>
DDLA_FMA pair<W> fnma(pair<W> l, pair<W> u, pair<W> c)
{
    const W p = l.hi * u.hi;
    const W e = fma(l.lo, u.hi, fma(l.hi, u.lo, fms(l.hi, u.hi, p)));
    const pair<W> s = two_diff(c.hi, p);
    return fast_two_sum(s.hi, s.lo + (c.lo - e));
}

// The operations of dd_real, whose bits are QD's (ddla/dd_real.hpp), for lines.
template <class W>
DDLA_LONG pair<W> operator+(pair<W> a, pair<W> b)
{
    const pair<W> s = two_sum(a.hi, b.hi), t = two_sum(a.lo, b.lo);
    const pair<W> v = fast_two_sum(s.hi, s.lo + t.hi);
    return fast_two_sum(v.hi, v.lo + t.lo);
}
template <class W>
DDLA_LONG pair<W> operator-(pair<W> a, pair<W> b)
{
    const pair<W> s = two_diff(a.hi, b.hi), t = two_diff(a.lo, b.lo);
    const pair<W> v = fast_two_sum(s.hi, s.lo + t.hi);
    return fast_two_sum(v.hi, v.lo + t.lo);
}
template <class W>
DDLA_LONG pair<W> times(W q, pair<W> b)
{
    const W p = b.hi * q;
    return fast_two_sum(p, fms(b.hi, q, p) + b.lo * q);
}
template <class W>
DDLA_LONG pair<W> operator/(pair<W> a, pair<W> b)
{
    const W q1 = a.hi / b.hi;
    const pair<W> r1 = a - times(q1, b);
    const W q2 = r1.hi / b.hi;
    const pair<W> r2 = r1 - times(q2, b);
    const W q3 = r2.hi / b.hi;
    const pair<W> q = fast_two_sum(q1, q2), s = two_sum(q.hi, q3);
    return fast_two_sum(s.hi, s.lo + q.lo);
}
template <class W>
DDLA_INLINE pair<W> operator*(pair<W> a, pair<W> b)
{
    const W p = a.hi * b.hi;
    return fast_two_sum(p, fms(a.hi, b.hi, p) + (a.hi * b.lo + a.lo * b.hi));
}

DDLA_INLINE double negative(double x)
{
    return -x;
}
template <class W>
DDLA_INLINE pair<W> negative(pair<W> x)
{
    return {-x.hi, -x.lo};
}
/// The products of D and L of a pair: L's numbers come first in the updates.
template <class L>
DDLA_INLINE void times_pair(const L& l1, const L& l2, const L& d1, const L& minus_beside,
                            const L& d2, L& u1, L& u2)
{
    u1 = fnma(l2, minus_beside, l1 * d1);
    u2 = fnma(l1, minus_beside, l2 * d2);
}

/// What divides by a pair of pivots: p and q are its diagonal over what is beside it, s the inverse
/// of the determinant over that.
template <class N>
DDLA_INLINE void divisor_of_pair(N d1, N beside, N d2, N one, N& p, N& q, N& s)
{
    p = d1 / beside;
    q = d2 / beside;
    s = one / (beside * fnma(p, q, one));
}
/// (w1, w2) becomes the x of x D = (w1, w2).
template <class L>
DDLA_INLINE void divide_by_pair(const L& p, const L& q, const L& s, L& w1, L& w2)
{
    const L x = s * fnma(q, w1, w2);
    w2 = s * fnma(p, w2, w1);
    w1 = x;
}
DDLA_INLINE double absolute(double x)
{
    return __builtin_fabs(x);
}
DDLA_INLINE double size_of(double x)
{
    return absolute(x);
}
DDLA_INLINE double size_of(pair<double> x)
{
    return absolute(x.hi);
}
DDLA_INLINE double with_sign_of(double x, double size)
{
    return x < 0 ? -size : size;
}
DDLA_INLINE pair<double> with_sign_of(pair<double> x, double size)
{
    return {with_sign_of(x.hi, size), 0};
}

/// What many numbers are divided by: the quotients of / by its inverse, which take a few steps.
///
/// Markstein, IBM J. Res. Dev. 34(1), 1990, "Computation of elementary functions on the IBM RISC
/// System/6000 processor": where the inverse is rounded to nearest, a quotient that is off by less
/// than a unit of its last place becomes the nearest number in one step.  The step before makes it
/// one that is off by so little.
class double_divisor {
public:
    DDLA_INLINE explicit double_divisor(double by) : double_divisor(by, 1 / by) {}
    /// With the inverse of another one.
    DDLA_INLINE double_divisor(double by, double inverse)
        : by_(by), inverse_(inverse), is_moderate_(is_between<150>(by))
    {
    }

    DDLA_INLINE double inverse() const { return inverse_; }

    DDLA_INLINE double quotient(double a) const
    {
        bool is_sure = true;
        const double q = quotient(a, is_sure);
        return is_sure ? q : a / by_;
    }
    /// The same, unless is_sure becomes false.
    DDLA_INLINE double quotient(double a, bool& is_sure) const
    {
        const double first = a * inverse_;
        double q = fma(fnma(first, by_, a), inverse_, first);
        q = fma(fnma(q, by_, a), inverse_, q);
        // Of 0, which remainders of double-double often are, the steps would lose the sign.
        if (a == 0) q = first;
        // Else something could overflow, or underflow.
        is_sure = is_sure && is_moderate_ && (a == 0 || is_between<800>(a));
        return q;
    }

private:
    /// 2^-e and 2^e, in magnitude.
    template <unsigned e>
    DDLA_INLINE static bool is_between(double x)
    {
        unsigned long long bits;
        __builtin_memcpy(&bits, &x, sizeof bits);
        return static_cast<unsigned>(bits >> 52 & 0x7ff) - (1023 - e) < 2 * e;
    }

    double by_, inverse_;
    bool is_moderate_;
};
template <class N>
class pivot_divisor : public double_divisor {
public:
    using double_divisor::double_divisor;
};
template <>
class pivot_divisor<pair<double>> {
public:
    DDLA_INLINE explicit pivot_divisor(pair<double> by) : by_(by), high_(by.hi) {}
    DDLA_INLINE pivot_divisor(pair<double> by, double inverse) : by_(by), high_(by.hi, inverse) {}

    /// Of the high word.
    DDLA_INLINE double inverse() const { return high_.inverse(); }
    /// As operator/ has it.
    DDLA_INLINE pair<double> quotient(pair<double> a) const
    {
        bool is_sure = true;
        const double q1 = high_.quotient(a.hi, is_sure);
        const pair<double> r1 = a - times(q1, by_);
        const double q2 = high_.quotient(r1.hi, is_sure);
        const pair<double> r2 = r1 - times(q2, by_);
        const double q3 = high_.quotient(r2.hi, is_sure);
        if (!is_sure) return a / by_;
        const pair<double> q = fast_two_sum(q1, q2), s = two_sum(q.hi, q3);
        return fast_two_sum(s.hi, s.lo + q.lo);
    }

private:
    pair<double> by_;
    double_divisor high_;
};

/// A pivot's number of L; whether it is one.
DDLA_INLINE bool root(double a, double& pivot)
{
    pivot = square_root(a);
    return a > 0 && pivot <= 0x1.fffffffffffffp1023;
}
/// As sqrt(dd_real), in the middle of the range: scaled entries are about 1.
DDLA_INLINE bool root(pair<double> a, pair<double>& pivot)
{
    const double r = 1.0 / square_root(a.hi), s = a.hi * r, p = s * s;
    const pair<double> d = two_diff(a.hi, p);
    const double rest = (d.lo + a.lo) - fms(s, s, p);
    pivot = two_sum(s, (d.hi + rest) * (r * 0.5));
    return a.hi > 0x1p-900 && a.hi < 0x1p1000;
}

}  // namespace
}  // namespace ddla::factor
