// Each allocation of a solve by a Krylov method fails once.
#include "catch.hpp"
#include "support/failing.hpp"
#include "support/methods.hpp"

#include "ddla/generate.hpp"
#include "ddla/host_threads.hpp"
#include "ddla/solve.hpp"
#include "ddla/stream.hpp"

using ddla::dd_real;
using ddla::method;
using ddla::preconditioning;
using test::fail_each_allocation;

namespace {

/// Rows enough for two threads, and for blocks of 256 rows.
const ddla::csr_matrix<double>& grid()
{
    static const auto a = ddla::generate::convection_diffusion(12, 11, 10);
    return a;
}
const ddla::csr_matrix<double>& symmetric_grid()
{
    static const auto a = ddla::generate::poisson3d(9, 8, 7);
    return a;
}
const ddla::csr_matrix<double>& grid_for(method m)
{
    return test::needs_symmetry(m) ? symmetric_grid() : grid();
}

ddla::solve_options options_of(method m, preconditioning p)
{
    return {.method = m, .precond = p, .max_iterations = 5, .restart = 3, .record_history = true};
}

template <class T>
std::uint64_t solved(method m, preconditioning p)
{
    const auto& a = grid_for(m);
    const ddla::vector<T> b(a.rows(), T(1));
    ddla::vector<T> x(a.columns());
    return ddla::solve(a, b, x, options_of(m, p)).solution_hash;
}

/// Of a few rows: it takes ten times as many allocations.
template <class T>
std::uint64_t several_solved(method m, preconditioning p)
{
    static const auto a = ddla::generate::poisson2d(9, 8);
    std::vector<ddla::vector<T>> b, x(3, ddla::vector<T>(a.columns()));
    for (int j = 0; j < 3; ++j) b.emplace_back(a.rows(), T(1 + j));
    std::uint64_t hash = 0;
    for (const auto& report : ddla::solve(a, b, x, options_of(m, p)))
        hash = 3 * hash + report.solution_hash;
    return hash;
}

template <class Solve>
void fail_each(const Solve& solve)
{
    for (const method m : test::square_methods())
        for (const auto p : {preconditioning::none, preconditioning::jacobi}) {
            solve(m, p);
        }
    solve(method::lsmr, preconditioning::none);
}

}  // namespace

TEMPLATE_TEST_CASE("each allocation of a solve fails once", "[faults]", double, dd_real)
{
    ddla::set_host_threads(2);
    fail_each([](method m, preconditioning p) {
        fail_each_allocation(std::string(to_string(m)) + ", " + std::string(to_string(p)),
                             [=] { return solved<TestType>(m, p); });
    });
}

TEMPLATE_TEST_CASE("each allocation of a solve with several right-hand sides fails once",
                   "[faults]", double, dd_real)
{
    ddla::set_host_threads(2);
    fail_each([](method m, preconditioning p) {
        fail_each_allocation(std::string(to_string(m)) + ", " + std::string(to_string(p)),
                             [=] { return several_solved<TestType>(m, p); });
    });
}

TEST_CASE("each allocation of a solve on a stream fails once", "[faults]")
{
    ddla::set_host_threads(2);
    const ddla::vector<dd_real> b(grid().rows(), dd_real(1));
    for (const method m : {method::bicgstab, method::idr})
        fail_each_allocation(std::string(to_string(m)), [&] {
            ddla::stream on(ddla::host);
            ddla::vector<dd_real> x(grid().rows());
            return ddla::solve(on, grid().view(), b.view(), x.view(),
                               options_of(m, preconditioning::none))
                .solution_hash;
        });
}

TEST_CASE("each allocation of a solve by the caller's functions fails once", "[faults]")
{
    ddla::set_host_threads(2);
    const ddla::index_t n = grid().rows();
    const ddla::vector<dd_real> b(n, dd_real(1));
    for (const method m : {method::fgmres, method::bicgstab})
        fail_each_allocation(std::string(to_string(m)), [&] {
            const ddla::linear_operator<dd_real> a(n, n, [](auto x, auto y) {
                for (ddla::index_t i = 0; i < x.size; ++i) y.set(i, x.get(i) * 2.5);
                if (x.size > 1) y.set(0, x.get(0) + x.get(1));
            });
            const ddla::preconditioner<dd_real> k("half", n, [](auto r, auto z) {
                for (ddla::index_t i = 0; i < r.size; ++i) z.set(i, r.get(i) * 0.5);
            });
            ddla::vector<dd_real> x(n), y(n);
            k.apply(b, y);
            a.apply(y, x);
            return ddla::solve(a, k, b, x, options_of(m, preconditioning::none)).solution_hash;
        });
}
