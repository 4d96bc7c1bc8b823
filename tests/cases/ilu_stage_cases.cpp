// Incomplete factors in solves, one text for every place: the watch while they are made, and the
// stages of automatic solves.
#include "catch.hpp"
#include "support/oracle.hpp"
#include "support/random.hpp"
#include "support/same_bits.hpp"
#include "support/solve_there.hpp"

#include "ddla/blas.hpp"
#include "ddla/generate.hpp"
#include "ddla/matrix_market.hpp"
#include "ddla/solve.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

using dd = ddla::dd_real;  // QD has a ::dd_real
using ddla::method;
using ddla::preconditioning;
using test::solve_there;

TEST_CASE("the watch sees factors in the making, and may end it", "[solvers]")
{
    const auto a = ddla::generate::poisson3d(12, 12, 12);
    const ddla::vector<dd> b(a.rows(), dd(1));
    const auto guess = test::random_vector<dd>(a.rows(), 64, 0);
    for (const auto p : {preconditioning::ilu, preconditioning::ilut, preconditioning::ic,
                         preconditioning::block_jacobi}) {
        INFO(to_string(p));
        ddla::solve_options o{.method = method::bicgstab, .precond = p, .tolerance = 1e-20};
        double done = -1;
        bool iterates = false, in_order = true;
        o.watch = [&](const ddla::solve_progress& now) {
            iterates = iterates || now.stage == "iterate";
            if (now.stage != "factor") return true;
            in_order = in_order && !iterates && now.done >= done && now.done <= 1;
            done = now.done;
            return true;
        };
        ddla::vector<dd> x(a.rows()), unwatched(a.rows());
        CHECK(solve_there(a, b, x, o).status == ddla::solve_status::converged);
        CHECK(in_order);
        CHECK(iterates);
        CHECK(done > 0.5);
        o.watch = {};
        solve_there(a, b, unwatched, o);
        CHECK(same_bits(x, oracle::to(unwatched)));

        ddla::vector<dd> kept = guess;
        o.watch = [](const ddla::solve_progress& now) {
            return now.stage != "factor" || now.done < 0.4;
        };
        const auto report = solve_there(a, b, kept, o);
        CHECK(report.interrupted);
        CHECK(report.iterations == 0);
        CHECK(report.status == ddla::solve_status::iteration_limit);
        CHECK(report.true_relative_residual == ddla::true_residual(a, guess, b).relative);
        CHECK(same_bits(kept, oracle::to(guess)));
    }
}

TEST_CASE("the watch may end an automatic solve while it makes incomplete factors", "[solvers]")
{
    const auto a = ddla::generate::poisson2d(30, 30);
    const ddla::vector<dd> b(a.rows(), dd(1));
    // No x has this residual, LU is too large: level after level is tried.
    ddla::solve_options o{.tolerance = 1e-40, .factorisation = {.most_work = 1e-9}};
    for (const int ended : {1, 2}) {
        INFO("in the making of factors " << ended);
        int made = 0;
        bool in_making = false;
        o.watch = [&](const ddla::solve_progress& now) {
            const bool incomplete = now.stage == "factor" && now.done == 0;
            made += incomplete && !in_making;
            in_making = now.stage == "factor";
            return !(made == ended && in_making);
        };
        ddla::vector<dd> x(a.rows());
        const auto report = solve_there(a, b, x, o);
        CHECK(report.interrupted);
        CHECK(report.status == ddla::solve_status::iteration_limit);
        CHECK((report.iterations > 0) == (ended > 1));
        // No stage follows.
        CHECK(made == ended);
        REQUIRE_FALSE(report.plan.empty());
        CHECK(report.plan.back().name == (ended == 1 ? "ic" : "ilu(2)"));
        CHECK(report.true_relative_residual == ddla::true_residual(a, x, b).relative);
    }
}

TEST_CASE("levels of fill share the iteration limit and the watch, and leave the best x",
          "[solvers]")
{
    const auto a = ddla::generate::poisson2d(30, 30);
    const ddla::vector<dd> b(a.rows(), dd(1));
    ddla::solve_options o{.tolerance = 1e-40, .factorisation = {.most_work = 1e-9}};
    o.max_iterations = 3;
    ddla::vector<dd> x(a.rows());
    CHECK(solve_there(a, b, x, o).iterations == 3);

    // No x in double-double has this residual: all levels are tried.
    o.max_iterations = 1000;
    o.check_every = 1;
    std::int64_t last = 0;
    o.watch = [&](const ddla::solve_progress& now) {
        if (now.stage != "iterate") return true;
        CHECK(now.iterations >= last);
        last = now.iterations;
        return true;
    };
    ddla::vector<dd> y(a.rows());
    const auto report = solve_there(a, b, y, o);
    CHECK(report.status != ddla::solve_status::converged);
    CHECK(report.iterations <= 1000);
    double least = HUGE_VAL;
    int levels = 0;
    for (const auto& stage : report.plan) {
        levels += stage.name.starts_with("ilu(");
        least = std::min(least, stage.true_relative_residual.value_or(least));
    }
    CHECK(levels == 3);
    CHECK(report.true_relative_residual == least);
    CHECK(ddla::true_residual(a, y, b).relative == least);
}

TEST_CASE("automatic solves raise the level of fill where factors are too large", "[solvers]")
{
    const char* const folder = std::getenv("DDLA_TEST_MATRICES");
    if (!folder) SKIP_CASE("set DDLA_TEST_MATRICES to a folder of .mtx and .mtx.gz files");
    const auto file = std::filesystem::path(folder) / "gre_343.mtx";
    if (!exists(file)) SKIP_CASE("gre_343.mtx is not in that folder");
    const auto a = ddla::read_matrix<double>(file);
    const ddla::vector<dd> b(a.rows(), dd(1));
    ddla::vector<dd> x(a.rows());
    ddla::solve_options o{.factorisation = {.most_work = 1e-9}};
    const auto report = solve_there(a, b, x, o);
    CHECK(report.status == ddla::solve_status::converged);
    CHECK(report.plan[1].name == "ilu(2)");
    CHECK(report.plan[2].name == "bicgstab in double");
    CHECK(report.plan[3].name == "bicgstab");
    CHECK(report.plan[4].name == "ilu(6)");
    // Without room for fill: ILU(2) is too large, ILU(0) is built.
    o.preconditioner.most_fill = 1.01;
    const auto grid = ddla::generate::convection_diffusion(9, 9, 9);
    const ddla::vector<dd> ones(grid.rows(), dd(1));
    ddla::vector<dd> y(grid.rows());
    const auto small = solve_there(grid, ones, y, o);
    CHECK(small.status == ddla::solve_status::converged);
    CHECK(small.plan[1].name == "ilu(2), too large");
    CHECK(small.plan[2].name == "ilu(0)");
    // Nor for those of A: the diagonal alone.
    o.preconditioner.most_fill = 0.5;
    ddla::vector<dd> z(grid.rows());
    CHECK(solve_there(grid, ones, z, o).status == ddla::solve_status::converged);
}
