// How solves by FGMRES and solves with objects end, one text for every place.
#include "support/function_maps.hpp"
#include "support/operands.hpp"
#include "support/powers_of_two.hpp"
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
using test::solve_in_every_way;

namespace {

/// e_i goes to e_i+1, the last one to e_0.
ddla::csr_matrix<double> shift(index_t n)
{
    ddla::coordinates<double> c{.rows = n, .columns = n};
    for (index_t i = 0; i < n; ++i) c.add((i + 1) % n, i, 1.0);
    return ddla::csr_matrix<double>(c);
}

template <class T>
ddla::vector<T> unit(index_t n)
{
    ddla::vector<T> e(n);
    e.set(0, T(1));
    return e;
}

}  // namespace

TEMPLATE_TEST_CASE("FGMRES converges, restarted and not, with and without Jacobi", "[solvers]",
                   DDLA_PAIRS_OF_MANY)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    const double tolerance = sizeof(T) == 8 ? 1e-12 : 1e-26;
    const auto a = test::with_values<V>(
        test::with_uneven_diagonal(ddla::generate::convection_diffusion(10, 11, 12)));
    for (const auto k : {preconditioning::none, preconditioning::jacobi})
        for (const int m : {12, 1000}) {
            INFO(to_string(k) << ", " << m);
            auto x = test::random_vector<T>(a.rows(), 61, 0);
            const auto b = test::random_vector<T>(a.rows(), 62, 0);
            const auto report = solve_in_every_way(
                a, b, x,
                {.method = method::fgmres, .precond = k, .tolerance = tolerance, .restart = m});
            CHECK(report.status == solve_status::converged);
            CHECK(report.true_relative_residual <= tolerance);
            CHECK(report.history.size() == std::size_t(report.iterations) + 1);
            CHECK(test::same_bits(report.history.back(), report.relative_residual));
            CHECK(report.breakdown.empty());
        }
}

TEMPLATE_TEST_CASE("the residual of FGMRES never grows within a cycle", "[solvers]", double,
                   dd_real)
{
    const auto a = ddla::generate::convection_diffusion(8, 8, 8);
    ddla::vector<TestType> x(a.rows());
    const auto report =
        solve_in_every_way(a, test::random_vector<TestType>(a.rows(), 63, 0), x,
                           {.method = method::fgmres, .tolerance = 1e-10, .restart = 20});
    REQUIRE(report.status == solve_status::converged);
    for (std::size_t k = 1; k < report.history.size(); ++k)
        CHECK(report.history[k] <= report.history[k - 1] * (1 + 1e-12));
}

TEMPLATE_TEST_CASE("FGMRES at the iteration limit", "[solvers]", double, dd_real)
{
    const auto a = ddla::generate::poisson2d(20, 20);
    for (const index_t limit : {0, 1, 7, 8, 9, 16, 17}) {
        ddla::vector<TestType> x(a.rows());
        const auto report =
            solve_in_every_way(a, test::random_vector<TestType>(a.rows(), 64, 0), x,
                               {.method = method::fgmres, .max_iterations = limit, .restart = 8});
        CHECK(report.status == solve_status::iteration_limit);
        CHECK(report.iterations == limit);
        CHECK(report.history.size() == std::size_t(limit) + 1);
        CHECK(report.history.front() == 1);
        // x has all iterations: what is recomputed is what the recurrence says.
        CHECK(report.true_relative_residual == Approx(report.relative_residual).epsilon(1e-9));
    }
}

TEMPLATE_TEST_CASE("FGMRES finds the answer where the basis is complete", "[solvers]", double,
                   dd_real)
{
    // w = 0 after as many iterations as there are eigenvalues.
    const auto two = matrix_of({{2, 0, 0}, {0, 2, 0}, {0, 0, 4}});
    ddla::vector<TestType> x(3);
    const auto report = solve_in_every_way(two, ddla::vector<TestType>{4, 0, 0}, x,
                                           {.method = method::fgmres, .tolerance = 0});
    CHECK(report.status == solve_status::converged);
    CHECK(report.iterations == 1);
    CHECK(report.true_relative_residual == 0);
    CHECK(x[0] == TestType(2));
    // All of the space: GMRES needs n iterations for a shift, and a cycle of n.
    ddla::vector<TestType> y(7);
    const auto whole = solve_in_every_way(shift(7), unit<TestType>(7), y,
                                          {.method = method::fgmres, .restart = 100});
    CHECK(whole.status == solve_status::converged);
    CHECK(whole.iterations == 7);
    CHECK(y[6] == TestType(1));
}

