// How refinement by corrections in double ends, one text for every place: limits, the watch, what
// does not help, what is refused.
#include "catch.hpp"
#include "support/inner_solves.hpp"
#include "support/random.hpp"
#include "support/refusal.hpp"
#include "support/same_bits.hpp"

#include "ddla/error.hpp"
#include "ddla/factors.hpp"
#include "ddla/generate.hpp"

using ddla::csr_matrix;
using ddla::dd_real;
using ddla::index_t;
using ddla::preconditioner;
using ddla::preconditioning;
using ddla::solve_status;
using test::place_under_test;
using test::refining;
using test::refusal;
using test::same_bits;
using test::solve_refining;

namespace {

/// z = r.
template <class T>
preconditioner<T> by_nothing(index_t n)
{
    const csr_matrix<double> one = [n] {
        ddla::coordinates<double> c{.rows = n, .columns = n};
        for (index_t i = 0; i < n; ++i) c.add(i, i, 1.0);
        return csr_matrix<double>(c);
    }();
    return preconditioner<T>::lu(ddla::lu_factors<double>(one), place_under_test());
}

}  // namespace

TEST_CASE("a correction that does not help ends the refinement, which says so", "[inner]")
{
    const auto a = ddla::generate::poisson3d(6, 6, 6);
    const auto b = test::random_vector<dd_real>(a.rows(), 74, 0);
    // No x in double-double has this residual.
    const auto floor = solve_refining(a, b, refining(preconditioning::ilu, 1e-40));
    CHECK(floor.report.status == solve_status::stagnated);
    CHECK(floor.report.true_relative_residual < 1e-30);
    CHECK(ddla::true_residual(a, floor.x, b).relative == floor.report.true_relative_residual);
    CHECK(floor.report.relative_residual == floor.report.true_relative_residual);
    // Nor one in double.
    const ddla::vector<double> ones(a.rows(), 1.0);
    const auto in_double = solve_refining(a, ones, refining(preconditioning::ic, 1e-25));
    CHECK(in_double.report.status == solve_status::stagnated);
    CHECK(in_double.report.true_relative_residual < 1e-14);

    ddla::coordinates<double> c{.rows = 2, .columns = 2};
    c.add(0, 1, 1.0);
    c.add(1, 0, -1.0);
    const csr_matrix<double> skew(c);
    const ddla::vector<dd_real> right{dd_real(1), dd_real(0)}, guess{dd_real(3), dd_real(5)};
    const auto broken = solve_refining(skew, right, guess, refining(preconditioning::none, 1e-20),
                                       by_nothing<dd_real>(2));
    CHECK(broken.report.status == solve_status::breakdown);
    CHECK(broken.report.breakdown == "(r0, v)");
    CHECK(broken.report.iterations == 0);
    CHECK(same_bits(broken.x, guess));
    CHECK(broken.report.true_relative_residual == ddla::true_residual(skew, guess, right).relative);
}

TEST_CASE("a correction that makes it worse is taken back", "[inner]")
{
    // CG on a matrix that is not symmetric.
    const auto a = ddla::generate::convection_diffusion(9, 9, 9, 10, 0);
    const ddla::vector<dd_real> b(a.rows(), dd_real(1)), zero(a.rows());
    const auto k = [&] {
        const auto grid = ddla::generate::poisson3d(9, 9, 9).to(place_under_test());
        return preconditioner<dd_real>::ic(grid);
    }();
    auto options = refining(preconditioning::none, 1e-20);
    int taken_back = 0;
    for (const std::int64_t limit : {1, 2, 3, 5, 8, 13, 21}) {
        options.max_iterations = limit;
        const auto cut = solve_refining(a, b, options, k);
        CHECK(cut.report.iterations == limit);
        CHECK(cut.report.true_relative_residual <= 1);
        CHECK(ddla::true_residual(a, cut.x, b).relative == cut.report.true_relative_residual);
        if (cut.report.true_relative_residual < 1) continue;
        ++taken_back;
        CHECK(same_bits(cut.x, zero));
    }
    CHECK(taken_back > 0);
}

