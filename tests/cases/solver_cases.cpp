// How solves end, and what they report, one text for every place: the same on the host and there,
// however the work is cut.
#include "support/biharmonic.hpp"
#include "support/operands.hpp"
#include "support/powers_of_two.hpp"
#include "support/shapes.hpp"
#include "support/solves.hpp"

#include "ddla/error.hpp"
#include "ddla/generate.hpp"

#include <limits>

using ddla::dd_real;
using ddla::index_t;
using ddla::method;
using ddla::preconditioning;
using ddla::solve_options;
using ddla::solve_status;
using test::biharmonic;
using test::dd_dd;
using test::dd_double;
using test::double_double;
using test::matrix_of;
using test::place_under_test;
using test::solve_in_every_way;
using test::with_uneven_diagonal;
using test::with_values;

namespace {

template <class T>
ddla::vector<T> ones(index_t n)
{
    return ddla::vector<T>(n, T(1));
}

}  // namespace

TEMPLATE_TEST_CASE("converged: the recomputed residual meets the tolerance", "[solvers]", double,
                   dd_real)
{
    const auto a = ddla::generate::poisson2d(20, 20);
    for (const method m : {method::bicgstab, method::cg})
        for (const preconditioning k : {preconditioning::none, preconditioning::jacobi}) {
            ddla::vector<TestType> x(a.rows());
            const auto b = ones<TestType>(a.rows());
            const auto report =
                solve_in_every_way(a, b, x, {.method = m, .precond = k, .tolerance = 1e-10});
            CHECK(report.status == solve_status::converged);
            CHECK(report.breakdown.empty());
            CHECK(report.true_relative_residual <= 1e-10);
            CHECK(report.true_relative_residual > 0);
            CHECK(report.relative_residual <= 1e-10);
            CHECK(report.iterations > 10);
            CHECK(report.iterations < 200);
            CHECK(report.solution_hash == ddla::hash_of(x));
            CHECK(report.seconds > 0);
            CHECK(!report.interrupted);
        }
}

TEMPLATE_TEST_CASE("BiCGStab and CG, with and without Jacobi", "[solvers]", DDLA_PAIRS_OF_MANY)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    const double tolerance = sizeof(T) == 8 ? 1e-12 : 1e-26;
    const auto symmetric = with_values<V>(with_uneven_diagonal(ddla::generate::poisson2d(23, 19)));
    const auto unsymmetric =
        with_values<V>(with_uneven_diagonal(ddla::generate::convection_diffusion(20, 21, 22)));
    for (const auto k : {preconditioning::none, preconditioning::jacobi}) {
        ddla::vector<T> x(symmetric.rows());
        CHECK(solve_in_every_way(symmetric, test::random_vector<T>(x.size(), 1, 0), x,
                                 {.method = method::cg, .precond = k, .tolerance = tolerance})
                  .status == solve_status::converged);
        auto guess = test::random_vector<T>(unsymmetric.rows(), 3, 0);
        CHECK(solve_in_every_way(
                  unsymmetric, test::random_vector<T>(guess.size(), 2, 0), guess,
                  {.method = ddla::method::bicgstab, .precond = k, .tolerance = tolerance})
                  .status == solve_status::converged);
    }
}

TEST_CASE("double-double reaches what double cannot", "[solvers]")
{
    const auto a = ddla::generate::convection_diffusion(12, 12, 12);
    ddla::vector<dd_real> x(a.rows());
    const auto report = solve_in_every_way(a, ones<dd_real>(a.rows()), x,
                                           {.method = ddla::method::bicgstab, .tolerance = 1e-28});
    CHECK(report.status == solve_status::converged);
    CHECK(report.true_relative_residual <= 1e-28);
}

TEST_CASE("stagnated: the recurrence claims what is not true", "[solvers]")
{
    const auto a = biharmonic(200);
    const auto b = test::random_vector<double>(200, 41, 0);
    ddla::vector<double> x(200);
    const auto report = solve_in_every_way(
        a, b, x, {.method = method::cg, .tolerance = 1e-15, .max_iterations = 100000});
    CHECK(report.status == solve_status::stagnated);
    CHECK(report.relative_residual <= 1e-15);
    CHECK(report.true_relative_residual > 1e-13);
}

TEMPLATE_TEST_CASE("iteration limit", "[solvers]", double, dd_real)
{
    const auto a = ddla::generate::poisson2d(20, 20);
    for (const index_t limit : {0, 1, 7, 8, 9}) {
        ddla::vector<TestType> x(a.rows());
        const auto report = solve_in_every_way(
            a, ones<TestType>(a.rows()), x,
            {.method = ddla::method::bicgstab, .max_iterations = limit, .record_history = true});
        CHECK(report.status == solve_status::iteration_limit);
        CHECK(report.iterations == limit);
        CHECK(report.history.size() == std::size_t(limit) + 1);
        CHECK(report.history.front() == 1);
        CHECK(!report.interrupted);
    }
}

