// Systems that are scaled by powers of two: no bit changes but the exponent of the answer.
#pragma once

#include "operands.hpp"

#include "catch.hpp"

#include "ddla/csr_matrix.hpp"
#include "ddla/solve.hpp"

#include <initializer_list>

namespace test {

inline ddla::csr_matrix<double> scaled(const ddla::csr_matrix<double>& a, int exponent)
{
    ddla::coordinates<double> c{.rows = a.rows(), .columns = a.columns()};
    for (ddla::index_t i = 0; i < a.rows(); ++i)
        for (ddla::index_t k = a.view().row_begin[i]; k < a.view().row_begin[i + 1]; ++k)
            c.add(i, a.view().column[k], std::ldexp(a.view().value.get(k), exponent));
    return ddla::csr_matrix<double>(c);
}

/// solve(a, b, x) solves from x = 0 and returns the report.  It is asked for 2^e b, e of `of_b`,
/// and with 2^e A, e of `of_a`.
template <class T, class Solve>
void check_powers_of_two(const ddla::csr_matrix<double>& a, const ddla::vector<T>& b,
                         std::initializer_list<int> of_b, std::initializer_list<int> of_a,
                         const Solve& solve)
{
    ddla::vector<T> x(a.columns());
    const ddla::solve_report plain = solve(a, b, x);
    REQUIRE(plain.status == ddla::solve_status::converged);
    const auto check = [&](const ddla::csr_matrix<double>& scaled_a,
                           const ddla::vector<T>& scaled_b, int exponent) {
        using ddla::ldexp;
        using std::ldexp;
        ddla::vector<T> y(a.columns());
        const ddla::solve_report report = solve(scaled_a, scaled_b, y);
        CHECK(report.status == plain.status);
        CHECK(report.iterations == plain.iterations);
        bool same = true;
        for (ddla::index_t i = 0; i < x.size(); ++i) same = same && y[i] == ldexp(x[i], exponent);
        CHECK(same);
    };
    for (const int e : of_b) {
        INFO("2^" << e << " b");
        check(a, scaled(b, e), e);
    }
    for (const int e : of_a) {
        INFO("2^" << e << " A");
        check(scaled(a, e), b, -e);
    }
}

}  // namespace test