TEMPLATE_TEST_CASE("FGMRES ends where a cycle brings nothing", "[solvers]", double, dd_real)
{
    ddla::vector<TestType> x(7);
    const auto report = solve_in_every_way(shift(7), unit<TestType>(7), x,
                                           {.method = method::fgmres, .restart = 6});
    CHECK(report.status == solve_status::stagnated);
    CHECK(report.iterations == 6);
    CHECK(report.true_relative_residual == 1);
}

TEMPLATE_TEST_CASE("FGMRES breaks down where A is singular and b is out of reach", "[solvers]",
                   double, dd_real)
{
    ddla::vector<TestType> x(2);
    const auto report = solve_in_every_way(
        matrix_of({{0, 1}, {0, 0}}), ddla::vector<TestType>{0, 1}, x, {.method = method::fgmres});
    CHECK(report.status == solve_status::breakdown);
    CHECK(report.breakdown == "r(j, j)");
    CHECK(report.iterations == 1);
    // In reach: the same matrix has answers.
    ddla::vector<TestType> y(2);
    const auto consistent = solve_in_every_way(
        matrix_of({{1, 0}, {0, 0}}), ddla::vector<TestType>{4, 0}, y, {.method = method::fgmres});
    CHECK(consistent.status == solve_status::converged);
    CHECK(y[0] == TestType(4));
}

TEMPLATE_TEST_CASE("FGMRES: not finite names its scalar", "[solvers]", double, dd_real)
{
    ddla::vector<TestType> x{1e308, 1};
    const ddla::vector<TestType> b(2, TestType(1));
    const auto start =
        solve_in_every_way(matrix_of({{1e10, 0}, {0, 1}}), b, x, {.method = method::fgmres});
    CHECK(start.status == solve_status::not_finite);
    CHECK(start.breakdown == "residual");
    // A K^-1 overflows.
    ddla::vector<TestType> y(2);
    const auto h =
        solve_in_every_way(matrix_of({{0x1p-1000, 0x1p1000}, {1, -1}}), b, y,
                           {.method = method::fgmres, .precond = preconditioning::jacobi});
    CHECK(h.status == solve_status::not_finite);
    CHECK(h.breakdown == "h(j+1, j)");
    CHECK(h.iterations == 0);
    CHECK(y[0] == TestType(0));
}

TEST_CASE("FGMRES refines what its recurrence only claims", "[solvers][repeats]")
{
    // Near what double can reach: after a false claim another cycle gets there, or the solve ends.
    const auto a = ddla::generate::poisson2d(30, 30);
    const auto b = test::random_vector<double>(a.rows(), 65, 0);
    const auto solved = [&](double tolerance) {
        ddla::vector<double> x(a.rows());
        const auto report = solve_in_every_way(
            a, b, x, {.method = method::fgmres, .tolerance = tolerance, .restart = 400});
        bool has_grown = false;
        for (std::size_t k = 1; k < report.history.size(); ++k)
            has_grown = has_grown || report.history[k] > 1.1 * report.history[k - 1];
        CHECK(has_grown);
        CHECK(report.relative_residual <= tolerance);
        return report;
    };
    CHECK(solved(3e-15).status == solve_status::converged);
    const auto claimed = solved(3e-16);
    CHECK(claimed.status == solve_status::stagnated);
    CHECK(claimed.true_relative_residual > 3e-16);
    CHECK(claimed.true_relative_residual < 3e-15);
}

TEMPLATE_TEST_CASE("FGMRES: a power of two on A or b changes no bit but the answer's exponent",
                   "[solvers]", double, dd_real)
{
    using vector = ddla::vector<TestType>;
    const auto a = ddla::generate::convection_diffusion(6, 6, 6);
    const auto b = test::random_vector<TestType>(a.rows(), 66, 0);
    const solve_options options{.method = method::fgmres, .tolerance = 1e-10, .restart = 15};
    test::check_powers_of_two(a, b, {-850, -260, 90, 500, 1000}, {-700, -400, 400, 700},
                              [&](const auto& scaled_a, const vector& scaled_b, vector& x) {
                                  return solve_in_every_way(scaled_a, scaled_b, x, options);
                              });
}

