// Least squares and answers of least norm by factors, against exact ones: rational normal
// equations.
#include "catch.hpp"
#include "exact_least_squares.hpp"

#include "refine/augmented.hpp"

#include "ddla/solve.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

using namespace test::least_squares;
using ddla::csr_matrix;
using ddla::dd_real;
using ddla::index_t;
using ddla::solve_status;
using test::matrix_of;

namespace {

/// Lauchli 1961: ones above e times the identity.  A^T A = 1 + e^2 on the diagonal.
csr_matrix<double> lauchli(index_t n, double e)
{
    ddla::coordinates<double> a{.rows = n + 1, .columns = n};
    for (index_t j = 0; j < n; ++j) {
        a.add(0, j, 1.0);
        a.add(j + 1, j, e);
    }
    return csr_matrix<double>(a);
}

csr_matrix<double> hilbert_columns(index_t rows, index_t columns)
{
    dense a(static_cast<std::size_t>(rows), std::vector<double>(static_cast<std::size_t>(columns)));
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < a[i].size(); ++j)
            a[i][j] = 1.0 / static_cast<double>(i + j + 1);
    return matrix_of(a);
}

}  // namespace

TEMPLATE_TEST_CASE("least squares by factors have the digits that they claim", "", double, dd_real)
{
    int converged = 0, solves = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        test::random_numbers random(1000 + seed);
        const index_t n = 1 + random.below(9), m = n + 1 + random.below(9);
        const auto tall = sparse(m, n, seed, static_cast<int>(seed % 4) * 10);
        for (const auto& a : {tall, ddla::transpose(tall)}) {
            INFO("seed " << seed << ", " << a.rows() << " x " << a.columns());
            const auto b = random_b(a.rows(), 50 + seed, static_cast<int>(seed % 3) * 20);
            const auto x = truth(a, b);
            REQUIRE(x);
            const auto one = solve<TestType>(a, b, *x);
            check_claims(one);
            CHECK(one.report.plan.front().name == "factor in double, L D L^T");
            CHECK(one.report.normal_residual);
            ++solves;
            converged += one.report.status == solve_status::converged;
        }
    }
    CHECK(solves == 40);
    CHECK(converged >= 38);
}

TEST_CASE("least squares of ill-conditioned columns have the digits that they claim")
{
    for (const double e : {0x1p-10, 0x1p-26, 0x1p-40, 0x1p-60}) {
        INFO("Lauchli " << e);
        const auto a = lauchli(5, e);
        const std::vector<double> b{1, 2 * e, -e, 3 * e, 0, 5 * e};
        const auto one = solve<dd_real>(a, b, *truth(a, b));
        check_claims(one);
        CHECK(one.report.status == solve_status::converged);
        const std::vector<double> far{1, 2, -1, 3, 0, 5};
        check_claims(solve<dd_real>(a, far, *truth(a, far)));
        const auto least = ddla::transpose(a);
        const auto of_least = random_b(5, 3);
        check_claims(solve<dd_real>(least, of_least, *truth(least, of_least)));
    }
    for (const index_t n : {4, 8, 12}) {
        INFO("Hilbert " << n);
        const auto a = hilbert_columns(n + 4, n);
        const auto b = random_b(n + 4, 7);
        const auto one = solve<dd_real>(a, b, *truth(a, b));
        check_claims(one);
        CHECK(one.report.status == solve_status::converged);
        const auto least = ddla::transpose(a);
        const auto of_least = random_b(n, 8);
        check_claims(solve<dd_real>(least, of_least, *truth(least, of_least)));
    }
}

TEST_CASE("least squares with b nearly orthogonal to the columns have the digits that they claim")
{
    // The rows twice: (v, -v) is orthogonal to all columns, and rounding it is far above x.
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        const auto once = sparse(8, 6, 300 + seed, 3);
        const auto half = once.view();
        ddla::coordinates<double> twice{.rows = 16, .columns = 6};
        for (index_t i = 0; i < 16; ++i)
            for (index_t e = half.row_begin[i % 8]; e < half.row_begin[i % 8 + 1]; ++e)
                twice.add(i, half.column[e], half.value.get(e));
        const csr_matrix<double> a(twice);
        const auto v = random_b(8, 400 + seed), c = random_b(16, 500 + seed);
        const double size = std::ldexp(1.0, static_cast<int>(54 + 6 * seed));
        numbers b(16);
        ddla::vector<dd_real> right(16), x(6);
        for (std::size_t i = 0; i < 16; ++i) {
            const double far = std::ldexp(std::round(std::ldexp(v[i % 8], 20)), -20) * size;
            right.set(static_cast<index_t>(i), dd_real(i < 8 ? far : -far) + dd_real(c[i]));
            const dd_real stored = right[static_cast<index_t>(i)];
            b[i] = mpq_class(stored.hi) + mpq_class(stored.lo);
        }
        const auto report = ddla::solve(a, right, x);
        INFO("size 2^" << 54 + 6 * seed);
        check_claims({report, errors_of<dd_real>({&x}, *truth(a, b))});
    }
}

