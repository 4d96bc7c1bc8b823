// Sums in K-fold working precision, for residuals with at least twice the digits of a solve.
#pragma once

#include "ddla/summation.hpp"

#include <utility>

namespace ddla::steps {

/// A number as K doubles of falling size.  Adding a double sends it down the K words, each of
/// which keeps what it can hold and hands on the exact rest; only the last word rounds.  A sum of
/// n terms is as accurate as if computed with K times 53 bits and then rounded.
/// Source: Ogita, Rump and Oishi, SIAM J. Sci. Comput. 26 (2005), Algorithm 4.8 (SumK), in its
/// one-pass form.  6 K flops a double, 6 K^2 for the sum of two cascades.
template <int K>
struct cascade {
    double word[K];  ///< not initialised: see zero()

    DDLA_HD static cascade zero()
    {
        cascade c;
        for (double& w : c.word) w = 0;
        return c;
    }

    DDLA_HD void add(double x)
    {
        for (int k = 0; k < K - 1; ++k) {
            const exact s = two_sum(word[k], x);
            word[k] = s.value;
            x = s.error;
        }
        word[K - 1] = word[K - 1] + x;
    }
    DDLA_HD void add_product(double x, double y)
    {
        const exact p = two_prod(x, y);
        add(p.error);
        add(p.value);
    }
    /// The same where words from Used on are zero: of finite numbers, without operations whose
    /// results are known.
    template <int Used>
    DDLA_HD void add_product(double x, double y)
    {
        const exact p = two_prod(x, y);
        add_first<Used>(p.error);
        add_first<Used + 1>(p.value);
    }
    DDLA_HD friend cascade operator+(cascade a, const cascade& b)
    {
        for (int k = K - 1; k >= 0; --k) a.add(b.word[k]);
        return a;
    }
    /// Rounded once to double-double, after K passes of two_sum over the words have removed their
    /// overlap.
    DDLA_HD dd_real rounded() const
    {
        double w[K];
        for (int k = 0; k < K; ++k) w[k] = word[k];
        for (int pass = 0; pass < K; ++pass)
            for (int k = K - 1; k > 0; --k) {
                const exact s = two_sum(w[k - 1], w[k]);
                w[k - 1] = s.value;
                w[k] = s.error;
            }
        double low = w[K - 1];
        for (int k = K - 2; k > 0; --k) low = low + w[k];
        const exact s = fast_two_sum(w[0], low);
        return {s.value, s.error};
    }

private:
    template <int Used>
    DDLA_HD void add_first(double x)
    {
        if constexpr (Used >= K) {
            add(x);
        } else {
            for (int k = 0; k < Used; ++k) {
                const exact s = two_sum(word[k], x);
                word[k] = s.value;
                x = s.error;
            }
            word[Used] = 0.0 + x;
        }
    }
};

/// x y exactly, as a cascade: the products of their words, the smallest first.
template <int K, scalar X, scalar Y, int... P>
DDLA_HD cascade<K> exact_product(const X& x, const Y& y, std::integer_sequence<int, P...>)
{
    constexpr int words = words_of<Y>;
    cascade<K> p = cascade<K>::zero();
    (p.template add_product<2 * P>(word<words_of<X> - 1 - P / words>(x),
                                   word<words - 1 - P % words>(y)),
     ...);
    return p;
}
template <int K, scalar X, scalar Y>
DDLA_HD cascade<K> exact_product(const X& x, const Y& y)
{
    return exact_product<K>(x, y, std::make_integer_sequence<int, words_of<X> * words_of<Y>>{});
}

}  // namespace ddla::steps
