// Least squares, and answers of least norm, beside exact ones: rational normal equations.
#pragma once

#include "support/exact_numbers.hpp"
#include "support/random.hpp"
#include "support/shapes.hpp"

#include "ddla/solve.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace test::least_squares {

using ddla::csr_matrix;
using ddla::dd_real;
using ddla::index_t;
using ddla::solve_status;

using numbers = std::vector<mpq_class>;
using dense = std::vector<std::vector<double>>;

inline std::vector<numbers> exact(const csr_matrix<double>& a)
{
    const auto v = a.view();
    std::vector<numbers> q(static_cast<std::size_t>(v.rows),
                           numbers(static_cast<std::size_t>(v.columns)));
    for (index_t i = 0; i < v.rows; ++i)
        for (index_t e = v.row_begin[i]; e < v.row_begin[i + 1]; ++e)
            q[static_cast<std::size_t>(i)][static_cast<std::size_t>(v.column[e])] +=
                mpq_class(v.value.get(e));
    return q;
}

/// x of G x = c by elimination without rounding; nothing if G, which is A^T A or A A^T, is
/// singular.
inline std::optional<numbers> solution(std::vector<numbers> g, numbers c)
{
    const std::size_t n = c.size();
    for (std::size_t k = 0; k < n; ++k) {
        if (g[k][k] == 0) return std::nullopt;
        for (std::size_t i = k + 1; i < n; ++i) {
            if (g[i][k] == 0) continue;
            const mpq_class factor = g[i][k] / g[k][k];
            for (std::size_t j = k; j < n; ++j) g[i][j] -= factor * g[k][j];
            c[i] -= factor * c[k];
        }
    }
    for (std::size_t k = n; k-- > 0;) {
        for (std::size_t j = k + 1; j < n; ++j) c[k] -= g[k][j] * c[j];
        c[k] /= g[k][k];
    }
    return c;
}

/// The minimiser of ||b - A x||, or the x of least norm with A x = b.
inline std::optional<numbers> truth(const csr_matrix<double>& a, const numbers& b)
{
    const auto q = exact(a);
    const std::size_t m = q.size(), n = static_cast<std::size_t>(a.columns());
    const bool is_tall = m > n;
    const auto at = [&](std::size_t i, std::size_t j) { return is_tall ? q[j][i] : q[i][j]; };
    const std::size_t size = std::min(m, n), inner = std::max(m, n);
    std::vector<numbers> g(size, numbers(size));
    for (std::size_t i = 0; i < size; ++i)
        for (std::size_t j = 0; j < size; ++j)
            for (std::size_t k = 0; k < inner; ++k)
                if (at(i, k) != 0 && at(j, k) != 0) g[i][j] += at(i, k) * at(j, k);
    numbers c(size);
    for (std::size_t i = 0; i < size; ++i)
        for (std::size_t k = 0; is_tall && k < m; ++k) c[i] += q[k][i] * b[k];
    for (std::size_t i = 0; !is_tall && i < m; ++i) c[i] = b[i];
    auto y = solution(std::move(g), std::move(c));
    if (!y || is_tall) return y;
    numbers x(n);
    for (std::size_t j = 0; j < n; ++j)
        for (std::size_t i = 0; i < m; ++i) x[j] += q[i][j] * (*y)[i];
    return x;
}

inline std::optional<numbers> truth(const csr_matrix<double>& a, const std::vector<double>& b)
{
    return truth(a, numbers(b.begin(), b.end()));
}

struct errors {
    double normwise = 0, componentwise = 0;
};

/// Of x = the sum of these parts.
template <class T>
errors errors_of(const std::vector<const ddla::vector<T>*>& parts, const numbers& exact)
{
    mpq_class largest = 0, largest_error = 0;
    errors e;
    for (std::size_t j = 0; j < exact.size(); ++j) {
        mpq_class error = -exact[j];
        for (const auto* x : parts)
            ddla::each_word((*x)[static_cast<index_t>(j)],
                            [&](auto, double w) { error += mpq_class(w); });
        error = abs(error);
        largest = std::max(largest, mpq_class(abs(exact[j])));
        largest_error = std::max(largest_error, error);
        if (error != 0)
            e.componentwise =
                exact[j] == 0 ? HUGE_VAL
                              : std::max(e.componentwise, mpq_class(error / abs(exact[j])).get_d());
    }
    if (largest_error != 0)
        e.normwise = largest == 0 ? HUGE_VAL : mpq_class(largest_error / largest).get_d();
    return e;
}

struct outcome {
    ddla::solve_report report;
    errors found;
};

template <class T>
outcome solve(const csr_matrix<double>& a, const std::vector<double>& b, const numbers& exact,
              const ddla::solve_options& options = {})
{
    ddla::vector<T> right(a.rows()), x(a.columns());
    for (index_t i = 0; i < a.rows(); ++i) right.set(i, T(b[static_cast<std::size_t>(i)]));
    const auto report = ddla::solve(a, right, x, options);
    return {report, errors_of<T>({&x}, exact)};
}

/// What is claimed must be true.
inline void check_claims(const outcome& one, int digits = 12)
{
    const ddla::error_estimates& e = one.report.errors;
    INFO("estimates " << e.normwise.value_or(-1) << " " << e.componentwise.value_or(-1)
                      << ", errors " << one.found.normwise << " " << one.found.componentwise
                      << ", last stage " << one.report.plan.back().name);
    if (e.trusted) CHECK(one.found.normwise <= *e.normwise);
    if (e.componentwise_trusted) CHECK(one.found.componentwise <= *e.componentwise);
    if (one.report.status == solve_status::converged && one.report.goal == ddla::solve_goal::digits)
        CHECK(one.found.componentwise <= std::pow(10.0, -digits));
}

inline std::vector<double> random_b(index_t n, std::uint64_t seed, int spread = 0)
{
    test::random_numbers random(seed);
    std::vector<double> b;
    for (index_t i = 0; i < n; ++i) b.push_back(random.real(spread));
    return b;
}

/// Rows of `rows` x `columns` with an entry in each column and some at random, in columns of very
/// different norms.
inline csr_matrix<double> sparse(index_t rows, index_t columns, std::uint64_t seed, int spread)
{
    test::random_numbers random(seed);
    std::vector<int> power;
    for (index_t j = 0; j < columns; ++j)
        power.push_back(static_cast<int>(random.below(2 * spread + 1)) - spread);
    ddla::coordinates<double> a{.rows = rows, .columns = columns};
    for (index_t i = 0; i < rows; ++i)
        for (index_t j = 0; j < columns; ++j)
            if (i == j || random.below(4) == 0)
                a.add(i, j, std::ldexp(random.real(3), power[static_cast<std::size_t>(j)]));
    return csr_matrix<double>(a);
}

}  // namespace test::least_squares