TEST_CASE("iterations of all corrections count for the limit", "[inner]")
{
    const auto a = ddla::generate::convection_diffusion(9, 9, 9);
    const auto b = test::random_vector<dd_real>(a.rows(), 75, 0);
    // By one search, and, with Jacobi, by one for each correction.
    const auto by = GENERATE(preconditioning::ilu, preconditioning::jacobi);
    auto options = refining(by, 1e-28);
    const auto whole = solve_refining(a, b, options);
    REQUIRE(whole.report.status == solve_status::converged);
    for (const std::int64_t limit : {std::int64_t(3), whole.report.iterations / 2}) {
        options.max_iterations = limit;
        const auto cut = solve_refining(a, b, options);
        CHECK(cut.report.status == solve_status::iteration_limit);
        CHECK(cut.report.iterations == limit);
        CHECK(cut.report.true_relative_residual < 1);
        CHECK(cut.report.true_relative_residual > 1e-28);
    }
    options.max_iterations = whole.report.iterations;
    CHECK(solve_refining(a, b, options).report.status == solve_status::converged);
    options.max_iterations = 0;
    const auto none = solve_refining(a, b, options);
    CHECK(none.report.iterations == 0);
    CHECK(same_bits(none.x, ddla::vector<dd_real>(a.rows())));
}

TEST_CASE("the watch sees all corrections, and may end them", "[inner]")
{
    const auto a = ddla::generate::convection_diffusion(9, 9, 9);
    const auto b = test::random_vector<dd_real>(a.rows(), 76, 0);
    const auto by = GENERATE(preconditioning::ilu, preconditioning::jacobi);
    auto options = refining(by, 1e-28);
    options.check_every = 1;
    std::int64_t last = 0;
    double residual = 1;
    options.watch = [&](const ddla::solve_progress& now) {
        if (now.stage != "iterate") return true;
        CHECK(now.iterations >= last);
        last = now.iterations;
        residual = now.relative_residual;
        return true;
    };
    const auto whole = solve_refining(a, b, options);
    CHECK(whole.report.status == solve_status::converged);
    CHECK(last >= whole.report.iterations - 1);  // the end is not looked at
    CHECK(residual < 1e-27);

    const std::int64_t end = whole.report.iterations - 2;
    options.watch = [&](const ddla::solve_progress& now) { return now.iterations < end; };
    const auto stopped = solve_refining(a, b, options);
    CHECK(stopped.report.interrupted);
    CHECK(stopped.report.status == solve_status::iteration_limit);
    CHECK(stopped.report.iterations == end);
    CHECK(stopped.report.true_relative_residual == ddla::true_residual(a, stopped.x, b).relative);
    CHECK(stopped.report.true_relative_residual < 1e-8);

    const auto guess = test::random_vector<dd_real>(a.rows(), 77, 0);
    options = refining(preconditioning::ilu, 1e-28);
    options.watch = [](const ddla::solve_progress& now) { return now.stage != "factor"; };
    const auto unmade = solve_refining(a, b, guess, options);
    CHECK(unmade.report.interrupted);
    CHECK(unmade.report.iterations == 0);
    CHECK(same_bits(unmade.x, guess));
}

TEST_CASE("corrections in double are refused where there are none", "[inner]")
{
    const auto a = ddla::generate::poisson2d(5, 5);
    const ddla::vector<dd_real> b(a.rows(), dd_real(1));
    const preconditioner<dd_real> code("mine", a.rows(),
                                       [](ddla::vec<const dd_real>, ddla::vec<dd_real>) {});
    CHECK(refusal([&] { solve_refining(a, b, refining(preconditioning::none, 1e-20), code); }) ==
          "solve: refinement corrects x in double, for which the preconditioner \"mine\" has no "
          "code; take one of the entries of A, or another method");
    CHECK(!code.in_double());
    ddla::vector<dd_real> x(a.rows()), low(a.rows());
    CHECK(refusal([&] { ddla::solve(a, b, x, low, refining(preconditioning::ilu, 1e-20)); }) ==
          "solve: four words of x come from factors, not from corrections with ilu");
    auto proved = refining(preconditioning::ilu, 1e-20);
    proved.certify = true;
    const auto report = solve_refining(a, b, proved).report;
    REQUIRE(report.bound);
    CHECK(!report.bound->certified);
    CHECK(report.bound->why == "corrections by iterations prove nothing");
    // With lu it factors.
    CHECK(solve_refining(a, b, refining(preconditioning::lu, 1e-20)).report.digits.value_or(0) >
          20);
    // In double, code corrects.
    const preconditioner<double> copying("copy", a.rows(),
                                         [](ddla::vec<const double> r, ddla::vec<double> z) {
                                             for (index_t i = 0; i < r.size; ++i)
                                                 z.set(i, r.get(i));
                                         });
    const ddla::vector<double> ones(a.rows(), 1.0);
    CHECK(solve_refining(a, ones, refining(preconditioning::none, 1e-13), copying).report.status ==
          solve_status::converged);
}
