// The rules of docs/preconditioners.md as a serial program over QD's own numbers: dense, literal,
// sharing no code with ddla.
#pragma once

#include "serial_lu.hpp"

namespace oracle {

template <class Q>
struct serial_incomplete {
    dense<Q> l, u;  ///< of A in the order of pivots; u with the pivots
    std::vector<std::vector<bool>> in_l, in_u;
    int shifts = 0, bad_row = -1;
};

template <class Q>
serial_incomplete<Q> nothing_of(std::size_t n)
{
    const dense<Q> zeros(n, std::vector<Q>(n, Q(0.0)));
    const std::vector<std::vector<bool>> none(n, std::vector<bool>(n, false));
    return {zeros, zeros, none, none};
}

template <class Q>
double largest_of(const std::vector<Q>& row)
{
    double most = 0;
    for (const Q& x : row) most = std::max(most, magnitude(x));
    return most;
}

/// A pivot of at most 2^-33 of the row's largest entry becomes 2^-17 of the power of two above it.
template <class Q>
Q shifted(const Q& pivot, double largest, int row, serial_incomplete<Q>& f)
{
    if (magnitude(pivot) > std::ldexp(largest, -33) && magnitude(pivot) > 0) return pivot;
    int e = 0;
    if (largest > 0) std::frexp(largest, &e);
    ++f.shifts;
    if (f.bad_row < 0) f.bad_row = row;
    return Q(pivot < Q(0.0) ? -std::ldexp(1.0, e - 17) : std::ldexp(1.0, e - 17));
}

/// The level of fill of each place, by the definition; what has more than `most` is none.
inline std::vector<std::vector<int>> levels(const std::vector<std::vector<bool>>& in_a, int most)
{
    const std::size_t n = in_a.size();
    std::vector<std::vector<int>> level(n, std::vector<int>(n, most + 1));
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            if (in_a[i][j] || i == j) level[i][j] = 0;
    for (std::size_t k = 0; k < n; ++k)
        for (std::size_t i = k + 1; i < n; ++i)
            for (std::size_t j = k + 1; j < n; ++j)
                if (level[i][k] <= most && level[k][j] <= most)
                    level[i][j] = std::min(level[i][j], level[i][k] + level[k][j] + 1);
    return level;
}

template <class Q>
serial_incomplete<Q> ilu(const dense<Q>& a, const std::vector<std::vector<bool>>& in_a, int most)
{
    const std::size_t n = a.size();
    const auto level = levels(in_a, most);
    const auto kept = [&](std::size_t i, std::size_t j) { return level[i][j] <= most; };
    auto f = nothing_of<Q>(n);
    for (std::size_t i = 0; i < n; ++i) {
        std::vector<Q> w = a[i];
        for (std::size_t k = 0; k < i; ++k) {
            if (!kept(i, k)) continue;
            w[k] = divide(w[k], f.u[k][k]);
            f.l[i][k] = w[k];
            f.in_l[i][k] = true;
            for (std::size_t j = k + 1; j < n; ++j)
                if (kept(k, j) && kept(i, j)) w[j] = w[j] - w[k] * f.u[k][j];
        }
        w[i] = shifted(w[i], largest_of(a[i]), int(i), f);
        for (std::size_t j = i; j < n; ++j)
            if (kept(i, j)) {
                f.u[i][j] = w[j];
                f.in_u[i][j] = true;
            }
    }
    return f;
}

/// Columns from `begin` to `end` that stay: not small, and the largest `most` of them.
template <class Q>
std::vector<bool> chosen(const std::vector<Q>& w, const std::vector<bool>& there, std::size_t begin,
                         std::size_t end, double least, std::size_t most)
{
    std::vector<std::size_t> columns;
    for (std::size_t j = begin; j < end; ++j)
        if (there[j] && magnitude(w[j]) >= least && magnitude(w[j]) > 0) columns.push_back(j);
    std::stable_sort(columns.begin(), columns.end(), [&](std::size_t x, std::size_t y) {
        return magnitude(w[x]) > magnitude(w[y]);
    });
    columns.resize(std::min(columns.size(), most));
    std::vector<bool> stays(w.size(), false);
    for (const std::size_t j : columns) stays[j] = true;
    return stays;
}

template <class Q>
serial_incomplete<Q> ilut(const dense<Q>& a, const std::vector<std::vector<bool>>& in_a,
                          double drop, int fill)
{
    const std::size_t n = a.size();
    auto f = nothing_of<Q>(n);
    for (std::size_t i = 0; i < n; ++i) {
        std::vector<Q> w = a[i];
        std::vector<bool> there = in_a[i];
        const double least = drop * largest_of(a[i]);
        for (std::size_t k = 0; k < i; ++k) {
            if (!there[k]) continue;
            w[k] = divide(w[k], f.u[k][k]);
            if (magnitude(w[k]) < least) continue;
            for (std::size_t j = k + 1; j < n; ++j)
                if (f.in_u[k][j]) {
                    w[j] = w[j] - w[k] * f.u[k][j];
                    there[j] = true;
                }
        }
        const auto count = [&](std::size_t begin, std::size_t end) {
            std::size_t c = std::size_t(fill);
            for (std::size_t j = begin; j < end; ++j) c += in_a[i][j];
            return c;
        };
        f.in_l[i] = chosen(w, there, 0, i, least, count(0, i));
        f.in_u[i] = chosen(w, there, i + 1, n, least, count(i + 1, n));
        f.in_u[i][i] = true;
        w[i] = shifted(w[i], largest_of(a[i]), int(i), f);
        for (std::size_t j = 0; j < n; ++j) {
            if (f.in_l[i][j]) f.l[i][j] = w[j];
            if (f.in_u[i][j]) f.u[i][j] = w[j];
        }
    }
    return f;
}

/// L with its diagonal in `l`.
template <class Q>
serial_incomplete<Q> ic(const dense<Q>& a, const std::vector<std::vector<bool>>& in_a)
{
    const std::size_t n = a.size();
    auto f = nothing_of<Q>(n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            if (!in_a[i][j]) continue;
            Q w = a[i][j];
            for (std::size_t p = 0; p < j; ++p)
                if (in_a[i][p] && in_a[j][p]) w = w - f.l[i][p] * f.l[j][p];
            using std::sqrt;
            f.l[i][j] = i == j ? Q(sqrt(w)) : divide(w, f.l[j][j]);
            f.in_l[i][j] = true;
        }
    return f;
}

}  // namespace oracle
