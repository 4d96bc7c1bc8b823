// Solves on the device: the same iterates, history, end and report as on the host.
#include "solves.hpp"
#include "support/operands.hpp"
#include "support/shapes.hpp"

#include "ddla/generate.hpp"

using ddla::dd_real;
using ddla::index_t;
using ddla::method;
using ddla::preconditioner;
using ddla::solve_options;
using ddla::solve_report;
using ddla::solve_status;
using test::dd_dd;
using test::dd_double;
using test::double_double;
using test::gpu;
using test::matrix_of;
using test::with_uneven_diagonal;
using test::with_values;

namespace {

/// Solve on the host, then in several ways on the device; the report of the host.
template <class T, class V>
solve_report compare(const ddla::csr_matrix<V>& a, const ddla::vector<T>& b,
                     const ddla::vector<T>& guess, const solve_options& options = {},
                     const std::vector<test::way>& ways = test::every_way())
{
    return test::compare_solve(a, b, guess, options, ways);
}

template <class T>
ddla::vector<T> ones(index_t n)
{
    return ddla::vector<T>(n, T(1));
}

}  // namespace

TEMPLATE_TEST_CASE("BiCGStab and CG, with and without Jacobi", "[device]", double_double, dd_double,
                   dd_dd)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    const double tolerance = sizeof(T) == 8 ? 1e-12 : 1e-26;
    const auto symmetric = with_values<V>(with_uneven_diagonal(ddla::generate::poisson2d(23, 19)));
    const auto unsymmetric =
        with_values<V>(with_uneven_diagonal(ddla::generate::convection_diffusion(20, 21, 22)));
    for (const auto k : {preconditioner::none, preconditioner::jacobi}) {
        const auto b = test::random_vector<T>(symmetric.rows(), 1, 0);
        CHECK(compare<T>(symmetric, b, ddla::vector<T>(b.size()),
                         {.method = method::cg, .precond = k, .tolerance = tolerance})
                  .status == solve_status::converged);
        const auto c = test::random_vector<T>(unsymmetric.rows(), 2, 0);
        const auto guess = test::random_vector<T>(unsymmetric.rows(), 3, 0);
        CHECK(compare<T>(unsymmetric, c, guess, {.precond = k, .tolerance = tolerance}).status ==
              solve_status::converged);
    }
}

TEMPLATE_TEST_CASE("every end", "[device]", double, dd_real)
{
    using T = TestType;
    const auto end = [](const ddla::csr_matrix<double>& a, const ddla::vector<T>& b,
                        const solve_options& options) {
        return compare<T>(a, b, ddla::vector<T>(a.rows()), options);
    };
    const auto grid = ddla::generate::poisson2d(20, 20);
    for (const index_t limit : {0, 1, 7, 8, 9})
        CHECK(end(grid, ones<T>(400), {.max_iterations = limit}).status ==
              solve_status::iteration_limit);
    const auto rotation = matrix_of({{0, 1}, {-1, 0}});
    CHECK(end(rotation, {1, 0}, {}).breakdown == "(r0, v)");
    CHECK(end(rotation, {1, 1}, {.method = method::cg}).breakdown == "(p, A p)");
    CHECK(end(matrix_of({{1, 1}, {1, 0}}), {1, 0}, {}).breakdown == "omega");
    CHECK(end(matrix_of({{1, 0, 0}, {1, 1, 0}, {0, 1, 1}}), {1, 0, 0}, {}).breakdown == "rho");
    // Near the ends of the range, whatever they lead to.
    end(matrix_of({{1e200, 0}, {0, 1e-200}}), {1, 1}, {});
    end(matrix_of({{1e300, 1e300}, {-1e300, 1e-300}}), {1, 1}, {});
    end(matrix_of({{1e200, 1}, {1, 1e-200}}), {1, 1}, {.method = method::cg});
    CHECK(end(matrix_of({{2, 0, 0}, {0, 2, 0}, {0, 0, 2}}), {2, 4, 6}, {}).iterations == 1);
    CHECK(end(grid, ddla::vector<T>(400), {}).status == solve_status::converged);
    CHECK(end(matrix_of({}), {}, {}).status == solve_status::converged);
}

TEST_CASE("stagnated", "[device]")
{
    const index_t n = 200;
    ddla::coordinates<double> c{.rows = n, .columns = n};
    const double band[] = {1, -4, 6, -4, 1};
    for (index_t i = 0; i < n; ++i)
        for (index_t j = std::max<index_t>(0, i - 2); j <= std::min(n - 1, i + 2); ++j)
            c.add(i, j, band[j - i + 2]);
    const ddla::csr_matrix<double> a(c);
    const auto report = compare<double>(
        a, test::random_vector<double>(n, 41, 0), ddla::vector<double>(n),
        {.method = method::cg, .tolerance = 1e-15, .max_iterations = 100000}, test::few_ways());
    CHECK(report.status == solve_status::stagnated);
}

TEMPLATE_TEST_CASE("right-hand sides whose squares overflow or vanish", "[device]", double, dd_real)
{
    const auto a = ddla::generate::convection_diffusion(6, 6, 6);
    const auto b = test::random_vector<TestType>(a.rows(), 42, 0);
    for (const int e : {-850, 90, 1000})
        CHECK(compare<TestType>(a, test::scaled(b, e), ddla::vector<TestType>(a.rows())).status ==
              solve_status::converged);
}

TEMPLATE_TEST_CASE("watch sees the solve and can end it", "[device]", double, dd_real)
{
    const auto a = ddla::generate::poisson2d(20, 20).to(gpu);
    ddla::vector<TestType> x(400, gpu);
    std::vector<std::int64_t> seen;
    solve_options options{.max_iterations = 1000, .check_every = 5};
    options.watch = [&](const ddla::solve_progress& p) {
        seen.push_back(p.iterations);
        return p.iterations < 15;
    };
    const auto report = ddla::solve(a, ones<TestType>(400).to(gpu), x, options);
    CHECK(report.interrupted);
    CHECK(report.iterations == 15);
    CHECK(seen == std::vector<std::int64_t>{0, 5, 10, 15});
}
