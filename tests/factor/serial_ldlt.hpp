// The rule of L D L^T in docs/factorisation.md as a serial program over QD's own numbers: dense,
// literal, sharing no code with ddla.
#pragma once

#include "serial_lu.hpp"

namespace oracle {

/// L with ones, rows first; D with its blocks, both triangles.
template <class Q>
struct serial_ldlt {
    dense<Q> l, d;
};

/// (D L^T) of column c, by the pivots of the first `count` blocks.
template <class Q>
std::vector<Q> column_of_upper(const serial_ldlt<Q>& f, std::size_t c,
                               const std::vector<int>& block, std::size_t count)
{
    std::vector<Q> u;
    for (std::size_t s = 0; s < count; ++s) {
        const auto p = std::size_t(block[s]);
        const Q first = f.l[c][p];
        if (block[s + 1] - block[s] == 1) {
            u.push_back(first * f.d[p][p]);
            continue;
        }
        const Q second = f.l[c][p + 1];
        u.push_back(first * f.d[p][p] + second * f.d[p + 1][p]);
        u.push_back(first * f.d[p + 1][p] + second * f.d[p + 1][p + 1]);
    }
    return u;
}

/// Of the lower triangle of `a`; block b has the rows block[b] to block[b + 1].
template <class Q>
serial_ldlt<Q> factorise_symmetric(const dense<Q>& a, const std::vector<int>& block)
{
    const std::size_t n = a.size();
    serial_ldlt<Q> f{dense<Q>(n, std::vector<Q>(n, Q(0.0))),
                     dense<Q>(n, std::vector<Q>(n, Q(0.0)))};
    for (std::size_t t = 0; t + 1 < block.size(); ++t) {
        const auto k = std::size_t(block[t]), end = std::size_t(block[t + 1]);
        dense<Q> w(2, std::vector<Q>(n, Q(0.0)));
        for (std::size_t c = k; c < end; ++c) {
            const std::vector<Q> u = column_of_upper(f, c, block, t);
            for (std::size_t i = c; i < n; ++i) {
                Q x = a[i][c];
                for (std::size_t p = 0; p < k; ++p)
                    if (magnitude(f.l[i][p]) != 0) x = x - f.l[i][p] * u[p];
                w[c - k][i] = x;
            }
        }
        f.l[k][k] = Q(1.0);
        f.d[k][k] = w[0][k];
        if (end - k == 1) {
            for (std::size_t i = end; i < n; ++i) f.l[i][k] = divide(w[0][i], w[0][k]);
            continue;
        }
        f.l[k + 1][k + 1] = Q(1.0);
        const Q b = f.d[k][k + 1] = f.d[k + 1][k] = w[0][k + 1];
        f.d[k + 1][k + 1] = w[1][k + 1];
        const Q p = divide(w[0][k], b), q = divide(w[1][k + 1], b);
        const Q s = divide(Q(1.0), b * (p * q - Q(1.0)));
        for (std::size_t i = end; i < n; ++i) {
            f.l[i][k] = s * (q * w[0][i] - w[1][i]);
            f.l[i][k + 1] = s * (p * w[1][i] - w[0][i]);
        }
    }
    return f;
}

}  // namespace oracle
