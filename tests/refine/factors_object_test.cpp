// Factors as an object of the public interface.
#include "catch.hpp"
#include "support/random.hpp"
#include "support/same_bits.hpp"
#include "support/shapes.hpp"

#include "direct/lu_parts.hpp"

#include "ddla/factors.hpp"
#include "ddla/generate.hpp"
#include "ddla/preconditioner.hpp"

using ddla::dd_real;
using ddla::index_t;
using test::matrix_of;

namespace {

template <class T>
double residual(const ddla::csr_matrix<double>& a, const ddla::vector<T>& x,
                const ddla::vector<T>& b)
{
    return ddla::true_residual(a, x, b).relative;
}

/// The Poisson matrix with its entries changed by some per mille.
ddla::csr_matrix<double> changed(const ddla::csr_matrix<double>& a, double by)
{
    const auto random = test::random_vector<double>(a.nonzeros(), 5);
    ddla::vector<double> value(a.nonzeros());
    for (index_t k = 0; k < a.nonzeros(); ++k)
        value.set(k, a.view().value.get(k) * (1 + by * random[k]));
    return test::with_same_pattern(a, value);
}

}  // namespace

TEMPLATE_TEST_CASE("factors solve again and again", "", double, dd_real)
{
    const auto a = ddla::generate::convection_diffusion(8, 8, 8);
    const ddla::lu_factors<TestType> f(a);
    CHECK(f.about().n == 512);
    CHECK(f.about().rank == 512);
    CHECK(f.about().entries >= a.nonzeros());
    CHECK(f.about().smallest_pivot > 0);
    const double good = ddla::words_of<TestType> == 1 ? 1e-13 : 1e-29;
    ddla::vector<TestType> x(512), z(512);
    for (int k = 0; k < 2; ++k) {
        const auto b = test::random_vector<TestType>(512, 10 + static_cast<unsigned>(k));
        f.solve(b, x);
        CHECK(residual(a, x, b) < good);
        f.solve_transposed(b, z);
        CHECK(residual(ddla::transpose(a), z, b) < good);
    }
}

TEST_CASE("several systems at once have the bits of one at a time")
{
    const auto a = ddla::generate::convection_diffusion(5, 5, 5);
    const index_t n = a.rows();
    const ddla::lu_factors<double> f(a);
    const auto all = test::random_vector<dd_real>(3 * n, 4);
    ddla::vector<dd_real> together(3 * n);
    f.solve(all, together);
    for (index_t k = 0; k < 3; ++k) {
        ddla::vector<dd_real> b(n), x(n);
        for (index_t i = 0; i < n; ++i) b.set(i, all[k * n + i]);
        f.solve(b, x);
        for (index_t i = 0; i < n; ++i) CHECK((x[i] == together[k * n + i]));
    }
    ddla::vector<dd_real> wrong(n + 1);
    CHECK_THROWS_AS(f.solve(wrong, wrong), ddla::input_error);
}

TEST_CASE("a solve with factors is refined and says what is right")
{
    const auto a = ddla::generate::toeplitz(300, 1.9);
    const ddla::lu_factors<double> f(a);
    const ddla::vector<dd_real> b(300, dd_real(1));
    ddla::vector<dd_real> x(300), automatic(300);
    const auto report = ddla::solve(a, b, x, f);
    CHECK(report.status == ddla::solve_status::converged);
    CHECK(*report.digits > 25);
    CHECK(report.plan.front().name == "refine");
    CHECK(ddla::solve(a, b, automatic).solution_hash == report.solution_hash);
}

TEST_CASE("stale factors refine the solution of a matrix nearby")
{
    const auto a = ddla::generate::poisson2d(20, 20);
    const ddla::lu_factors<double> f(a);
    const auto later = changed(a, 1e-4);
    const ddla::vector<dd_real> b(400, dd_real(1));
    ddla::vector<dd_real> x(400);
    const auto report = ddla::solve(later, b, x, f);
    CHECK(report.status == ddla::solve_status::converged);
    CHECK(report.iterations > 5);
    CHECK(residual(later, x, b) < 1e-28);
}