TEST_CASE("least squares of a system that has a solution find it")
{
    const auto a = sparse(9, 5, 77, 8);
    std::vector<double> b(9, 0);
    const auto q = exact(a);
    for (std::size_t i = 0; i < 9; ++i) {
        mpq_class sum = 0;
        for (const auto& v : q[i]) sum += v;
        b[i] = sum.get_d();
    }
    const auto x = truth(a, b);
    const auto one = solve<dd_real>(a, b, *x, {.tolerance = 1e-14});
    check_claims(one);
    CHECK(one.report.status == solve_status::converged);
    CHECK(one.report.true_relative_residual < 1e-15);
    // r is 0 in the first rows, and what rounding leaves there says nothing of x.
    const auto apart =
        matrix_of({{3, 0.125, 0}, {0.75, 7, 0}, {3.75, 7.125, 0}, {0, 0, 1}, {0, 0, 1.1}});
    const std::vector<double> beside{1, 0.25, 1.25, 1, 2};
    const auto partly = solve<dd_real>(apart, beside, *truth(apart, beside));
    check_claims(partly);
    CHECK(partly.report.status == solve_status::converged);
    CHECK(*partly.report.digits >= 31);
    CHECK(partly.report.errors.certain_zeros == 1);  // x is (1/3, 0, 1.45...)
    // Integers: r = 0 but for rounding, and its direction says nothing.
    const auto line = matrix_of({{1, 0}, {1, 1}, {1, 2}, {1, 3}});
    const auto exactly = solve<dd_real>(line, {3, 5, 7, 9}, {3, 2}, {.tolerance = 1e-30});
    CHECK(exactly.report.status == solve_status::converged);
    CHECK(exactly.found.componentwise <= 0x1p-104);
}

TEST_CASE("least squares with b orthogonal to the columns have zero for an answer")
{
    const auto a = matrix_of({{1, 2}, {1, -1}, {0, 3}});
    // (3, -3, -3): 0 with the first column, 6 + 3 - 9 with the second.
    const auto one = solve<dd_real>(a, {3, -3, -3}, {0, 0});
    CHECK(one.report.status == solve_status::converged);
    CHECK(one.found.componentwise == 0);
    const auto none = solve<dd_real>(a, {0, 0, 0}, {0, 0});
    CHECK(none.report.status == solve_status::converged);
    CHECK(none.found.componentwise == 0);
}

TEST_CASE("least squares in four words have up to 60 digits")
{
    for (const bool wide : {false, true}) {
        const auto tall = sparse(12, 7, 91, 12);
        const auto a = wide ? ddla::transpose(tall) : tall;
        const auto b = random_b(a.rows(), 92);
        const auto x = truth(a, b);
        ddla::vector<dd_real> right(a.rows()), high(a.columns()), low(a.columns());
        for (index_t i = 0; i < a.rows(); ++i) right.set(i, b[static_cast<std::size_t>(i)]);
        const auto report = ddla::solve(a, right, high, low, {.digits = 58});
        CHECK(report.status == solve_status::converged);
        const auto found = errors_of<dd_real>({&high, &low}, *x);
        CHECK(found.componentwise <= *report.errors.componentwise);
        CHECK(found.componentwise <= 1e-58);
    }
}

TEST_CASE("the condition that least squares report is that of x")
{
    // || |A^+| (|A| |x| + |r|) + |(A^T A)^-1| |A^T| |r| || / || x || of one column (3, 4), b = (1,
    // 2): x = 11 / 25, r = (1 - 33 / 25, 2 - 44 / 25), A^+ = (3, 4) / 25, (A^T A)^-1 = 1 / 25.
    const auto one = solve<dd_real>(matrix_of({{3}, {4}}), {1, 2}, {mpq_class(11, 25)});
    const double x = 11.0 / 25, r0 = 8.0 / 25, r1 = 6.0 / 25;
    const double sum = (3 * (3 * x + r0) + 4 * (4 * x + r1)) / 25 + (3 * r0 + 4 * r1) / 25;
    REQUIRE(one.report.errors.condition);
    CHECK(one.report.errors.condition->value == Approx(sum / x));
    CHECK_FALSE(one.report.errors.condition_1);
    CHECK_FALSE(one.report.errors.backward_error);
    // A second column of 2^-20, whose x is 0, makes r / alpha large: its condition does not count.
    const auto beside = solve<dd_real>(matrix_of({{3, 0}, {4, 0}, {0, 0x1p-20}}), {1, 2, 0},
                                       {mpq_class(11, 25), 0});
    REQUIRE(beside.report.errors.condition);
    CHECK(beside.report.errors.condition->value == Approx(sum / x));
}

TEST_CASE("the augmented matrix has A beside alpha and A^T below")
{
    using ddla::refine::augmented;
    const auto a = matrix_of({{4, 0.75}, {0, 3}, {5, 0}});
    const ddla::vector<dd_real> b{1, 2, 3};
    const auto k = augmented(a.view(), b.view());
    CHECK(k.alpha == 2);  // the largest entries of the columns are 5 and 3
    CHECK(k.x.begin == 3);
    CHECK(k.x.end == 5);
    const std::vector<std::vector<int>> wanted{
        {8, 0, 0, 16, 3}, {0, 8, 0, 0, 12}, {0, 0, 8, 20, 0}, {16, 0, 20, 0, 0}, {3, 12, 0, 0, 0}};
    const auto found = exact(k.matrix);
    for (std::size_t i = 0; i < 5; ++i)
        for (std::size_t j = 0; j < 5; ++j) CHECK((found[i][j] * 4 == wanted[i][j]));
    for (index_t i = 0; i < 5; ++i)
        CHECK(k.right_hand_side[i] == dd_real(i < 3 ? double(i + 1) : 0.0));
    const auto wide = augmented(ddla::transpose(a).view(), ddla::vector<dd_real>{1, 2}.view());
    CHECK((exact(wide.matrix) == found));
    CHECK(wide.x.begin == 0);
    CHECK(wide.x.end == 3);
    CHECK(wide.right_hand_side[3] == dd_real(1));
}
