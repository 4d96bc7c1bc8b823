// The rules of docs/factorisation.md as a serial program over QD's own numbers: dense, literal,
// sharing no code with ddla.
#pragma once

#include "support/oracle.hpp"

#include <algorithm>

namespace oracle {

template <class Q>
using dense = std::vector<std::vector<Q>>;  // rows

inline double magnitude(double x)
{
    return std::fabs(x);
}
inline double magnitude(const ::dd_real& x)
{
    return std::fabs(x.x[0]);
}
inline double scaled(double x, int e)
{
    return std::ldexp(x, e);
}
inline ::dd_real scaled(const ::dd_real& x, int e)
{
    return {std::ldexp(x.x[0], e), std::ldexp(x.x[1], e)};
}

struct serial_options {
    double threshold = 0.1, preferred_threshold = 0.01, negligible = 0;
    std::vector<int> preferred = {};  ///< the row preferred in each column; empty: none
};

/// Rows and columns of A in the order of pivots; l, u by these numbers.
template <class Q>
struct serial_factors {
    std::vector<int> row_of, column_of;
    std::vector<int> skipped;
    dense<Q> l, u;  ///< l[k][i]: row i of A in column k of L; u[k][p]: pivot p in column k of U
};

/// The row that becomes the pivot of column j, whose entries without pivot are at most `largest`.
template <class Q>
int best_row(const std::vector<Q>& x, const std::vector<int>& pivot_of,
             const std::vector<int>& in_row, int j, double largest, const serial_options& options)
{
    int best = -1;
    for (std::size_t i = 0; i < x.size(); ++i)
        if (pivot_of[i] < 0 && magnitude(x[i]) != 0 &&
            magnitude(x[i]) >= options.threshold * largest)
            if (best < 0 || in_row[i] < in_row[std::size_t(best)]) best = int(i);
    if (options.preferred.empty()) return best;
    const int i = options.preferred[std::size_t(j)];
    const bool may_be = pivot_of[std::size_t(i)] < 0 && magnitude(x[std::size_t(i)]) != 0 &&
                        magnitude(x[std::size_t(i)]) >= options.preferred_threshold * largest;
    return may_be ? i : best;
}

/// Column by column: entry - l u for each pivot in ascending order, then the division.
template <class Q>
serial_factors<Q> factorise(const dense<Q>& a, const std::vector<int>& order,
                            const serial_options& options)
{
    const std::size_t n = a.size();
    serial_factors<Q> f;
    std::vector<int> pivot_of(n, -1), in_row(n, 0);
    for (std::size_t i = 0; i < n; ++i)
        for (const Q& v : a[i]) in_row[i] += magnitude(v) != 0;
    for (const int j : order) {
        std::vector<Q> x(n);
        double largest_in_column = 0, largest = 0;
        for (std::size_t i = 0; i < n; ++i) {
            x[i] = a[i][std::size_t(j)];
            largest_in_column = std::max(largest_in_column, magnitude(x[i]));
        }
        std::vector<Q> u;
        for (std::size_t p = 0; p < f.row_of.size(); ++p) {
            u.push_back(x[std::size_t(f.row_of[p])]);
            largest_in_column = std::max(largest_in_column, magnitude(u[p]));
            if (magnitude(u[p]) == 0) continue;
            for (std::size_t i = 0; i < n; ++i)
                if (pivot_of[i] < 0 || pivot_of[i] > int(p))
                    if (magnitude(f.l[p][i]) != 0) x[i] = x[i] - f.l[p][i] * u[p];
        }
        for (std::size_t i = 0; i < n; ++i)
            if (pivot_of[i] < 0) largest = std::max(largest, magnitude(x[i]));
        if (!(largest > options.negligible * largest_in_column)) {
            f.skipped.push_back(j);
            continue;
        }
        const int best = best_row(x, pivot_of, in_row, j, largest, options);
        const Q pivot = x[std::size_t(best)];
        std::vector<Q> l(n, Q(0.0));
        for (std::size_t i = 0; i < n; ++i)
            if (pivot_of[i] < 0 && int(i) != best) l[i] = divide(x[i], pivot);
        u.push_back(pivot);
        pivot_of[std::size_t(best)] = int(f.row_of.size());
        f.row_of.push_back(best);
        f.column_of.push_back(j);
        f.l.push_back(l);
        f.u.push_back(u);
    }
    return f;
}

}  // namespace oracle
