// What automatic solves iterate where factors are too large, wherever the data are.
#include "catch.hpp"
#include "support/biharmonic.hpp"
#include "support/function_maps.hpp"
#include "support/place.hpp"
#include "support/returned_bits.hpp"
#include "support/same_bits.hpp"
#include "support/shapes.hpp"

#include "ddla/generate.hpp"

using ddla::dd_real;
using ddla::index_t;
using ddla::solve_status;
using test::biharmonic;
using test::matrix_of;

namespace {

constexpr double no_factors = 1e-9;  // multiplications

template <class T>
struct iterated {
    ddla::vector<T> x;
    ddla::solve_report report;
};

/// b = 1; where it is automatic with Jacobi as the caller's preconditioner.
template <class T>
iterated<T> iterate(const ddla::csr_matrix<double>& a, ddla::solve_options options)
{
    const auto at = test::place_under_test();
    options.factorisation.most_work = no_factors;
    const ddla::vector<T> b(a.rows(), T(1), at);
    ddla::vector<T> x(a.rows(), at);
    const auto a_there = a.to(at);
    ddla::preconditioner<T> k;
    if (options.method == ddla::method::automatic) k = ddla::preconditioner<T>::jacobi(a_there);
    const auto report = ddla::solve(a_there, k, b, x, options);
    return {x.to(ddla::host), report};
}

/// The stages behind the attempt to factor.
std::vector<std::string> runs_of(const ddla::solve_report& r)
{
    std::vector<std::string> names;
    for (const auto& stage : r.plan)
        if (!stage.name.starts_with("factor in double")) names.push_back(stage.name);
    return names;
}

using names = std::vector<std::string>;

}  // namespace

TEST_CASE("a breakdown or a false claim begins again from x, while that halves the residual")
{
    // In double the first run ends far beyond where it began.
    const auto a = ddla::generate::toeplitz(500, 1.7);
    const auto one = iterate<double>(a, {.record_history = true});
    CHECK(one.report.status == solve_status::converged);
    CHECK(one.report.breakdown.empty());
    CHECK(one.report.true_relative_residual <= 1e-12);
    CHECK(runs_of(one.report) ==
          names{"bicgstab", "bicgstab, restart 1", "bicgstab, restart 2", "bicgstab, restart 3"});
    const auto& plan = one.report.plan;
    for (std::size_t k = 2; k < plan.size(); ++k)
        CHECK(*plan[k].true_relative_residual <= *plan[k - 1].true_relative_residual / 2);
    CHECK(plan.back().true_relative_residual == one.report.true_relative_residual);
    CHECK(one.report.history.size() == static_cast<std::size_t>(one.report.iterations) + 1);
}

TEST_CASE("a run that brings too little is the last one")
{
    const auto a = biharmonic(45);
    const auto one = iterate<double>(a, {.tolerance = 3e-12});
    CHECK(one.report.status == solve_status::stagnated);
    CHECK(runs_of(one.report) == names{"bicgstab", "bicgstab, restart 1"});
    const double first = *one.report.plan[1].true_relative_residual;
    CHECK(one.report.true_relative_residual < first);
    CHECK(one.report.true_relative_residual > first / 2);
}

TEST_CASE("a run that makes it worse leaves x as it was")
{
    const auto a = biharmonic(60);
    const auto one = iterate<double>(a, {});
    CHECK(runs_of(one.report) == names{"bicgstab", "bicgstab, restart 1"});
    CHECK(*one.report.plan[2].true_relative_residual > *one.report.plan[1].true_relative_residual);
    const auto plain = iterate<double>(
        a, {.method = ddla::method::bicgstab, .precond = ddla::preconditioning::jacobi});
    CHECK(one.report.status == solve_status::stagnated);
    CHECK(one.report.solution_hash == plain.report.solution_hash);
    CHECK(one.report.true_relative_residual == plain.report.true_relative_residual);
    CHECK(one.report.iterations > plain.report.iterations);

    // (r0, v) = 0 whenever it begins.
    const auto skew = matrix_of({{0, 1, 2, 3}, {-1, 0, 4, 5}, {-2, -4, 0, 7}, {-3, -5, -7, 0}})
                          .to(test::place_under_test());
    const ddla::vector<dd_real> b(4, dd_real(1), test::place_under_test());
    ddla::vector<dd_real> x(4, test::place_under_test());
    const auto none = ddla::solve(test::operator_by_function<dd_real>(skew), b, x, {});
    CHECK(none.status == solve_status::breakdown);
    CHECK(none.breakdown == "(r0, v)");
    CHECK(none.iterations == 0);
    CHECK(runs_of(none).size() == 2);
}

