// How solves by BiCGStab(l), MINRES, IDR(s) and LSMR end, one text for every place.
#include "support/function_maps.hpp"
#include "support/methods.hpp"
#include "support/operands.hpp"
#include "support/powers_of_two.hpp"
#include "support/rotations.hpp"
#include "support/shapes.hpp"
#include "support/solves.hpp"

#include "ddla/error.hpp"
#include "ddla/generate.hpp"

using ddla::dd_real;
using ddla::index_t;
using ddla::method;
using ddla::preconditioning;
using ddla::solve_options;
using ddla::solve_status;
using test::matrix_of;
using test::place_under_test;
using test::solve_at_every_interval;

namespace {

template <class T>
ddla::vector<T> unit(index_t n, index_t k = 0)
{
    ddla::vector<T> e(n);
    e.set(k, T(1));
    return e;
}

/// What a method is for: symmetric where it must be; small for LSMR, whose steps are many.
ddla::csr_matrix<double> system_for(method m)
{
    if (test::needs_symmetry(m))
        return test::with_uneven_diagonal(ddla::generate::poisson3d(10, 11, 12));
    if (m == method::lsmr) return ddla::generate::convection_diffusion(4, 5, 6);
    return test::with_uneven_diagonal(ddla::generate::convection_diffusion(10, 11, 12));
}

}  // namespace

TEMPLATE_TEST_CASE("methods converge, with and without Jacobi", "[solvers]", test::double_double,
                   test::dd_double, test::dd_dd)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    const double tolerance = sizeof(T) == 8 ? 1e-12 : 1e-26;
    for (const method m : test::methods_tested_together())
        for (const auto k : {preconditioning::none, preconditioning::jacobi}) {
            if (test::takes_any_shape(m) && k != preconditioning::none) continue;
            INFO(to_string(m) << ", " << to_string(k));
            const auto a = test::with_values<V>(system_for(m));
            auto x = test::random_vector<T>(a.rows(), 161, 0);
            const auto b = test::random_vector<T>(a.rows(), 162, 0);
            const auto report = solve_at_every_interval(
                a, b, x, {.method = m, .precond = k, .tolerance = tolerance});
            CHECK(report.status == solve_status::converged);
            CHECK(report.true_relative_residual <= 100 * tolerance);
            if (m != method::lsmr) CHECK(report.true_relative_residual <= tolerance);
            CHECK(report.history.size() == std::size_t(report.iterations) + 1);
            CHECK(test::same_bits(report.history.back(), report.relative_residual));
            CHECK(report.breakdown.empty());
        }
}

TEMPLATE_TEST_CASE("methods at the iteration limit", "[solvers]", double, dd_real)
{
    for (const method m : test::methods_tested_together())
        for (const index_t limit : {0, 1, 5}) {
            INFO(to_string(m) << ", " << limit);
            const auto a = system_for(m);
            ddla::vector<TestType> x(a.rows());
            const auto report =
                solve_at_every_interval(a, test::random_vector<TestType>(a.rows(), 164, 0), x,
                                        {.method = m, .max_iterations = limit});
            CHECK(report.status == solve_status::iteration_limit);
            CHECK(report.iterations == limit);
            CHECK(report.history.size() == std::size_t(limit) + 1);
            CHECK(report.history.front() == 1);
            CHECK(report.true_relative_residual == Approx(report.relative_residual).epsilon(1e-9));
        }
}

TEMPLATE_TEST_CASE("larger l and s need fewer iterations", "[solvers]", double, dd_real)
{
    const auto a = ddla::generate::convection_diffusion(9, 9, 9);
    const auto b = test::random_vector<TestType>(a.rows(), 165, 0);
    const auto iterations = [&](solve_options o) {
        ddla::vector<TestType> x(a.rows());
        const auto report = solve_at_every_interval(a, b, x, o);
        CHECK(report.status == solve_status::converged);
        return report.iterations;
    };
    CHECK(iterations({.method = method::bicgstabl, .l = 1}) >
          iterations({.method = method::bicgstabl, .l = 4}));
    CHECK(iterations({.method = method::idr, .s = 1}) >
          iterations({.method = method::idr, .s = 8}));
}

TEMPLATE_TEST_CASE("BiCGStab(2) takes eigenvalues that BiCGStab hardly can", "[solvers]", double,
                   dd_real)
{
    // A linear polynomial in A, with real coefficients, makes little of these smaller: BiCGStab
    // breaks down in double, and needs more than 300 iterations in DD.
    const auto a = test::rotations(30, 0.05, 0.05);
    const auto b = test::random_vector<TestType>(a.rows(), 166, 0);
    ddla::vector<TestType> x(a.rows()), y(a.rows());
    const auto one =
        solve_at_every_interval(a, b, x, {.method = method::bicgstab, .max_iterations = 200});
    CHECK(one.status != solve_status::converged);
    const auto two = solve_at_every_interval(a, b, y, {.method = method::bicgstabl});
    CHECK(two.status == solve_status::converged);
    CHECK(two.iterations < 30);
}

