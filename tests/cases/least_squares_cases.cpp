// Least squares by factors: what they reach, how they end, and what they refuse, wherever the data
// are.
#include "catch.hpp"
#include "support/answered.hpp"
#include "support/random.hpp"
#include "support/shapes.hpp"

#include "ddla/dd_math.hpp"

#include <cmath>

using ddla::dd_real;
using ddla::index_t;
using ddla::method;
using ddla::solve_goal;
using ddla::solve_status;
using test::matrix_of;

namespace {

/// A line through values at 0, 1, 2, 3.
ddla::csr_matrix<double> line()
{
    return matrix_of({{1, 0}, {1, 1}, {1, 2}, {1, 3}});
}

template <class T>
constexpr double rounding = sizeof(T) == 8 ? 0x1p-51 : 0x1p-102;

template <class T>
void check_near(const ddla::vector<T>& x, const std::vector<T>& wanted)
{
    REQUIRE(x.size() == static_cast<index_t>(wanted.size()));
    for (index_t i = 0; i < x.size(); ++i) {
        const T& truth = wanted[static_cast<std::size_t>(i)];
        CHECK(std::fabs(double(x[i] - truth)) <= rounding<T> * std::fabs(double(truth)));
    }
}

}  // namespace

TEMPLATE_TEST_CASE("least squares by factors are right in every digit", "", double, dd_real)
{
    using T = TestType;
    const T third = T(1) / T(3);
    for (const auto asked : {method::automatic, method::refinement}) {
        // (0, 1), (1, 3), (2, 4), (3, 4): 3/2 + x, by hand.
        const auto fit = test::solve<T>(line(), {1, 3, 4, 4}, {.method = asked});
        CHECK(fit.report.status == solve_status::converged);
        check_near<T>(fit.x, {T(1.5), T(1)});
        CHECK(fit.report.true_relative_residual == Approx(std::sqrt(1.0 / 42)));
        REQUIRE(fit.report.normal_residual);
        CHECK(*fit.report.normal_residual <= 4 * rounding<T>);
        // x1 + x2 + x3 = 1 and x1 - x3 = 2: (4, 1, -2) / 3 is in the range of A^T, 1/3 + 1, …
        const auto least =
            test::solve<T>(matrix_of({{1, 1, 1}, {1, 0, -1}}), {1, 2}, {.method = asked});
        CHECK(least.report.status == solve_status::converged);
        check_near<T>(least.x, {third + T(1), third, third - T(1)});
        CHECK(least.report.true_relative_residual <= 4 * rounding<T>);
        for (const auto* report : {&fit.report, &least.report}) {
            CHECK(report->goal ==
                  (asked == method::automatic ? solve_goal::digits : solve_goal::least_squares));
            CHECK(report->plan.front().name == "factor in double, L D L^T");
            CHECK(report->plan.back().name == "refine");
            CHECK(report->where == test::place_under_test());
            CHECK(report->limit.empty());
            CHECK(*report->digits >= (sizeof(T) == 8 ? 15 : 31));
            CHECK_FALSE(report->errors.backward_error);
            CHECK_FALSE(report->rank);
        }
    }
}

TEST_CASE("least squares that have many answers are LSMR's, or end as singular")
{
    // The second column is twice the first.
    const auto a = matrix_of({{1, 2, 0}, {2, 4, 1}, {3, 6, 0}, {0, 0, 5}});
    const std::string lack = "A has rank 2, less than its 3 columns";
    const auto by_lsmr = test::solve<dd_real>(a, {1, 1, 1, 1});
    CHECK(by_lsmr.report.status == solve_status::converged);
    CHECK(by_lsmr.report.goal == solve_goal::least_squares);
    CHECK(by_lsmr.report.limit == lack);
    REQUIRE(by_lsmr.report.rank);
    CHECK(by_lsmr.report.rank->value == 2);
    CHECK(by_lsmr.report.rank->combined_columns == std::vector<index_t>{0, 1});
    CHECK(by_lsmr.report.rank->combined_rows.empty());
    CHECK(by_lsmr.report.plan.back().name == "lsmr");
    CHECK(by_lsmr.report.iterations > 0);
    // Of least norm: x is in the range of A^T.
    CHECK(std::fabs(double(by_lsmr.x[1] - by_lsmr.x[0] * 2)) < 1e-12);
    const auto refused = test::solve<dd_real>(a, {1, 1, 1, 1}, {.method = method::refinement});
    CHECK(refused.report.status == solve_status::singular);
    CHECK(refused.report.limit == lack);
    REQUIRE(refused.report.rank);
    CHECK(refused.report.rank->dependent_columns.size() == 1);
    for (index_t j = 0; j < 3; ++j) CHECK(refused.x[j] == dd_real(0));
    CHECK_FALSE(refused.report.digits);

    const auto wide = matrix_of({{1, 2, 3, 0}, {2, 4, 6, 0}, {0, 1, 0, 5}});
    const auto least = test::solve<dd_real>(wide, {1, 2, 1});
    CHECK(least.report.limit == "A has rank 2, less than its 3 rows");
    REQUIRE(least.report.rank);
    CHECK(least.report.rank->value == 2);
    CHECK(least.report.rank->consistent);
    CHECK(least.report.rank->combined_rows == std::vector<index_t>{0, 1});
    CHECK(least.report.rank->dependent_columns.empty());
}