TEMPLATE_TEST_CASE("FGMRES: an interrupted solve leaves the x of its iterations", "[solvers]",
                   double, dd_real)
{
    const ddla::place at = place_under_test();
    const auto a = ddla::generate::poisson2d(20, 20).to(at);
    const ddla::vector<TestType> b(400, TestType(1), at);
    for (const int m : {4, 100}) {
        ddla::vector<TestType> x(400, at), y(400, at);
        std::vector<std::int64_t> seen;
        solve_options options{.method = method::fgmres, .restart = m, .check_every = 5};
        options.watch = [&](const ddla::solve_progress& p) {
            seen.push_back(p.iterations);
            return p.iterations < 15;
        };
        const auto report = ddla::solve(a, b, x, options);
        CHECK(report.status == solve_status::iteration_limit);
        CHECK(report.interrupted);
        CHECK(report.iterations == 15);
        CHECK(seen == std::vector<std::int64_t>{0, 5, 10, 15});
        const auto limited =
            ddla::solve(a, b, y, {.method = method::fgmres, .max_iterations = 15, .restart = m});
        CHECK(limited.solution_hash == report.solution_hash);
    }
}

TEMPLATE_TEST_CASE("FGMRES for b = 0, a good guess and no rows", "[solvers]", double, dd_real)
{
    const solve_options options{.method = method::fgmres};
    ddla::vector<TestType> guess{5, 6};
    const auto two = matrix_of({{2, 0}, {0, 2}});
    CHECK(solve_in_every_way(two, ddla::vector<TestType>(2), guess, options).status ==
          solve_status::converged);
    CHECK(guess[1] == TestType(0));
    ddla::vector<TestType> exact{1, 2};
    const auto report = solve_in_every_way(two, ddla::vector<TestType>{2, 4}, exact, options);
    CHECK(report.iterations == 0);
    CHECK(exact[1] == TestType(2));
    ddla::vector<TestType> nothing(0);
    CHECK(solve_in_every_way(matrix_of({}), nothing, nothing, options).status ==
          solve_status::converged);
}

TEMPLATE_TEST_CASE("a preconditioner may change from iteration to iteration", "[solvers]", double,
                   dd_real)
{
    // A few iterations of FGMRES as the preconditioner of FGMRES, on the host.
    const ddla::place at = place_under_test();
    const auto a = ddla::generate::convection_diffusion(8, 9, 10);
    const ddla::preconditioner<TestType> inner(
        "FGMRES", a.rows(), [&](ddla::vec<const TestType> r, ddla::vec<TestType> z) {
            ddla::vector<TestType> b(r.size), x(r.size);
            for (index_t i = 0; i < r.size; ++i) b.set(i, r.get(i));
            ddla::solve(a, b, x,
                        {.method = method::fgmres, .tolerance = 1e-2, .max_iterations = 7});
            for (index_t i = 0; i < r.size; ++i) z.set(i, x[i]);
        });
    ddla::vector<TestType> x(a.rows(), at), y(a.rows());
    const auto b = test::random_vector<TestType>(a.rows(), 67, 0);
    const auto there = ddla::solve(a.to(at), inner, b.to(at), x, {.method = method::fgmres});
    const auto here = ddla::solve(a, inner, b, y, {.method = method::fgmres});
    CHECK(there.status == solve_status::converged);
    CHECK(there.iterations < 20);
    CHECK(there.solution_hash == here.solution_hash);
}

TEST_CASE("objects apply themselves, and tell what they are", "[solvers]")
{
    const ddla::place at = place_under_test();
    const auto a = matrix_of({{4, 1}, {0, 0.5}}), a_there = a.to(at);
    const auto x = ddla::vector<double>{2, 3}.to(at);
    ddla::vector<double> y(2, at);
    const auto is = [&](double first, double second) {
        const auto y_here = y.to(ddla::host);
        return y_here[0] == first && y_here[1] == second;
    };
    const ddla::linear_operator<double> matrix(a_there);
    CHECK(matrix.rows() == 2);
    CHECK(matrix.columns() == 2);
    CHECK(matrix.where() == at);
    matrix.apply(x, y);
    CHECK(is(11, 1.5));
    test::operator_by_function<double>(a_there).apply(x, y);
    CHECK(is(11, 1.5));
    const auto k = ddla::preconditioner<double>::jacobi(a_there);
    CHECK(k.name() == "jacobi");
    CHECK(k.size() == 2);
    CHECK(k.where() == at);
    CHECK(k.built().bytes == 16);
    CHECK(k.built().smallest_pivot == 0.5);
    CHECK(k.built().seconds > 0);
    k.apply(x, y);
    CHECK(is(0.5, 6));
    const ddla::preconditioner<double> none;
    CHECK(none.is_none());
    none.apply(x, y);
    CHECK(is(2, 3));
    ddla::vector<double> three(3, at);
    CHECK_THROWS_AS(k.apply(x, three), ddla::input_error);
    CHECK_THROWS_AS(none.apply(x, three), ddla::input_error);
    CHECK_THROWS_AS(matrix.apply(three, y), ddla::input_error);
    CHECK_THROWS_AS(matrix.apply(y, y), ddla::input_error);
}