TEMPLATE_TEST_CASE("breakdown names its scalar", "[solvers]", double, dd_real)
{
    const auto end = [](const ddla::csr_matrix<double>& a, ddla::vector<TestType> b, method m) {
        ddla::vector<TestType> x(a.rows());
        const auto report = solve_in_every_way(a, b, x, {.method = m});
        CHECK(report.status == solve_status::breakdown);
        return report.breakdown;
    };
    const auto rotation = matrix_of({{0, 1}, {-1, 0}});
    CHECK(end(rotation, {1, 0}, method::bicgstab) == "(r0, v)");
    CHECK(end(rotation, {1, 1}, method::cg) == "(p, A p)");
    CHECK(end(matrix_of({{1, 1}, {1, 0}}), {1, 0}, method::bicgstab) == "omega");
    CHECK(end(matrix_of({{1, 0, 0}, {1, 1, 0}, {0, 1, 1}}), {1, 0, 0}, method::bicgstab) == "rho");
    // Singular, and b is not in the range.
    CHECK(end(matrix_of({{1, 0}, {0, 0}}), {1, 1}, method::bicgstab) == "(r0, v)");
}

TEMPLATE_TEST_CASE("CG with Jacobi breaks down where the diagonal is indefinite", "[solvers]",
                   double, dd_real)
{
    // (r, K^-1 r) = 0 at once, and after an iteration.
    const auto end = [](const ddla::csr_matrix<double>& a, const ddla::vector<TestType>& b) {
        ddla::vector<TestType> x(a.rows());
        const auto report =
            solve_in_every_way(a, b, x, {.method = method::cg, .precond = preconditioning::jacobi});
        CHECK(report.status == solve_status::breakdown);
        CHECK(report.breakdown == "rho");
        return report.iterations;
    };
    CHECK(end(matrix_of({{1, 0}, {0, -1}}), {1, 1}) == 0);
    CHECK(end(matrix_of({{1, 1, 1}, {1, 1, 0}, {1, 0, -1}}), {1, 0, 0}) == 1);
}

TEMPLATE_TEST_CASE("not finite names its scalar", "[solvers]", double, dd_real)
{
    // A x overflows for this guess.
    for (const method m : {method::bicgstab, method::cg}) {
        ddla::vector<TestType> x{1e308, 1};
        const auto report =
            solve_in_every_way(matrix_of({{1e10, 0}, {0, 1}}), ones<TestType>(2), x, {.method = m});
        CHECK(report.status == solve_status::not_finite);
        CHECK(report.breakdown == "residual");
        CHECK(report.iterations == 0);
    }
}

TEMPLATE_TEST_CASE("scalars that overflow are named before they spread", "[solvers]", double,
                   dd_real)
{
    const auto end = [](const ddla::csr_matrix<double>& a, ddla::vector<TestType> b, method m) {
        ddla::vector<TestType> x(a.rows());
        const auto report = solve_in_every_way(a, b, x, {.method = m});
        CHECK(report.status == solve_status::not_finite);
        CHECK(report.iterations == 0);
        return report.breakdown;
    };
    CHECK(end(matrix_of({{0x1p1000}}), {0x1p20}, method::cg) == "(p, A p)");
    CHECK(end(matrix_of({{0x1p-1040}}), {1}, method::cg) == "alpha");
    // (r0, v) is the middle element, for the others cancel.
    const auto rotation = [](double turn, double middle) {
        return matrix_of({{0, 0, turn}, {0, middle, 0}, {-turn, 0, 0}});
    };
    CHECK(end(rotation(1, 0x1p-1040), {1, 1, 1}, method::bicgstab) == "alpha");
    // (t, s) is finite, (t, t) is not.
    CHECK(end(rotation(0x1p90, 0x1p-350), {1, 1, 1}, method::bicgstab) == "omega");
}

TEMPLATE_TEST_CASE("near the ends of the range, whatever that leads to", "[solvers]", double,
                   dd_real)
{
    const auto end = [](const ddla::csr_matrix<double>& a, const solve_options& options) {
        ddla::vector<TestType> x(2);
        solve_in_every_way(a, ones<TestType>(2), x, options);
    };
    end(matrix_of({{1e200, 0}, {0, 1e-200}}), {});
    end(matrix_of({{1e300, 1e300}, {-1e300, 1e-300}}), {});
    end(matrix_of({{1e200, 1}, {1, 1e-200}}), {.method = method::cg});
}

