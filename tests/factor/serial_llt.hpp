// The rule of L L^T in docs/factorisation.md as a serial program over QD's own numbers: dense,
// literal, sharing no code with ddla.
#pragma once

#include "serial_lu.hpp"

#include "factor/supernodal/supernodes.hpp"

namespace oracle {

/// c - l u, rounded once.
inline double update(double l, double u, double c)
{
    return std::fma(-l, u, c);
}
inline ::dd_real update(const ::dd_real& l, const ::dd_real& u, const ::dd_real& c)
{
    const double p = l.x[0] * u.x[0];
    double e = std::fma(l.x[0], u.x[0], -p);
    e = std::fma(l.x[0], u.x[1], e);
    e = std::fma(l.x[1], u.x[0], e);
    double rounding;
    const double s = qd::two_diff(c.x[0], p, rounding);
    double low;
    const double high = qd::quick_two_sum(s, rounding + (c.x[1] - e), low);
    return {high, low};
}

inline double root(double x)
{
    return std::sqrt(x);
}
inline ::dd_real root(const ::dd_real& x)
{
    return sqrt(x);
}

/// L of the lower triangle of `a`; stops at a pivot that is not positive, which `bad` names.
template <class Q>
dense<Q> factorise_definite(const dense<Q>& a, int& bad)
{
    const std::size_t n = a.size();
    dense<Q> l(n, std::vector<Q>(n, Q(0.0)));
    bad = -1;
    for (std::size_t j = 0; j < n; ++j)
        for (std::size_t i = j; i < n; ++i) {
            Q x = a[i][j];
            for (std::size_t k = 0; k < j; ++k)
                if (magnitude(l[i][k]) != 0 && magnitude(l[j][k]) != 0)
                    x = update(l[i][k], l[j][k], x);
            if (i == j && !(x > 0.0)) {
                bad = static_cast<int>(j);
                return l;
            }
            l[i][j] = i == j ? root(x) : divide(x, l[j][j]);
        }
    return l;
}

/// x of L L^T x = y, L as dense; the sums of the way back have eight parts, by places in
/// supernodes.
template <class Q>
void solve_definite(const ddla::factor::supernodes& s, const dense<Q>& l, std::vector<Q>& x)
{
    const std::size_t n = l.size();
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < i; ++k)
            if (magnitude(l[i][k]) != 0) x[i] = update(l[i][k], x[k], x[i]);
        x[i] = divide(x[i], l[i][i]);
    }
    for (int q = s.size(); q-- > 0;)
        for (int j = s.first[std::size_t(q) + 1]; j-- > s.first[std::size_t(q)];) {
            std::vector<Q> part(8, Q(0.0));
            const auto take = [&](std::size_t i, int place) {
                Q& p = part[std::size_t(place % 8)];
                p = update(l[i][std::size_t(j)], x[i], p);
            };
            for (int r = 0; r < s.below(q); ++r) take(std::size_t(s.rows(q)[r]), r);
            for (int i = j + 1; i < s.first[std::size_t(q) + 1]; ++i)
                take(std::size_t(i), i - s.first[std::size_t(q)]);
            const Q sum = ((part[0] + part[4]) + (part[2] + part[6])) +
                          ((part[1] + part[5]) + (part[3] + part[7]));
            x[std::size_t(j)] = divide(x[std::size_t(j)] + sum, l[std::size_t(j)][std::size_t(j)]);
        }
}

}  // namespace oracle