TEST_CASE("objects that do not fit are refused", "[solvers]")
{
    const ddla::place at = place_under_test();
    const auto a = matrix_of({{2, 1}, {0, 3}}).to(at);
    const ddla::vector<double> b(2, 1.0, at);
    ddla::vector<double> x(2, at);
    const auto k = ddla::preconditioner<double>::jacobi(a);
    const auto op = test::operator_by_function<double>(a);
    CHECK_THROWS_WITH(ddla::solve(a, k, b, x, {.precond = preconditioning::jacobi}),
                      "solve: jacobi and a preconditioner object are one preconditioner too many");
    CHECK_THROWS_WITH(ddla::solve(op, b, x, {.precond = preconditioning::jacobi}),
                      "solve: Jacobi needs a matrix, A is a function");
    CHECK_THROWS_WITH(ddla::solve(op, b, x, {.method = method::fgmres, .restart = 0}),
                      "solve: restart must be at least 1, not 0");
    const auto three =
        ddla::preconditioner<double>::jacobi(matrix_of({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}).to(at));
    CHECK_THROWS_WITH(ddla::solve(a, three, b, x), "solve: the preconditioner has 3 elements, b 2");
    CHECK_THROWS_WITH(ddla::preconditioner<double>::jacobi(matrix_of({{1, 1}, {1, 0}}).to(at)),
                      "solve: Jacobi needs a diagonal without zeros, row 2 of A has none");
    using function = ddla::host_function<double>;
    CHECK_THROWS_WITH(ddla::linear_operator<double>(2, 2, function()),
                      "linear_operator: the function is empty");
    CHECK_THROWS_AS(ddla::linear_operator<double>(-1, 2, [](auto, auto) {}), ddla::input_error);
    CHECK_THROWS_AS(ddla::preconditioner<double>("of none", -1, [](auto, auto) {}),
                    ddla::input_error);
    const ddla::linear_operator<double> wide(2, 3, [](auto, auto) {});
    CHECK_THROWS_WITH(ddla::solve(wide, b, x), "solve: the matrix is 2 x 3, not square");
}

TEST_CASE("what a function throws comes out of the solve", "[solvers]")
{
    const ddla::place at = place_under_test();
    int calls = 0;
    const ddla::linear_operator<double> failing(2, 2, [&](auto, ddla::vec<double> y) {
        if (++calls == 3) throw std::runtime_error("no more");
        y.set(0, 2), y.set(1, calls);
    });
    const ddla::vector<double> b(2, 1.0, at);
    ddla::vector<double> x(2, at);
    for (const method m : {method::fgmres, method::bicgstab}) {
        calls = 0;
        CHECK_THROWS_WITH(ddla::solve(failing, b, x, {.method = m}), "no more");
    }
}

TEST_CASE("bases that do not fit into memory are refused", "[solvers]")
{
#if defined(__SANITIZE_ADDRESS__)
    SKIP_CASE("AddressSanitizer ends programs that ask for so much");
#else
    // 2 10^14 bytes, more than addresses reach.
    const ddla::place at = place_under_test();
    const index_t n = 5'000'000;
    const ddla::vector<double> b(n, 1.0, at);
    ddla::vector<double> x(n, at);
    const ddla::linear_operator<double> twice(n, n,
                                              [](ddla::vec<const double> v, ddla::vec<double> w) {
                                                  for (index_t i = 0; i < v.size; ++i)
                                                      w.set(i, 2 * v.get(i));
                                              });
    const solve_options options{.method = method::fgmres, .max_iterations = n, .restart = 1000 * n};
    try {
        ddla::solve(twice, b, x, options);
        FAIL("so much memory is there?");
    } catch (const ddla::resource_error& e) {
        const std::string message = e.what();
        INFO(message);
        CHECK(message.find("out of memory") != message.npos);
        CHECK(message.find("choose a restart below 5000000000") != message.npos);
    }
#endif
}