TEST_CASE("least squares past the limits of factors are LSMR's, or refused with the counts")
{
    const auto a = test::random_matrix<double>(60, 20, 11, [](index_t) { return 6; });
    ddla::factorisation_options tight;
    tight.most_work = 1e-8;
    const auto one = test::solve<dd_real>(a, test::ones(60), {.factorisation = tight});
    CHECK(one.report.status == solve_status::converged);
    CHECK(one.report.goal == solve_goal::least_squares);
    CHECK(one.report.limit.find("more work than most_work allows") != std::string::npos);
    CHECK(one.report.plan.front().name == "factor in double, L D L^T, too large");
    CHECK(one.report.plan.back().name == "lsmr");
    CHECK(*one.report.normal_residual <= 1e-12);
    CHECK_THROWS_AS(test::solve<dd_real>(a, test::ones(60),
                                         {.method = method::refinement, .factorisation = tight}),
                    ddla::limit_error);
    const auto factored = test::solve<dd_real>(a, test::ones(60));
    for (index_t j = 0; j < 20; ++j) CHECK(std::fabs(double(one.x[j] - factored.x[j])) < 1e-9);
}

namespace {

/// Of full rank; where L D L^T of the augmented matrix looks for it, it has a pivot of zero.
const double refused[6][5] = {{2, 2, 0, 0, 0}, {0, 0, 2, 2, 0}, {1, 0, 0, 0, 1},
                              {0, 0, 2, 2, 0}, {0, 2, 0, 0, 1}, {1, 1, 2, 0, 0}};

ddla::coordinates<double> refused_matrix(index_t rows, index_t columns)
{
    ddla::coordinates<double> a{.rows = rows, .columns = columns};
    for (index_t i = 0; i < 6; ++i)
        for (index_t j = 0; j < 5; ++j)
            if (refused[i][j] != 0) a.add(i, j, refused[i][j]);
    return a;
}

}  // namespace

TEST_CASE("least squares take LU where the pivots of L D L^T fail, or another order is asked for")
{
    const ddla::csr_matrix<double> a(refused_matrix(6, 5));
    const std::vector<double> b{6, 14, 6, 14, 9, 9};
    const std::vector<dd_real> x{dd_real(1), dd_real(2), dd_real(3), dd_real(4), dd_real(5)};
    const auto one = test::solve<dd_real>(a, b);
    CHECK(one.report.status == solve_status::converged);
    CHECK(one.report.plan[0].name == "factor in double, L D L^T");
    CHECK(one.report.plan[1].name == "factor in double");
    check_near<dd_real>(one.x, x);
    ddla::factorisation_options by_colamd;
    by_colamd.ordering = ddla::column_ordering::colamd;
    const auto other = test::solve<dd_real>(a, b, {.factorisation = by_colamd});
    CHECK(other.report.plan[0].name == "factor in double");
    check_near<dd_real>(other.x, x);
}