TEST_CASE("factors take new values on their pattern")
{
    const auto a = ddla::generate::convection_diffusion(6, 6, 6);
    const auto later = changed(a, 0.1);
    ddla::lu_factors<double> f(a);
    const ddla::lu_factors<double> before = f;
    REQUIRE(f.refactor(later));
    const auto b = test::random_vector<double>(a.rows(), 3);
    ddla::vector<double> x(a.rows());
    f.solve(b, x);
    CHECK(residual(later, x, b) < 1e-10);
    before.solve(b, x);
    CHECK(residual(a, x, b) < 1e-12);

    ddla::lu_factors<double> two(matrix_of({{1, 0.5}, {0.5, 1}}));
    CHECK_FALSE(two.refactor(matrix_of({{1e-30, 1}, {1, 1e-30}})));
    ddla::vector<double> y{1, 1};
    two.solve(y, y);
    CHECK(y[0] == Approx(2.0 / 3).epsilon(1e-15));
}

TEST_CASE("factors refuse what they cannot do")
{
    const auto a = ddla::generate::poisson2d(20, 20);
    const auto limit_of = [&](const ddla::factorisation_options& o) {
        try {
            ddla::lu_factors<double>(a, o);
        } catch (const ddla::limit_error& e) {
            return std::string(to_string(e.kind()));
        }
        return std::string("none");
    };
    CHECK(limit_of({.most_work = 1e-9}) == "work");
    CHECK(limit_of({.most_memory = 100}) == "memory");
    CHECK_THROWS_AS(ddla::lu_factors<double>(matrix_of({{1e308, 0}, {0, HUGE_VAL}})),
                    ddla::input_error);
    const ddla::lu_factors<double> lacking(matrix_of({{1, 1}, {1, 1}}));
    const ddla::vector<double> two{1, 2};
    ddla::vector<double> y(2);
    CHECK(lacking.about().rank == 1);
    CHECK_THROWS_AS(ddla::solve(matrix_of({{1, 1}, {1, 2}}), two, y, lacking), ddla::input_error);
    const ddla::lu_factors<double> f(matrix_of({{1}}));
    const ddla::vector<double> b(400, 1.0);
    ddla::vector<double> x(400);
    CHECK_THROWS_AS(ddla::solve(a, b, x, f), ddla::input_error);
}

namespace {

template <class F>
bool are_by_supernodes(const ddla::lu_factors<F>& f)
{
    return std::holds_alternative<ddla::factor::static_factors<F>>(f.implementation().factors);
}

template <class F>
ddla::vector<F> solution_by(const ddla::lu_factors<F>& f)
{
    const auto b = test::random_vector<F>(f.about().n, 8);
    ddla::vector<F> x(b.size());
    f.solve(b, x);
    return x;
}

}  // namespace

TEMPLATE_TEST_CASE("factors of large systems are those of a solve, by supernodes", "", double,
                   dd_real)
{
    using F = TestType;
    const auto a = ddla::generate::convection_diffusion(18, 18, 18);
    const ddla::lu_factors<F> f(a);
    REQUIRE(are_by_supernodes(f));
    const auto supernodal = ddla::factor::static_factors<F>::make(a.view(), {});
    CHECK(f.about().entries == supernodal.about().entries);
    CHECK(f.about().operations == supernodal.about().operations);
    CHECK(f.about().rank == a.rows());
    CHECK(f.about().nonzeros == a.nonzeros());
    const auto b = test::random_vector<F>(3 * a.rows(), 9);
    ddla::vector<F> x(b.size()), truth(b.size());
    f.solve(b, x);
    supernodal.template solve<F>(b.view(), truth.view());
    CHECK(test::same_bits(x, truth));
    f.solve_transposed(b, x);
    supernodal.template solve_transposed<F>(b.view(), truth.view());
    CHECK(test::same_bits(x, truth));
    // The stages of a solve that end with the same corrections.
    const ddla::vector<dd_real> right(a.rows(), dd_real(1));
    ddla::vector<dd_real> refined(a.rows()), automatic(a.rows());
    const auto report = ddla::solve(a, right, refined, f);
    CHECK(report.status == ddla::solve_status::converged);
    CHECK(*report.digits > 25);
    const auto precision = ddla::words_of<F> == 1 ? ddla::factor_precision::in_double
                                                  : ddla::factor_precision::in_double_double;
    CHECK(
        ddla::solve(a, right, automatic, {.factorisation = {.factors = precision}}).solution_hash ==
        report.solution_hash);
}