TEMPLATE_TEST_CASE("methods: not finite names its scalar", "[solvers]", double, dd_real)
{
    using T = TestType;
    for (const method m : test::methods_tested_together()) {
        INFO(to_string(m));
        ddla::vector<T> x{1e308, 1};
        const auto start = solve_at_every_interval(matrix_of({{1e10, 0}, {0, 1}}),
                                                   ddla::vector<T>(2, T(1)), x, {.method = m});
        CHECK(start.status == solve_status::not_finite);
        CHECK(start.breakdown == "residual");
    }
    // A K^-1 overflows.
    for (const method m : {method::bicgstabl, method::idr}) {
        INFO(to_string(m));
        ddla::vector<T> y(2);
        const auto report = solve_at_every_interval(
            matrix_of({{0x1p-600, 0x1p600}, {0, 1}}), ddla::vector<T>(2, T(1)), y,
            {.method = m, .precond = preconditioning::jacobi, .l = 1, .s = 1});
        CHECK(report.status == solve_status::not_finite);
        CHECK(report.breakdown == "omega");
    }
}

TEST_CASE("methods refine what their recurrence only claims", "[solvers]")
{
    // Far beyond what one run of the recurrence reaches in double.
    const auto a = ddla::generate::poisson2d(30, 30);
    const auto b = test::random_vector<double>(a.rows(), 168, 0);
    for (const method m : {method::bicgstabl, method::minres, method::idr}) {
        INFO(to_string(m));
        const auto solved = [&](double tolerance) {
            ddla::vector<double> x(a.rows());
            return solve_at_every_interval(a, b, x, {.method = m, .tolerance = tolerance});
        };
        CHECK(solved(3e-15).status == solve_status::converged);
        const auto claimed = solved(1e-17);
        CHECK(claimed.status == solve_status::stagnated);
        CHECK(claimed.true_relative_residual > 1e-17);
        CHECK(claimed.true_relative_residual < 3e-15);
    }
}

TEMPLATE_TEST_CASE("methods: a power of two on A or b changes no bit but the answer's exponent",
                   "[solvers]", double, dd_real)
{
    using vector = ddla::vector<TestType>;
    for (const method m : test::methods_tested_together()) {
        INFO(to_string(m));
        const auto a = m == method::lsmr ? ddla::generate::convection_diffusion(3, 4, 5)
                                         : ddla::generate::poisson3d(6, 6, 6);
        const auto b = test::random_vector<TestType>(a.rows(), 169, 0);
        test::check_powers_of_two(a, b, {-260, 90, 500}, {-400, 400},
                                  [&](const auto& scaled_a, const vector& scaled_b, vector& x) {
                                      return solve_at_every_interval(
                                          scaled_a, scaled_b, x, {.method = m, .tolerance = 1e-10});
                                  });
    }
}

TEMPLATE_TEST_CASE("methods: an interrupted solve leaves the x of its iterations", "[solvers]",
                   double, dd_real)
{
    const ddla::place at = place_under_test();
    const auto a = ddla::generate::poisson2d(20, 20).to(at);
    const ddla::vector<TestType> b(400, TestType(1), at);
    for (const method m : test::methods_tested_together()) {
        INFO(to_string(m));
        ddla::vector<TestType> x(400, at), y(400, at);
        solve_options options{.method = m, .check_every = 2};
        options.watch = [&](const ddla::solve_progress& p) { return p.iterations < 4; };
        const auto report = ddla::solve(a, b, x, options);
        CHECK(report.interrupted);
        CHECK(report.iterations == 4);
        const auto limited = ddla::solve(a, b, y, {.method = m, .max_iterations = 4});
        CHECK(limited.solution_hash == report.solution_hash);
    }
}

TEMPLATE_TEST_CASE("methods for b = 0, a good guess and no rows", "[solvers]", double, dd_real)
{
    for (const method m : test::methods_tested_together()) {
        INFO(to_string(m));
        const solve_options options{.method = m};
        ddla::vector<TestType> guess{5, 6};
        const auto two = matrix_of({{2, 0}, {0, 2}});
        CHECK(solve_at_every_interval(two, ddla::vector<TestType>(2), guess, options).status ==
              solve_status::converged);
        CHECK(guess[1] == TestType(0));
        ddla::vector<TestType> exact{1, 2};
        const auto report =
            solve_at_every_interval(two, ddla::vector<TestType>{2, 4}, exact, options);
        CHECK(report.iterations == 0);
        CHECK(exact[1] == TestType(2));
        ddla::vector<TestType> zero(2);
        CHECK(solve_at_every_interval(two, ddla::vector<TestType>{2, 4}, zero, options).status ==
              solve_status::converged);
        CHECK(std::abs(double(zero[1]) - 2) < 1e-12);
        ddla::vector<TestType> nothing(0);
        CHECK(solve_at_every_interval(matrix_of({}), nothing, nothing, options).status ==
              solve_status::converged);
    }
}