TEST_CASE("least squares whose L D L^T is refused and whose LU passes a limit are LSMR's")
{
    // As above, beside columns that fill in.
    const auto other = test::random_matrix<double>(30, 15, 12, [](index_t) { return 4; });
    ddla::coordinates<double> both = refused_matrix(36, 20);
    for (index_t i = 0; i < 30; ++i)
        for (index_t e = other.view().row_begin[i]; e < other.view().row_begin[i + 1]; ++e)
            both.add(6 + i, 5 + other.view().column[e], other.view().value.get(e));
    const ddla::csr_matrix<double> a(both);
    int after_refusal = 0;
    for (double work = 1e-8; work < 1e-2; work *= 1.2) {
        const auto one =
            test::solve<dd_real>(a, test::ones(36), {.factorisation = {.most_work = work}});
        const auto& r = one.report;
        INFO(work << ", " << r.plan.back().name << ", " << r.limit);
        CHECK(r.status == solve_status::converged);
        CHECK((r.plan.back().name == "lsmr") == !r.limit.empty());
        after_refusal += r.plan.size() == 3 && r.plan[1].name == "factor in double, too large";
    }
    CHECK(after_refusal > 0);
}

TEST_CASE("least squares of several right-hand sides have the bits of single ones")
{
    const auto at = test::place_under_test();
    const auto a = test::random_matrix<double>(40, 15, 21, [](index_t) { return 5; }).to(at);
    std::vector<ddla::vector<dd_real>> b, x;
    for (std::uint64_t j = 0; j < 3; ++j) {
        b.push_back(test::random_vector<dd_real>(40, 30 + j, 0).to(at));
        x.emplace_back(15, at);
    }
    const auto reports = ddla::solve(a, b, x);
    for (std::size_t j = 0; j < 3; ++j) {
        ddla::vector<dd_real> alone(15, at);
        const auto report = ddla::solve(a, b[j], alone);
        CHECK(reports[j].solution_hash == report.solution_hash);
        CHECK(reports[j].normal_residual == report.normal_residual);
        CHECK(reports[j].status == solve_status::converged);
    }
}

TEST_CASE("least squares have the same bits with any number of threads")
{
    const auto a = test::random_matrix<double>(300, 80, 22, [](index_t) { return 7; });
    std::optional<std::uint64_t> hash;
    test::under_few_cuts([&] {
        const auto one = test::solve<dd_real>(a, test::ones(300));
        if (!hash) hash = one.report.solution_hash;
        CHECK(one.report.solution_hash == *hash);
        CHECK(one.report.status == solve_status::converged);
    });
}

TEST_CASE("least squares that are stopped leave the guess or what refinement found")
{
    const auto a = test::random_matrix<double>(800, 300, 23, [](index_t) { return 6; });
    for (const std::string stage : {"factor in double, L D L^T", "refine"}) {
        int looks = 0;
        const auto one =
            test::solve<dd_real>(a, test::ones(800), {.watch = [&](const auto& progress) {
                                     looks += progress.stage == stage;
                                     return progress.stage != stage;
                                 }});
        INFO(stage);
        CHECK(looks == 1);
        CHECK(one.report.interrupted);
        CHECK(one.report.status == solve_status::iteration_limit);
        CHECK(one.report.plan.back().name == stage);
        CHECK_FALSE(one.report.digits);
        for (index_t j = 0; j < 300; ++j) CHECK(one.x[j] == dd_real(0));
    }
}

TEST_CASE("least squares without rows, columns or entries")
{
    const auto at = test::place_under_test();
    for (const auto& [rows, columns] : {std::pair<index_t, index_t>{3, 0}, {0, 3}, {3, 2}}) {
        const auto a = ddla::csr_matrix<double>(ddla::coordinates<double>{rows, columns}).to(at);
        const ddla::vector<dd_real> b(rows, dd_real(1), at);
        ddla::vector<dd_real> x(columns, dd_real(7), at);
        const auto report = ddla::solve(a, b, x);
        INFO(rows << " x " << columns << ": " << to_string(report.status));
        CHECK(report.status == solve_status::converged);
    }
}

TEST_CASE("least squares refuse what they cannot do")
{
    using ddla::preconditioning;
    const auto refusal = [](const ddla::solve_options& options) {
        test::solve<double>(line(), test::ones(4), options);
    };
    CHECK_THROWS_WITH(refusal({.precond = preconditioning::ilu}),
                      "solve: the matrix is 4 x 2, and least squares take no preconditioner");
    CHECK_THROWS_WITH(refusal({.method = method::refinement, .precond = preconditioning::jacobi}),
                      "solve: the matrix is 4 x 2, and least squares take no preconditioner");
    CHECK_THROWS_WITH(refusal({.certify = true}),
                      "solve: a bound of the error is proved of square matrices, A is 4 x 2");
    CHECK_THROWS_WITH(refusal({.method = method::bicgstab}),
                      "solve: the matrix is 4 x 2, not square");
}
