// An estimate of the 1-norm of a matrix that is only known by its products.
#pragma once

#include "double_number.hpp"

#include <cmath>
#include <vector>

namespace ddla::validate {

namespace detail {

template <class T>
T sum_of_magnitudes(const std::vector<T>& x)
{
    using std::abs;
    T sum = abs(x.front());
    for (std::size_t i = 1; i < x.size(); ++i) sum += abs(x[i]);
    return sum;
}

template <class T>
std::size_t largest(const std::vector<T>& x)
{
    std::size_t found = 0;
    for (std::size_t i = 1; i < x.size(); ++i)
        if (smaller(x[found], x[i])) found = i;
    return found;
}

/// The signs of x, 1 for 0.
template <class T>
std::vector<T> signs(std::vector<T> x)
{
    for (T& e : x) e = sign_of(e) < 0 ? -1.0 : 1.0;
    return x;
}

template <class T>
bool same_signs(const std::vector<T>& x, const std::vector<T>& y)
{
    for (std::size_t i = 0; i < x.size(); ++i)
        if (sign_of(x[i]) != sign_of(y[i])) return false;
    return true;
}

}  // namespace detail

/// A lower bound of ||B||_1 that is rarely below a third of it: Hager 1984 as improved by Higham
/// (ACM TOMS 14(4), 1988, algorithm 4.1; LAPACK's xLACON).  B is n x n, n > 0; product(x) = B x,
/// transposed(x) = B^T x; `zero` has the precision.  Cost: at most 11 products.
template <class T, class Product, class Transposed>
T norm_estimate(std::size_t n, const T& zero, const Product& product, const Transposed& transposed)
{
    std::vector<T> x(n, zero);
    for (T& e : x) e = 1.0 / static_cast<double>(n);
    std::vector<T> y = product(x);
    T norm = detail::sum_of_magnitudes(y);
    if (n == 1) return norm;
    std::vector<T> sign = detail::signs(y);
    std::size_t last = n;
    for (int step = 0; step < 5; ++step) {
        const std::vector<T> z = transposed(sign);
        const std::size_t j = detail::largest(z);
        if (last < n && !smaller(z[last], z[j])) break;
        last = j;
        std::fill(x.begin(), x.end(), zero);
        x[j] = 1.0;
        y = product(x);
        const T next = detail::sum_of_magnitudes(y);
        std::vector<T> next_sign = detail::signs(y);
        if (!smaller(norm, next)) break;
        norm = next;
        if (detail::same_signs(sign, next_sign)) break;
        sign = std::move(next_sign);
    }
    // A vector for which cancellation cannot hide the norm.
    for (std::size_t i = 0; i < n; ++i)
        x[i] = (i % 2 == 0 ? 1 : -1) * (1 + static_cast<double>(i) / static_cast<double>(n - 1));
    T other = detail::sum_of_magnitudes(product(x));
    other *= 2.0 / (3.0 * static_cast<double>(n));
    return smaller(norm, other) ? other : norm;
}

}  // namespace ddla::validate