TEMPLATE_TEST_CASE("LSMR: least squares of rectangular and singular systems", "[solvers]", double,
                   dd_real)
{
    using T = TestType;
    const double tolerance = sizeof(T) == 8 ? 1e-12 : 1e-25;
    const auto solved = [&](const ddla::csr_matrix<double>& a, const ddla::vector<T>& b,
                            ddla::vector<T>& x) {
        const auto report =
            solve_at_every_interval(a, b, x, {.method = method::lsmr, .tolerance = tolerance});
        CHECK(report.status == solve_status::converged);
        CHECK(report.goal == ddla::solve_goal::least_squares);
        REQUIRE(report.normal_residual);
        CHECK((*report.normal_residual <= tolerance || report.true_relative_residual <= tolerance));
        return report;
    };
    // A line through (0, 1), (1, 3), (2, 4), (3, 4): 3/2 + x, by hand.
    ddla::coordinates<double> line{.rows = 4, .columns = 2};
    for (index_t i = 0; i < 4; ++i) {
        line.add(i, 0, 1.0);
        line.add(i, 1, static_cast<double>(i));
    }
    ddla::vector<T> fit(2);
    const auto of_line = solved(ddla::csr_matrix<double>(line), {1, 3, 4, 4}, fit);
    CHECK(of_line.iterations <= 3);
    CHECK(std::abs(double(fit[0] - T(1.5))) < 1e-11);
    CHECK(std::abs(double(fit[1] - T(1))) < 1e-11);
    CHECK(of_line.true_relative_residual == Approx(std::sqrt(1.0 / 42)));
    // Singular, b out of reach: the answer of least norm.
    ddla::vector<T> least(3);
    solved(matrix_of({{1, 1, 0}, {1, 1, 0}, {0, 0, 0}}), {1, 3, 5}, least);
    CHECK(std::abs(double(least[0] - T(1))) < 1e-11);
    CHECK(std::abs(double(least[1] - T(1))) < 1e-11);
    CHECK(least[2] == T(0));
    // b orthogonal to the range: no step at all.
    ddla::vector<T> none(2);
    CHECK(solved(matrix_of({{1, 0}, {0, 0}}), {0, 1}, none).iterations == 0);
    CHECK(none[0] == T(0));
    // More columns than rows: an x of least norm solves it.
    const auto wide = test::random_matrix<double>(40, 90, 170, [](index_t) { return 7; });
    ddla::vector<T> x(90);
    solved(wide, test::random_vector<T>(40, 171, 0), x);
    const auto tall = test::random_matrix<double>(200, 50, 172, [](index_t) { return 5; });
    ddla::vector<T> y(50);
    CHECK(solved(tall, test::random_vector<T>(200, 173, 0), y).true_relative_residual > 0.1);
}

TEST_CASE("methods refuse what they cannot do", "[solvers]")
{
    const ddla::place at = place_under_test();
    const auto a = matrix_of({{2, 1}, {0, 3}}).to(at);
    const ddla::vector<double> b(2, 1.0, at);
    ddla::vector<double> x(2, at);
    CHECK_THROWS_WITH(ddla::solve(a, b, x, {.method = method::bicgstabl, .l = 0}),
                      "solve: l must be from 1 to 16, not 0");
    CHECK_THROWS_WITH(ddla::solve(a, b, x, {.method = method::idr, .s = 65}),
                      "solve: s must be from 1 to 64, not 65");
    CHECK_THROWS_WITH(
        ddla::solve(a, b, x, {.method = method::lsmr, .precond = preconditioning::jacobi}),
        "solve: LSMR takes no preconditioner");
    const auto op = test::operator_by_function<double>(a);
    CHECK_THROWS_WITH(ddla::solve(op, b, x, {.method = method::lsmr}),
                      "solve: LSMR needs products with the transpose, A is a function");
    ddla::vector<double> three(3, at);
    CHECK_THROWS_AS(ddla::solve(a, b, three, {.method = method::lsmr}), ddla::input_error);
}

TEMPLATE_TEST_CASE("methods: an operator has the bits of its matrix", "[solvers]", double, dd_real)
{
    using T = TestType;
    const ddla::place at = place_under_test();
    const auto a = ddla::generate::poisson2d(17, 15).to(at);
    const auto b = test::random_vector<T>(a.rows(), 174, 0).to(at);
    for (const method m : test::methods_tested_together()) {
        INFO(to_string(m));
        const solve_options options{.method = m, .max_iterations = 9};
        const auto hash = [&](const auto& matrix) {
            ddla::vector<T> x(a.rows(), at);
            return ddla::solve(matrix, b, x, options).solution_hash;
        };
        const auto plain = hash(a);
        CHECK(hash(ddla::linear_operator<T>(a)) == plain);
        if (m != method::lsmr) CHECK(hash(test::operator_by_function<T>(a)) == plain);
    }
}