TEMPLATE_TEST_CASE("a residual of exactly the tolerance is small enough", "[solvers]", double,
                   dd_real)
{
    const auto a = matrix_of({{1, 0}, {0, 1}});
    const ddla::vector<TestType> b{1, 1};
    for (const method m : {method::bicgstab, method::cg}) {
        ddla::vector<TestType> x{0.5, 0.5};
        const auto report = solve_in_every_way(a, b, x, {.method = m, .tolerance = 0.5});
        CHECK(report.status == solve_status::converged);
        CHECK(report.iterations == 0);
        CHECK(x[0] == TestType(0.5));
    }
}

TEMPLATE_TEST_CASE("the exact answer ends a solve at once", "[solvers]", double, dd_real)
{
    // A = 2 I: the half step is exact, s = 0.
    const auto a = matrix_of({{2, 0, 0}, {0, 2, 0}, {0, 0, 2}});
    ddla::vector<TestType> x(3);
    const auto first = solve_in_every_way(a, ddla::vector<TestType>{2, 4, 6}, x);
    CHECK(first.status == solve_status::converged);
    CHECK(first.iterations == 1);
    CHECK(first.true_relative_residual == 0);
    CHECK(x[2] == TestType(3));
    const auto again = solve_in_every_way(a, ddla::vector<TestType>{2, 4, 6}, x);
    CHECK(again.status == solve_status::converged);
    CHECK(again.iterations == 0);
    ddla::vector<TestType> guess{5, 6, 7};
    const auto zero =
        solve_in_every_way(a, ddla::vector<TestType>(3), guess,
                           {.method = ddla::method::bicgstab, .record_history = true});
    CHECK(zero.status == solve_status::converged);
    CHECK(zero.true_relative_residual == 0);
    CHECK(guess[1] == TestType(0));
    const auto grid = ddla::generate::poisson2d(20, 20);
    ddla::vector<TestType> rest(400);
    CHECK(solve_in_every_way(grid, ddla::vector<TestType>(400), rest).status ==
          solve_status::converged);
    ddla::vector<TestType> nothing(0);
    CHECK(solve_in_every_way(matrix_of({}), nothing, nothing).status == solve_status::converged);
}

TEMPLATE_TEST_CASE("a power of two on b changes no bit of the solve", "[solvers]", double, dd_real)
{
    const auto a = ddla::generate::convection_diffusion(6, 6, 6);
    const auto b = test::random_vector<TestType>(a.rows(), 42, 0);
    test::check_powers_of_two(a, b, {-850, -260, 90, 500, 1000}, {},
                              [](auto&&... all) { return solve_in_every_way(all...); });
}

TEMPLATE_TEST_CASE("a power of two on A divides the answer", "[solvers]", double, dd_real)
{
    const auto a = ddla::generate::convection_diffusion(6, 6, 6);
    const auto b = test::random_vector<TestType>(a.rows(), 43, 0);
    const auto exponents = {-700, -400, -60, 60, 400, 700};
    test::check_powers_of_two(a, b, {}, exponents,
                              [](auto&&... all) { return solve_in_every_way(all...); });
    // A is not symmetric: CG need not converge, but is everywhere the same.
    for (const int e : exponents)
        for (const auto& [m, k] : {std::pair(method::bicgstab, preconditioning::jacobi),
                                   std::pair(method::cg, preconditioning::none),
                                   std::pair(method::cg, preconditioning::jacobi)}) {
            INFO("2^" << e << ", " << to_string(m) << ", " << to_string(k));
            ddla::vector<TestType> x(a.rows());
            const auto report = solve_in_every_way(
                test::scaled(a, e), b, x, {.method = m, .precond = k, .max_iterations = 500});
            if (m == method::bicgstab) CHECK(report.status == solve_status::converged);
        }
}

TEST_CASE("the residual of tiny numbers is not lost", "[solvers]")
{
    // 1 x 1 systems whose products vanish below 2^-968: a residual of zero would be a lie.
    const auto a = matrix_of({{0.9}});
    for (const double b : {1e-300, 1.1e-300, 1e-295}) {
        ddla::vector<dd_real> x(1);
        const auto report = solve_in_every_way(
            a, ddla::vector<dd_real>{b}, x, {.method = ddla::method::bicgstab, .tolerance = 1e-30});
        INFO(b);
        // x has fewer digits there, and the report must say so.
        CHECK(report.true_relative_residual > 0);
        CHECK((report.status == solve_status::converged) ==
              (report.true_relative_residual <= 1e-30));
    }
}

