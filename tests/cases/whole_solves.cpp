// Whole solves of real systems against the serial program over QD: from the first iteration to the
// last one, every bit of x.
#include "catch.hpp"
#include "support/place.hpp"
#include "support/serial_solvers.hpp"

#include "ddla/matrix_info.hpp"
#include "ddla/matrix_market.hpp"
#include "ddla/solve.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

using ddla::index_t;
using ddla::method;
using ddla::preconditioning;

namespace {

/// Of the SuiteSparse and Matrix Market collections, small or quickly solved.
constexpr const char* systems[] = {
    "494_bus",  "662_bus",  "arc130",   "bcsstk05", "bcsstk22", "cage8",    "cage9",   "dwt_209",
    "e05r0000", "fs_183_1", "fs_183_4", "fs_541_1", "fs_541_2", "fs_541_4", "gre_115", "jpwh_991",
    "lund_a",   "mesh3e1",  "nos1",     "nos5",     "nos6",     "olm100",   "olm500",  "orsirr_1",
    "orsreg_1", "Pd",       "pde900",   "pde2961",  "saylr1",   "tub100",   "west0132"};

/// The serial program's x after its last iteration.
template <class Q>
struct serial_solve {
    std::vector<Q> x;
    std::int64_t iterations = 0;
};

/// Until the residual of the recurrence meets the tolerance; at most `most` iterations.
template <class Solver, class Q>
serial_solve<Q> iterate(Solver solver, const ddla::csr_matrix<double>& a, const std::vector<Q>& d,
                        const Q& bb, double tolerance, std::int64_t most)
{
    std::int64_t k = 0;
    for (; k < most && !(solver.rr <= Q(tolerance) * Q(tolerance) * bb); ++k) solver.iterate(a, d);
    return {solver.x, k};
}

template <class T>
serial_solve<oracle::type<T>> solve_serially(const ddla::csr_matrix<double>& a,
                                             const ddla::vector<T>& b,
                                             const ddla::solve_options& options)
{
    using Q = oracle::type<T>;
    std::vector<Q> d;
    if (options.precond == preconditioning::jacobi) d = oracle::to(oracle::inverse_diagonal<T>(a));
    const auto qb = oracle::to(b), zero = oracle::to(ddla::vector<T>(a.rows()));
    const Q bb = oracle::dot(qb, qb);
    if (options.method == method::cg)
        return iterate(oracle::cg<Q>(a, qb, zero, d), a, d, bb, options.tolerance.value(),
                       options.max_iterations);
    return iterate(oracle::bicgstab<Q>(a, qb, zero), a, d, bb, options.tolerance.value(),
                   options.max_iterations);
}

struct totals {
    int systems = 0, to_the_end = 0;  ///< those that met the tolerance in some way
    int solves = 0, ended = 0;        ///< … and the solves that did
    std::int64_t iterations = 0;
    std::map<std::string, int> ways = {};  ///< solves by method and preconditioner
};

/// Where one breaks down, the serial program has not met the tolerance before.
template <class T>
void compare_with_serial(const ddla::csr_matrix<double>& a, const ddla::solve_options& options,
                         totals& done)
{
    const ddla::vector<T> b(a.rows(), T(1));
    auto x = ddla::vector<T>(a.rows(), test::place_under_test());
    const auto report =
        ddla::solve(a.to(test::place_under_test()), b.to(test::place_under_test()), x, options);
    INFO(to_string(options.method) << ", " << to_string(options.precond) << ": "
                                   << to_string(report.status) << " after " << report.iterations);
    const bool broke = report.status == ddla::solve_status::breakdown ||
                       report.status == ddla::solve_status::not_finite;
    auto serially = options;
    if (broke) serially.max_iterations = report.iterations;
    const auto serial = solve_serially<T>(a, b, serially);
    CHECK(serial.iterations == report.iterations);
    CHECK(same_bits(x.to(ddla::host), serial.x));
    ++done.solves;
    ++done.ways[std::string(to_string(options.method)) + ", " +
                std::string(to_string(options.precond))];
    done.ended += !broke && report.iterations < options.max_iterations;
    done.iterations += report.iterations;
}

void compare_every_way(const ddla::csr_matrix<double>& a, totals& done)
{
    const bool symmetric = ddla::inspect(a).symmetric;
    const int ended = done.ended;
    bool no_zeros = true;
    const auto d = ddla::diagonal(a);
    for (index_t i = 0; i < d.size(); ++i) no_zeros = no_zeros && d[i] != 0;
    for (const auto m : {method::bicgstab, method::cg})
        for (const auto p : {preconditioning::none, preconditioning::jacobi}) {
            if ((m == method::cg && !symmetric) || (p == preconditioning::jacobi && !no_zeros))
                continue;
            const ddla::solve_options options{
                .method = m, .precond = p, .tolerance = 1e-12, .max_iterations = 6000};
            compare_with_serial<ddla::dd_real>(a, options, done);
        }
    ++done.systems;
    done.to_the_end += done.ended > ended;
}

}  // namespace

TEST_CASE("whole solves of real systems", "[solvers][matrices]")
{
    const char* const folder = std::getenv("DDLA_TEST_MATRICES");
    if (!folder) SKIP_CASE("set DDLA_TEST_MATRICES to a folder of .mtx and .mtx.gz files");
    totals done;
    for (const std::string name : systems)
        for (const char* const ending : {".mtx", ".mtx.gz"}) {
            const auto file = std::filesystem::path(folder) / (name + ending);
            if (!exists(file)) continue;
            INFO(file.string());
            compare_every_way(ddla::read_matrix<double>(file), done);
        }
    std::printf("for the record: %d real systems, %d solves (%d to a residual of 1e-12) with %lld "
                "iterations: every bit of x as the serial program over QD has it\n",
                done.systems, done.solves, done.ended, static_cast<long long>(done.iterations));
    for (const auto& [way, count] : done.ways)
        std::printf("for the record: %s: %d of the systems\n", way.c_str(), count);
    if (done.systems < 20) SKIP_CASE("fewer than 20 of its systems are in that folder");
    CHECK(done.to_the_end >= 20);
    CHECK(done.ways["bicgstab, none"] >= 20);
    CHECK(done.ways["bicgstab, jacobi"] >= 20);
    CHECK(done.ways["cg, none"] >= 8);  // of symmetric ones
    CHECK(done.ways["cg, jacobi"] >= 8);
}
