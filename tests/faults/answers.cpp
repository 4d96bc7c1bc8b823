// Each allocation of automatic solves and checks fails once: factors, refinement, bounds, ranks.
#include "catch.hpp"
#include "support/failing.hpp"

#include "ddla/check.hpp"
#include "ddla/generate.hpp"
#include "ddla/host_threads.hpp"
#include "ddla/report_json.hpp"
#include "ddla/solve.hpp"

using ddla::dd_real;
using test::fail_each_allocation;

namespace {

const ddla::csr_matrix<double>& grid()
{
    static const auto a = ddla::generate::convection_diffusion(5, 4, 4);
    return a;
}

template <class T>
std::uint64_t solved(const ddla::csr_matrix<double>& a, const ddla::solve_options& o)
{
    const ddla::vector<T> b(a.rows(), T(1));
    ddla::vector<T> x(a.columns());
    const auto report = ddla::solve(a, b, x, o);
    return report.solution_hash + static_cast<std::uint64_t>(report.status);
}

/// Row 2 is row 0 plus row 1.
ddla::csr_matrix<double> singular()
{
    return {3, 3, {0, 2, 4, 7}, {0, 1, 1, 2, 0, 1, 2}, {1.0, 2.0, 3.0, 4.0, 1.0, 5.0, 4.0}};
}

}  // namespace

TEMPLATE_TEST_CASE("each allocation of an automatic solve fails once", "[faults]", double, dd_real)
{
    ddla::set_host_threads(2);
    using ddla::method;
    for (const bool certify : {false, true})
        for (const method m : {method::automatic, method::refinement})
            fail_each_allocation(std::string(to_string(m)) + (certify ? ", certified" : ""), [=] {
                return solved<TestType>(grid(), {.method = m, .certify = certify});
            });
    fail_each_allocation("normwise",
                         [] { return solved<TestType>(grid(), {.digits = 14, .normwise = true}); });
}

TEST_CASE("each allocation of a solve that factors in double-double fails once", "[faults]")
{
    const auto hilbert = ddla::generate::hilbert_like<double>(12, 12);
    fail_each_allocation("Hilbert", [&] { return solved<dd_real>(hilbert, {}); });
    fail_each_allocation("Hilbert, certified",
                         [&] { return solved<dd_real>(hilbert, {.certify = true}); });
}

TEST_CASE("each allocation of least squares fails once", "[faults]")
{
    ddla::set_host_threads(2);
    const ddla::csr_matrix<double> line(4, 2, {0, 1, 3, 5, 7}, {0, 0, 1, 0, 1, 0, 1},
                                        {1.0, 1.0, 1.0, 1.0, 2.0, 1.0, 3.0});
    fail_each_allocation("L D L^T", [&] { return solved<dd_real>(line, {}); });
    // Equal rows leave a pivot of zero: LU.  Equal columns: LSMR.
    const ddla::csr_matrix<double> refused(3, 2, {0, 2, 4, 6}, {0, 1, 0, 1, 0, 1},
                                           {8.0, 8.0, 8.0, 8.0, 1.0, 2.0});
    fail_each_allocation("LU", [&] { return solved<dd_real>(refused, {}); });
    const ddla::csr_matrix<double> deficient(3, 2, {0, 2, 4, 6}, {0, 1, 0, 1, 0, 1},
                                             {1.0, 1.0, 2.0, 2.0, 3.0, 3.0});
    fail_each_allocation("LSMR", [&] { return solved<dd_real>(deficient, {}); });
}

TEST_CASE("each allocation of a solve in four words fails once", "[faults]")
{
    const ddla::vector<dd_real> b(grid().rows(), dd_real(1));
    for (const bool certify : {false, true})
        fail_each_allocation("four words", [&] {
            ddla::vector<dd_real> x(b.size()), low(b.size());
            const auto report = ddla::solve(grid(), b, x, low, {.digits = 50, .certify = certify});
            return report.solution_hash + ddla::hash_of(low);
        });
}

TEST_CASE("each allocation of finding a rank fails once", "[faults]")
{
    const auto a = singular();
    for (const double last : {3.0, 1.0})  // with a solution and without
        fail_each_allocation("rank", [&] {
            const ddla::vector<dd_real> b{1, 2, last};
            ddla::vector<dd_real> x(3);
            const auto report = ddla::solve(a, b, x);
            return static_cast<std::uint64_t>(report.rank->value) + 10 * report.rank->consistent;
        });
}

TEST_CASE("each allocation of automatic solves without factors fails once", "[faults]")
{
    ddla::set_host_threads(2);
    const auto a = ddla::generate::poisson2d(9, 8);
    const ddla::factorisation_options none{.most_work = 1e-9};
    fail_each_allocation("incomplete factors, level after level", [&] {
        return solved<dd_real>(a,
                               {.tolerance = 1e-40, .factorisation = none, .max_iterations = 20});
    });
    fail_each_allocation("two systems", [&] {
        const std::vector<ddla::vector<dd_real>> b(2, ddla::vector<dd_real>(a.rows(), 1.0));
        std::vector<ddla::vector<dd_real>> x(2, ddla::vector<dd_real>(a.rows()));
        return ddla::solve(a, b, x, {.factorisation = none, .max_iterations = 20})[1].solution_hash;
    });
}

TEST_CASE("each allocation of automatic solves of two systems fails once", "[faults]")
{
    const std::vector<ddla::vector<dd_real>> b(2, ddla::vector<dd_real>(grid().rows(), 1.0));
    fail_each_allocation("two systems", [&] {
        std::vector<ddla::vector<dd_real>> x(2, ddla::vector<dd_real>(grid().rows()));
        return ddla::solve(grid(), b, x, {.certify = true})[1].solution_hash;
    });
}

TEST_CASE("each allocation of checking an x fails once", "[faults]")
{
    const ddla::vector<dd_real> b(grid().rows(), dd_real(1));
    ddla::vector<dd_real> x(grid().rows());
    ddla::solve(grid(), b, x);
    x.set(7, x[7] * dd_real(1 + 0x1p-40));
    for (const bool certify : {false, true})
        fail_each_allocation(certify ? "certified" : "estimated", [&] {
            const auto found = ddla::check(grid(), b, x, {.certify = certify});
            return static_cast<std::uint64_t>(found.worst_five.front().index) + found.passed;
        });
    const ddla::vector<dd_real> low(grid().rows());
    fail_each_allocation("four words", [&] {
        return static_cast<std::uint64_t>(
            ddla::check(grid(), b, x, low, {}).worst_five.front().index);
    });
}

TEST_CASE("each allocation of a report as JSON fails once", "[faults]")
{
    const ddla::vector<dd_real> b(grid().rows(), dd_real(1));
    ddla::vector<dd_real> x(grid().rows());
    const auto report = ddla::solve(grid(), b, x, {.certify = true});
    fail_each_allocation("JSON", [&] {
        return static_cast<std::uint64_t>(std::hash<std::string>()(
            ddla::report_json(ddla::reported(grid()), {{.report = report}})));
    });
}