TEST_CASE("scaling leaves a guess alone", "[solvers]")
{
    const auto a = matrix_of({{1, 0}, {0, 1e300}});
    ddla::vector<double> x{1e100, 1e-300};
    const auto report = solve_in_every_way(a, ddla::vector<double>{1e100, 1}, x);
    CHECK(report.status == solve_status::converged);
    CHECK(report.iterations == 0);
    CHECK(x[1] == 1e-300);
}

TEMPLATE_TEST_CASE("an x that overflows is not finite", "[solvers]", double, dd_real)
{
    ddla::vector<TestType> x(1);
    const auto report = solve_in_every_way(matrix_of({{1e-250}}), ddla::vector<TestType>{1e60}, x);
    CHECK(report.status == solve_status::not_finite);
    CHECK(!report.breakdown.empty());
}

TEST_CASE("x and b must be two vectors", "[solvers]")
{
    ddla::vector<double> both(2, 1.0, place_under_test());
    const auto a = matrix_of({{2, 0}, {0, 2}}).to(place_under_test());
    CHECK_THROWS_AS(ddla::solve(a, both, both), ddla::input_error);
}

TEMPLATE_TEST_CASE("watch sees the solve and can end it", "[solvers]", double, dd_real)
{
    const auto a = ddla::generate::poisson2d(20, 20).to(place_under_test());
    const auto b = ones<TestType>(400).to(place_under_test());
    ddla::vector<TestType> x(400, place_under_test());
    std::vector<std::int64_t> seen;
    solve_options options{
        .method = ddla::method::bicgstab, .max_iterations = 1000, .check_every = 5};
    options.watch = [&](const ddla::solve_progress& p) {
        seen.push_back(p.iterations);
        return p.iterations < 15;
    };
    const auto report = ddla::solve(a, b, x, options);
    CHECK(report.status == solve_status::iteration_limit);
    CHECK(report.interrupted);
    CHECK(report.iterations == 15);
    CHECK(seen == std::vector<std::int64_t>{0, 5, 10, 15});
    CHECK(report.true_relative_residual > 0);
}

TEST_CASE("what cannot be solved is refused", "[solvers]")
{
    const ddla::place at = place_under_test();
    const auto a = matrix_of({{2, 1}, {0, 3}}).to(at);
    const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
    ddla::vector<double> b(2, 1.0, at), x(2, at), three(3, at);
    const auto with = [&](solve_options o) { return ddla::solve(a, b, x, o); };
    CHECK_THROWS_AS(with({.method = ddla::method::bicgstab, .tolerance = -1}), ddla::input_error);
    CHECK_THROWS_AS(with({.method = ddla::method::bicgstab, .tolerance = 1}), ddla::input_error);
    CHECK_THROWS_AS(with({.method = ddla::method::bicgstab, .tolerance = nan}), ddla::input_error);
    CHECK_THROWS_AS(with({.method = ddla::method::bicgstab, .max_iterations = -1}),
                    ddla::input_error);
    CHECK_THROWS_AS(with({.method = ddla::method::bicgstab, .check_every = -1}), ddla::input_error);
    CHECK_THROWS_WITH(ddla::solve(a, three, x), "solve: b has 3 elements, A has 2 rows");
    CHECK_THROWS_WITH(ddla::solve(a, b, three), "solve: x has 3 elements, A has 2 columns");
    auto bad = ddla::vector<double>{1, nan}.to(at);
    CHECK_THROWS_WITH(ddla::solve(a, bad, x), "solve: element 1 of b is Inf or NaN");
    CHECK_THROWS_WITH(ddla::solve(a, b, bad), "solve: element 1 of x is Inf or NaN");
    CHECK_THROWS_WITH(ddla::solve(matrix_of({{1, 0}, {0, inf}}).to(at), b, x),
                      "solve: the value of A in row 1, column 1 is Inf or NaN");
    CHECK_THROWS_WITH(
        ddla::solve(matrix_of({{1, 1}, {1, 0}}).to(at), b, x,
                    {.method = ddla::method::bicgstab, .precond = preconditioning::jacobi}),
        "solve: Jacobi needs a diagonal without zeros, row 2 of A has none");
    const auto wide = ddla::csr_matrix<double>(1, 2, {0, 1}, {0}, ddla::vector<double>{1.0}).to(at);
    CHECK_THROWS_WITH(ddla::solve(wide, b, x, {.method = ddla::method::bicgstab}),
                      "solve: the matrix is 1 x 2, not square");
    CHECK_THROWS_WITH(ddla::solve(wide, b, x), "solve: b has 2 elements, A has 1 rows");
}
