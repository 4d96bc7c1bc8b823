// GMRES-IR: what it adds to factors in double, when it is a stage, and what it may take.
#include "catch.hpp"

#include "answer/answer.hpp"
#include "refine/factor_stages.hpp"
#include "refine/gmres.hpp"

#include "ddla/blas.hpp"
#include "ddla/dd_math.hpp"
#include "ddla/generate.hpp"

#include <cmath>

using namespace ddla::refine;
using ddla::dd_real;
using ddla::factor_precision;
using ddla::index_t;
using ddla::vec;

namespace {

/// The Laplacian of a cube of m^3 points without boundary values, a row of it 2^-46 away from
/// singular: kappa is about 10^17.  For b = 1, x_0 is n 2^46, for the sum of all rows says so.
ddla::csr_matrix<double> nearly_singular_cube(index_t m)
{
    ddla::coordinates<double> c{.rows = m * m * m, .columns = m * m * m};
    for (index_t i = 0; i < c.rows; ++i) {
        double neighbours = 0;
        for (const auto& [stride, at] :
             {std::pair{index_t{1}, i % m}, {m, i / m % m}, {m * m, i / (m * m)}})
            for (const index_t side : {-1, 1}) {
                if (at + side < 0 || at + side >= m) continue;
                c.add(i, i + side * stride, -1);
                ++neighbours;
            }
        c.add(i, i, neighbours + (i == 0 ? 0x1p-46 : 0));
    }
    return ddla::csr_matrix<double>(c);
}

/// A with b = 1 and its factors in double.
struct hard_system {
    ddla::csr_matrix<double> a;
    ddla::vector<dd_real> b;
    host_system<double> system;
    ddla::factor::factors<double> factors;
    approximate_inverse applied;

    explicit hard_system(index_t m)
        : a(nearly_singular_cube(m)), b(a.rows(), dd_real(1)),
          system(a.view(), std::as_const(b).view()),
          factors(factor_in<double>(a.view(), {}, [](double) { return true; })),
          applied(inverse_in_double_double(factors))
    {
    }
    gmres_budget budget() const
    {
        gmres_budget all;
        all.work_of_product = static_cast<double>(factors.about().entries + a.nonzeros());
        all.work_of_vector = static_cast<double>(a.rows());
        return all;
    }
};

bool has_stage(const answer& of, const std::string& name)
{
    return std::any_of(of.plan.begin(), of.plan.end(),
                       [&](const ddla::solve_stage& s) { return s.name == name; });
}

answer solved(const hard_system& one, ddla::vector<dd_real>& x,
              const ddla::factorisation_options& options)
{
    return find_answer(one.system, x.view(), {.factorisation = options});
}

double relative_difference(const dd_real& x, const dd_real& y)
{
    return std::fabs(double((x - y) / y));
}

}  // namespace

TEST_CASE("GMRES finds what factors in double do not see")
{
    const hard_system one(6);
    auto budget = one.budget();
    const approximate_inverse by_gmres = inverse_by_gmres(one.system, one.applied, budget);
    CHECK(probed_rate(one.system, inverse_by(one.factors)) > 0.5);
    CHECK(probed_rate(one.system, one.applied) > 0.5);
    CHECK(probed_rate(one.system, by_gmres) < 0x1p-10);
    CHECK(budget.work > 0);
    CHECK(budget.bytes > 5 * static_cast<std::size_t>(one.a.rows()) * sizeof(dd_real));

    // A is symmetric: A^-T is A^-1, by other code.
    const real_vector v(static_cast<std::size_t>(one.a.rows()), 1);
    const auto y = refined_solve(one.system, by_gmres, v);
    const auto z = refined_solve_transposed(one.system, by_gmres, v);
    REQUIRE(y.has_value());
    REQUIRE(z.has_value());
    CHECK((*y)[0] == Approx(std::ldexp(216, 46)).epsilon(1e-12));
    CHECK((*z)[0] == Approx(std::ldexp(216, 46)).epsilon(1e-12));
    CHECK_FALSE(refined_solve(one.system, one.applied, v).has_value());
}

TEST_CASE("GMRES solves transposed systems with the transposed matrix")
{
    const auto a = ddla::generate::convection_diffusion(4, 4, 4);  // far from symmetric
    const index_t n = a.rows();
    const ddla::vector<dd_real> ones(n, dd_real(1));
    const host_system<double> system(a.view(), ones.view());
    const auto factors = factor_in<double>(a.view(), {}, [](double) { return true; });
    const approximate_inverse applied = inverse_in_double_double(factors);
    gmres_budget budget;
    const approximate_inverse by_gmres = inverse_by_gmres(system, applied, budget);
    const auto wrong = [&](const correction& solve, const ddla::csr_matrix<double>& of) {
        ddla::vector<dd_real> r(n), d(n);
        ddla::spmv(dd_real(1), of, ones, dd_real(0), r);
        solve(std::as_const(r).view(), d.view());
        double most = 0;
        for (index_t i = 0; i < n; ++i) most = std::max(most, relative_difference(d[i], ones[i]));
        return most;
    };
    CHECK(wrong(by_gmres.solve, a) < 0x1p-30);
    CHECK(wrong(by_gmres.solve_transposed, ddla::transpose(a)) < 0x1p-30);
    CHECK(wrong(by_gmres.solve, ddla::transpose(a)) > 0x1p-10);
}

