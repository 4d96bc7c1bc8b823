// A x = b in rational numbers, by elimination over GMP.  For small systems.  Shares no code with
// ddla.
#pragma once

#include "exact_numbers.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace test {

using rational_rows = std::vector<std::vector<mpq_class>>;
using rational_vector = std::vector<mpq_class>;

template <class Number>
rational_vector rationals_of(const std::vector<Number>& values)
{
    rational_vector q;
    for (const Number& v : values) q.push_back(exact_number(v).rational());
    return q;
}

inline rational_rows rationals_of(const std::vector<std::vector<double>>& rows)
{
    rational_rows q;
    for (const auto& row : rows) q.push_back(rationals_of(row));
    return q;
}

/// Nothing if A is singular.
inline std::optional<rational_vector> solve_exactly(rational_rows a, rational_vector b)
{
    const std::size_t n = a.size();
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t p = k;
        while (p < n && a[p][k] == 0) ++p;
        if (p == n) return std::nullopt;
        std::swap(a[p], a[k]);
        std::swap(b[p], b[k]);
        for (std::size_t i = 0; i < n; ++i) {
            if (i == k || a[i][k] == 0) continue;
            const mpq_class factor = a[i][k] / a[k][k];
            for (std::size_t j = k; j < n; ++j) a[i][j] -= factor * a[k][j];
            b[i] -= factor * b[k];
        }
    }
    for (std::size_t k = 0; k < n; ++k) b[k] /= a[k][k];
    return b;
}

}  // namespace test
