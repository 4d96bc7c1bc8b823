// Dot products of any condition number.
//
// Source: Ogita, Rump and Oishi, Accurate sum and dot product, SIAM J. Sci. Comput. 26 (2005),
// algorithm 6.1 (GenDot); here for factors of one or two words each.
#pragma once

#include "exact_numbers.hpp"
#include "random.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace test {

/// The factors of a dot product with its exact value, and the exact sum of |x_i y_i|.
template <class X, class Y>
struct dot_product {
    std::vector<X> x;
    std::vector<Y> y;
    exact_number value, magnitudes;

    ddla::index_t size() const { return static_cast<ddla::index_t>(x.size()); }
    /// 2 |x|.|y| / |x.y|, at least 2; Inf where the value is 0.
    double condition() const { return 2 * ratio(magnitudes, value); }
};

template <class X, class Y>
dot_product<X, Y> with_exact_sums(std::vector<X> x, std::vector<Y> y)
{
    exact_sum value, magnitudes;
    for (std::size_t i = 0; i < x.size(); ++i) {
        value.add_product(x[i], y[i]);
        magnitudes.add_product(magnitude(x[i]), magnitude(y[i]));
    }
    return {std::move(x), std::move(y), value.value(), magnitudes.value()};
}

template <class X>
X random_times_power(random_numbers& random, int exponent)
{
    X x;
    random.make(x, 0);
    return ddla::from_words<X>([&](auto k) { return std::ldexp(ddla::word<k>(x), exponent); });
}

/// n pairs, first those of random exponents, then those that cancel what came before, more and
/// more; then shuffled.  Few pairs cannot reach a large condition number.  It costs about 1 us an
/// element.
template <class X, class Y>
requires ddla::acts_on<Y, X>
class gen_dot {
public:
    gen_dot(ddla::index_t n, double condition, std::uint64_t seed)
        : random_(seed), n_(static_cast<std::size_t>(n)), half_(std::log2(condition) / 2)
    {
    }
    dot_product<X, Y> operator()()
    {
        const std::size_t first = (n_ + 1) / 2;
        make_first(first);
        make_cancelling(n_ - first);
        shuffle();
        return with_exact_sums(std::move(x_), std::move(y_));
    }

private:
    void make_first(std::size_t m)
    {
        for (std::size_t i = 0; i < m; ++i) {
            const double of_random = half_ * std::fabs(random_.real());
            // The largest and the smallest exponent occur.
            const double e = i == 0 ? half_ + 1 : i + 1 == m ? 0.0 : of_random;
            const int exponent = static_cast<int>(std::lround(e));
            x_.push_back(random_times_power<X>(random_, exponent));
            y_.push_back(random_times_power<Y>(random_, exponent));
        }
    }
    /// y_i is such that the sum so far becomes about 2^e, e falling from half_ to 0.
    void make_cancelling(std::size_t m)
    {
        exact_number sum = with_exact_sums(x_, y_).value;
        for (std::size_t i = 0; i < m; ++i) {
            const double e = m < 2 ? 0.0 : half_ * double(m - 1 - i) / double(m - 1);
            const int exponent = static_cast<int>(std::lround(e));
            const X x = random_times_power<X>(random_, exponent);
            const double wanted = std::ldexp(random_.real(), exponent);
            const Y y = close_to<Y>(exact_number(wanted) - sum) / Y(x);
            x_.push_back(x);
            y_.push_back(y);
            sum = sum + exact_number(x) * exact_number(y);
        }
    }
    void shuffle()
    {
        for (std::size_t i = x_.size(); i > 1; --i) {
            const auto j = static_cast<std::size_t>(random_.below(static_cast<ddla::index_t>(i)));
            std::swap(x_[i - 1], x_[j]);
            std::swap(y_[i - 1], y_[j]);
        }
    }

    random_numbers random_;
    std::size_t n_;
    double half_;  ///< of log2 of the condition number
    std::vector<X> x_;
    std::vector<Y> y_;
};

/// About the condition number that is wanted.  2: all terms are positive.
template <class X, class Y>
dot_product<X, Y> dot_product_of(ddla::index_t n, double condition, std::uint64_t seed)
{
    auto p = gen_dot<X, Y>(n, std::max(condition, 2.0), seed)();
    if (condition > 2) return p;
    for (X& x : p.x) x = magnitude(x);
    for (Y& y : p.y) y = magnitude(y);
    return with_exact_sums(std::move(p.x), std::move(p.y));
}

/// The same in vectors.
template <class T>
ddla::vector<T> vector_of(const std::vector<T>& x)
{
    ddla::vector<T> v(static_cast<ddla::index_t>(x.size()));
    for (std::size_t i = 0; i < x.size(); ++i) v.set(static_cast<ddla::index_t>(i), x[i]);
    return v;
}

}  // namespace test