TEST_CASE("with factors in double alone GMRES has the digits that it says")
{
    const hard_system one(6);
    ddla::vector<dd_real> x(one.a.rows()), other(one.a.rows());
    const answer said = solved(one, x, {.factors = factor_precision::in_double});
    CHECK(said.status == ddla::solve_status::converged);
    CHECK(has_stage(said, "refine by GMRES"));
    CHECK_FALSE(has_stage(said, "factor in double-double"));
    REQUIRE(said.errors.componentwise_trusted);
    const double claimed = *said.errors.componentwise;
    CHECK(claimed < 1e-25);
    CHECK(relative_difference(x[0], dd_real(std::ldexp(216, 46))) <= claimed);
    solved(one, other, {.factors = factor_precision::in_double_double});
    for (index_t i = 0; i < x.size(); ++i) CHECK(relative_difference(x[i], other[i]) <= claimed);
}

TEST_CASE("GMRES works in the units of the scaled system")
{
    // The x of the hard part is below 2^-140, beside one that sets the norms.
    const hard_system hard(6);
    const index_t n = hard.a.rows();
    ddla::coordinates<double> c{.rows = n + 1, .columns = n + 1};
    for (index_t i = 0; i < n; ++i)
        for (index_t e = hard.a.view().row_begin[i]; e < hard.a.view().row_begin[i + 1]; ++e)
            c.add(i, hard.a.view().column[e], hard.a.view().value.get(e) * 0x1p+200);
    c.add(n, n, 3);
    const ddla::csr_matrix<double> a(c);
    const ddla::vector<dd_real> b(n + 1, dd_real(1));
    const host_system<double> system(a.view(), b.view());
    ddla::vector<dd_real> x(n + 1);
    const answer said =
        find_answer(system, x.view(), {.factorisation = {.factors = factor_precision::in_double}});
    CHECK(has_stage(said, "refine by GMRES"));
    CHECK(said.status == ddla::solve_status::converged);
    CHECK(relative_difference(x[0], dd_real(std::ldexp(216, 46 - 200))) < 1e-25);
}

TEST_CASE("GMRES comes where factors in double-double are beyond the limits")
{
    const hard_system one(6);
    ddla::vector<dd_real> x(one.a.rows());
    // A multiplication in double-double counts as 10 of the limit.
    const double work = one.factors.about().operations * 1e-9;
    const answer within = solved(one, x, {.most_work = 11 * work});
    CHECK(within.status == ddla::solve_status::converged);
    CHECK_FALSE(has_stage(within, "refine by GMRES"));
    CHECK(has_stage(within, "factor in double-double"));
    x = ddla::vector<dd_real>(one.a.rows());
    const std::int64_t bytes = one.factors.about().bytes;
    const answer narrow = solved(one, x, {.most_memory = bytes + bytes / 10});
    CHECK(narrow.status == ddla::solve_status::converged);
    CHECK(has_stage(narrow, "refine by GMRES"));
    CHECK_FALSE(has_stage(narrow, "factor in double-double"));
    CHECK(relative_difference(x[0], dd_real(std::ldexp(216, 46))) < 1e-25);
}

TEST_CASE("the budget of GMRES is what other factors would take")
{
    ddla::factor::report about;
    about.n = 1000;
    about.bytes = 4000000;
    about.operations = 1e8;
    const index_t nonzeros = 10000;
    const auto budget = [&](const ddla::factorisation_options& o) {
        return budget_for_gmres({about, about.operations, 10 * about.operations, 100000, {}},
                                nonzeros, o);
    };
    // Not worth beginning: 36 runs of some 5 products with 110000 entries, 4 times as slow.
    CHECK(budget({}).has_value() == (1e8 / 4 > 36 * (5 * 110000.0 + 14 * 1000.0)));
    about.operations = 5e7;
    CHECK_FALSE(budget({}).has_value());
    about.operations = 2e8;
    REQUIRE(budget({}).has_value());
    CHECK(budget({})->most_work == 5e7);
    // Nothing else comes: wanted or not, by work or by memory.
    CHECK(budget({.factors = factor_precision::in_double})->most_work == 4e9);
    CHECK(budget({.most_work = 1})->most_work == 1e9);
    CHECK(budget({.most_memory = 7000000})->most_work == 4e9);
    CHECK(budget({.most_memory = 8000000})->most_work == 5e7);
}

TEST_CASE("a spent budget ends in no number, and in no claim")
{
    const hard_system one(4);
    auto budget = one.budget();
    budget.most_work = 7 * budget.work_of_product;
    const approximate_inverse by_gmres = inverse_by_gmres(one.system, one.applied, budget);
    ddla::vector<dd_real> d(one.a.rows()), x(one.a.rows(), dd_real(7));
    by_gmres.solve(std::as_const(one.b).view(), d.view());
    CHECK(ddla::isfinite(d[0]));
    by_gmres.solve(std::as_const(one.b).view(), d.view());
    CHECK_FALSE(ddla::isfinite(d[0]));
    CHECK(budget.work <= budget.most_work);
    // Refinement then leaves the x that it had.
    CHECK_FALSE(refine(one.system, by_gmres.solve, x.view()).finite);
    CHECK(x[0] == dd_real(7));
    CHECK(probed_rate(one.system, by_gmres) == HUGE_VAL);

    const answer said = solved(one, x, {.factors = factor_precision::in_double, .most_work = 2e-5});
    CHECK(has_stage(said, "refine by GMRES"));
    CHECK(said.status != ddla::solve_status::converged);
    CHECK_FALSE(said.errors.trusted);
}

TEST_CASE("a watch ends GMRES")
{
    const hard_system one(6);
    ddla::vector<dd_real> x(one.a.rows());
    int looks = 0;
    answer_request request{.factorisation = {.factors = factor_precision::in_double}};
    request.watch = [&](const ddla::solve_progress& now) {
        return now.stage != "refine by GMRES" || ++looks < 3;
    };
    const answer said = find_answer(one.system, x.view(), request);
    CHECK(looks == 3);
    CHECK(said.interrupted);
    CHECK(said.status == ddla::solve_status::iteration_limit);
    CHECK_FALSE(said.errors.trusted);
}