TEST_CASE("a worse run that the limit ends says nothing of x, which it has not left")
{
    const auto a = biharmonic(45);
    const auto plain = iterate<double>(
        a, {.method = ddla::method::bicgstab, .precond = ddla::preconditioning::jacobi});
    const auto cut = iterate<double>(a, {.max_iterations = plain.report.iterations + 33});
    CHECK(runs_of(cut.report) == names{"bicgstab", "bicgstab, restart 1"});
    CHECK(cut.report.iterations == plain.report.iterations + 33);
    CHECK(cut.report.solution_hash == plain.report.solution_hash);
    CHECK(plain.report.status == solve_status::stagnated);
    CHECK(cut.report.status == solve_status::stagnated);
}

TEST_CASE("all runs share the iteration limit and the watch")
{
    const auto a = ddla::generate::toeplitz(500, 1.7);
    const auto first = iterate<double>(a, {.method = ddla::method::bicgstab,
                                           .precond = ddla::preconditioning::jacobi})
                           .report.iterations;
    const auto limited = iterate<double>(a, {.max_iterations = first + 10});
    CHECK(limited.report.status == solve_status::iteration_limit);
    CHECK(limited.report.iterations == first + 10);
    CHECK(runs_of(limited.report).size() == 2);
    CHECK(runs_of(iterate<double>(a, {.max_iterations = 10}).report).size() == 1);

    std::int64_t last = 0;
    const auto watched =
        iterate<double>(a, {.check_every = 1, .watch = [&](const ddla::solve_progress& now) {
                                if (now.stage != "iterate") return true;
                                CHECK(now.iterations >= last);
                                last = now.iterations;
                                return last <= first;
                            }});
    CHECK(watched.report.interrupted);
    CHECK(watched.report.iterations > first);
    CHECK(runs_of(watched.report).size() == 2);
}

TEST_CASE("iterations instead of factors run where the caller says, if they are needed")
{
    const auto a = ddla::generate::poisson2d(30, 30);
    const ddla::vector<dd_real> b(900, dd_real(1));
    int asked = 0;
    ddla::solve_options options{.place_of_iterations = [&] {
        ++asked;
        return test::place_under_test();
    }};
    const auto solved = [&](const ddla::preconditioner<dd_real>& k = {}) {
        ddla::vector<dd_real> x(900);
        return ddla::solve(a, k, b, x, options);
    };
    CHECK(solved().where == ddla::host);
    CHECK(asked == 0);
    options.factorisation.most_work = no_factors;
    const auto there = solved();
    CHECK(asked == 1);
    CHECK(there.where == test::place_under_test());
    CHECK(there.status == solve_status::converged);
    CHECK(solved(ddla::preconditioner<dd_real>::jacobi(a)).where == ddla::host);
    CHECK(asked == 1);
    options.place_of_iterations = {};
    const auto here = solved();
    CHECK(here.where == ddla::host);
    CHECK(here.solution_hash == there.solution_hash);
    CHECK(here.iterations == there.iterations);
}

TEST_CASE("what is said of an x by iterations holds for the x that is returned")
{
    // By BiCGSTAB in double-double, whose x has more bits than are returned.
    const auto at = test::place_under_test();
    const auto a = ddla::generate::poisson2d(20, 21).to(at);
    const auto by_function = test::operator_by_function<dd_real>(a);
    const ddla::vector<dd_real> b(a.rows(), dd_real(1) / 3, at);
    const auto solved = [&](double tolerance) {
        iterated<dd_real> one{ddla::vector<dd_real>(a.rows(), at), {}};
        one.report = ddla::solve(by_function, b, one.x, {.tolerance = tolerance});
        return one;
    };
    // A function's product is rounded before it is subtracted from b.
    const auto residual = [&](const ddla::vector<dd_real>& x) {
        ddla::vector<dd_real> r(a.rows(), at);
        ddla::spmv(dd_real(1), a, x, dd_real(0), r);
        ddla::axpy(dd_real(-1), b, r);
        return double(ddla::nrm2(r) / ddla::nrm2(b));
    };
    int changed = 0, missed = 0;
    for (int bits = 60; bits <= 96; ++bits) {
        INFO(bits);
        const auto one = solved(std::ldexp(1.0, -bits));
        const double before = *one.report.plan.back().true_relative_residual;
        const double truth = residual(one.x);
        CHECK(one.report.true_relative_residual == truth);
        CHECK(test::same_bits(one.x.to(ddla::host), test::as_returned(one.x.to(ddla::host))));
        changed += before != truth;
        if (!(before < truth)) continue;
        // A tolerance that x has met before it was rounded.
        const auto strict = solved(before);
        if (strict.report.true_relative_residual <= before) continue;
        ++missed;
        CHECK(strict.report.status == solve_status::at_floor);
    }
    CHECK(changed > 30);
    CHECK(missed > 0);
}
