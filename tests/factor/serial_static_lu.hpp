// The rule of LU with static pivots in docs/factorisation.md as a serial program over QD's own
// numbers: dense, literal, sharing no code with ddla.
#pragma once

#include "serial_llt.hpp"

namespace oracle {

struct static_rule {
    double preferred = 0.1, negligible = 0, instead = 0;
};

/// Row k is pivot k: l[i][k] below the diagonal of 1, u[k][j] on and above its own.
template <class Q>
struct static_factors {
    dense<Q> l, u;
    std::vector<int> place;  ///< of the row that became each pivot
    int replaced = 0;
};

/// The row of the supernode that becomes pivot k.
template <class Q>
std::size_t static_pivot(const dense<Q>& a, std::size_t k, std::size_t end, double preferred)
{
    std::size_t best = k;
    for (std::size_t i = k + 1; i < end; ++i)
        if (magnitude(a[i][k]) > magnitude(a[best][k])) best = i;
    return magnitude(a[k][k]) >= preferred * magnitude(a[best][k]) ? k : best;
}

template <class Q>
static_factors<Q> factorise_static(const ddla::factor::supernodes& s, dense<Q> a,
                                   const static_rule& rule)
{
    const std::size_t n = a.size();
    static_factors<Q> f;
    for (std::size_t k = 0; k < n; ++k) f.place.push_back(int(k));
    for (std::size_t k = 0; k < n; ++k) {
        const auto end = std::size_t(s.first[std::size_t(s.of_column[k]) + 1]);
        const std::size_t best = static_pivot(a, k, end, rule.preferred);
        std::swap(a[k], a[best]);
        std::swap(f.place[k], f.place[best]);
        if (!(magnitude(a[k][k]) > rule.negligible)) {
            a[k][k] = Q(a[k][k] < 0.0 ? -rule.instead : rule.instead);
            ++f.replaced;
        }
        for (std::size_t i = k + 1; i < n; ++i) {
            if (magnitude(a[i][k]) == 0) continue;
            a[i][k] = divide(a[i][k], a[k][k]);
            for (std::size_t j = k + 1; j < n; ++j)
                if (magnitude(a[k][j]) != 0) a[i][j] = update(a[i][k], a[k][j], a[i][j]);
        }
    }
    f.l = f.u = dense<Q>(n, std::vector<Q>(n, Q(0.0)));
    for (std::size_t i = 0; i < n; ++i) {
        f.l[i][i] = Q(1.0);
        for (std::size_t j = 0; j < n; ++j) (j < i ? f.l : f.u)[i][j] = a[i][j];
    }
    return f;
}

template <class Q>
dense<Q> transposed(const dense<Q>& a)
{
    dense<Q> t = a;
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < a.size(); ++j) t[j][i] = a[i][j];
    return t;
}

/// x of l x = y.
template <class Q>
void solve_forwards(const dense<Q>& l, std::vector<Q>& x)
{
    for (std::size_t i = 0; i < x.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k)
            if (magnitude(l[i][k]) != 0) x[i] = update(l[i][k], x[k], x[i]);
        x[i] = divide(x[i], l[i][i]);
    }
}

/// x of l^T x = y; row `row` of the supernodes is row number[row] of l.
template <class Q>
void solve_backwards(const ddla::factor::supernodes& s, const dense<Q>& l,
                     const std::vector<int>& number, std::vector<Q>& x)
{
    for (int q = s.size(); q-- > 0;)
        for (int j = s.first[std::size_t(q) + 1]; j-- > s.first[std::size_t(q)];) {
            std::vector<Q> part(8, Q(0.0));
            const auto take = [&](std::size_t i, int place) {
                Q& p = part[std::size_t(place % 8)];
                p = update(l[i][std::size_t(j)], x[i], p);
            };
            for (int r = 0; r < s.below(q); ++r)
                take(std::size_t(number[std::size_t(s.rows(q)[r])]), r);
            for (int i = j + 1; i < s.first[std::size_t(q) + 1]; ++i)
                take(std::size_t(i), i - s.first[std::size_t(q)]);
            const Q sum = ((part[0] + part[4]) + (part[2] + part[6])) +
                          ((part[1] + part[5]) + (part[3] + part[7]));
            x[std::size_t(j)] = divide(x[std::size_t(j)] + sum, l[std::size_t(j)][std::size_t(j)]);
        }
}

/// x of first second^T x = y, both lower triangles.
template <class Q>
void solve_static(const ddla::factor::supernodes& s, const dense<Q>& first, const dense<Q>& second,
                  const std::vector<int>& number, std::vector<Q>& x)
{
    solve_forwards(first, x);
    solve_backwards(s, second, number, x);
}

}  // namespace oracle
