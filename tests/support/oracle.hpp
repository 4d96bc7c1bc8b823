// The oracle: the summation rule and the operations, transcribed over QD's own dd_real (and over
// double), serial and literal.  Shares no code with ddla.
#pragma once

#include "same_bits.hpp"

#include "ddla/csr_matrix.hpp"

#include <qd/dd_real.h>

#include <cmath>
#include <vector>

#if !defined(QD_IEEE_ADD)
#error "ddla's + is QD's ieee_add: compile the oracle with QD_IEEE_ADD"
#endif

namespace oracle {

/// The summation rule.
template <class T>
T sum(std::vector<T> t)
{
    if (t.empty()) return T(0.0);
    if (t.size() > 256) {
        std::vector<T> tiles;
        for (std::size_t i = 0; i < t.size(); i += 256)
            tiles.push_back(
                sum(std::vector<T>(t.begin() + i, t.begin() + std::min(i + 256, t.size()))));
        return sum(tiles);
    }
    for (std::size_t h = 128; h > 0; h /= 2)
        for (std::size_t i = 0; i < h && i + h < t.size(); ++i)
            if (t.size() > i + h) t[i] = t[i] + t[i + h];
    return t[0];
}

inline ::dd_real to(ddla::dd_real x)
{
    return {x.hi, x.lo};
}
inline double to(double x)
{
    return x;
}
inline ddla::dd_real from(const ::dd_real& x)
{
    return {x.x[0], x.x[1]};
}
inline double from(double x)
{
    return x;
}

template <class T>
using type = decltype(to(T{}));

/// ddla's / is QD's accurate_div, which QD's own operator uses only without QD_SLOPPY_DIV.
inline ::dd_real divide(const ::dd_real& x, const ::dd_real& y)
{
    return ::dd_real::accurate_div(x, y);
}
inline double divide(double x, double y)
{
    return x / y;
}

template <class T>
std::vector<type<T>> to(const ddla::vector<T>& x)
{
    std::vector<type<T>> q;
    for (ddla::index_t i = 0; i < x.size(); ++i) q.push_back(to(x[i]));
    return q;
}

template <class Q>
Q dot(const std::vector<Q>& x, const std::vector<Q>& y)
{
    std::vector<Q> t;
    for (std::size_t i = 0; i < x.size(); ++i) t.push_back(x[i] * y[i]);
    return sum(t);
}

/// A x, row by row.
template <class Q, class V>
std::vector<Q> product(const ddla::csr_matrix<V>& a, const std::vector<Q>& x)
{
    const ddla::csr<V> m = a.view();
    std::vector<Q> y;
    for (ddla::index_t i = 0; i < m.rows; ++i) {
        std::vector<Q> t;
        for (ddla::index_t k = m.row_begin[i]; k < m.row_begin[i + 1]; ++k)
            t.push_back(x[static_cast<std::size_t>(m.column[k])] * to(m.value.get(k)));
        y.push_back(sum(t));
    }
    return y;
}

}  // namespace oracle

using test::same_bits;

template <class T, class Q>
bool same_bits(const ddla::vector<T>& a, const std::vector<Q>& b)
{
    if (a.size() != static_cast<ddla::index_t>(b.size())) return false;
    for (ddla::index_t i = 0; i < a.size(); ++i)
        if (!same_bits(a[i], oracle::from(b[static_cast<std::size_t>(i)]))) return false;
    return true;
}