TEST_CASE("large factors take new values by their analysis")
{
    const auto a = ddla::generate::convection_diffusion(18, 18, 18);
    const ddla::lu_factors<double> first(a);
    const auto wanted = solution_by(first);
    ddla::lu_factors<double> f = first;
    REQUIRE(f.refactor(a));
    CHECK(test::same_bits(solution_by(f), wanted));
    const auto later = changed(a, 0.1);
    REQUIRE(f.refactor(later));
    REQUIRE(are_by_supernodes(f));
    const ddla::vector<dd_real> b(a.rows(), dd_real(1));
    ddla::vector<dd_real> x(a.rows());
    const auto report = ddla::solve(later, b, x, f);
    CHECK(report.status == ddla::solve_status::converged);
    CHECK(report.iterations < 6);
    CHECK(residual(later, x, b) < 1e-28);
    CHECK(test::same_bits(solution_by(first), wanted));
    // No pivot of the same analysis: x of the old values stays.
    const auto before = solution_by(f);
    CHECK_FALSE(f.refactor(test::with_same_pattern(a, ddla::vector<double>(a.nonzeros()))));
    CHECK(test::same_bits(solution_by(f), before));
    REQUIRE(f.refactor(a));
    CHECK(test::same_bits(solution_by(f), wanted));
}

TEST_CASE("a preconditioner of large factors has the bits of their solves")
{
    const auto a = ddla::generate::convection_diffusion(18, 18, 18);
    ddla::lu_factors<double> f(a);
    const auto r = test::random_vector<double>(a.rows(), 4);
    ddla::vector<double> z(a.rows()), truth(a.rows());
    for (const bool again : {false, true}) {
        if (again) REQUIRE(f.refactor(changed(a, 0.1)));
        REQUIRE(are_by_supernodes(f));
        f.solve(r, truth);
        ddla::preconditioner<double>::lu(f).apply(r, z);
        CHECK(test::same_bits(z, truth));
        // In both precisions, as solves in double-double with corrections in double take it.
        ddla::preconditioner<dd_real>::lu(f).in_double()->apply(r, z);
        CHECK(test::same_bits(z, truth));
    }
}

TEST_CASE("large factors whose static pivots are weak are made by columns")
{
    // Beside a grid two equal rows, of which the second has no pivot.
    const auto grid = ddla::generate::convection_diffusion(18, 18, 18);
    const index_t n = grid.rows();
    ddla::coordinates<double> c{.rows = n + 2, .columns = n + 2};
    for (index_t i = 0; i < n; ++i)
        for (index_t k = grid.view().row_begin[i]; k < grid.view().row_begin[i + 1]; ++k)
            c.add(i, grid.view().column[k], grid.view().value.get(k));
    for (const index_t i : {n, n + 1}) c.add(i, n, 1), c.add(i, n + 1, 1);
    const ddla::lu_factors<double> f{ddla::csr_matrix<double>(c)};
    CHECK_FALSE(are_by_supernodes(f));
    CHECK(f.about().rank == n + 1);
    // Limits of either kind are told.
    CHECK_THROWS_AS(ddla::lu_factors<double>(grid, {.most_work = 1e-4}), ddla::limit_error);
    CHECK_THROWS_AS(ddla::lu_factors<double>(grid, {.most_memory = 1000}), ddla::limit_error);
}
