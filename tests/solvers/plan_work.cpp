// What a plan says of work, against the work that is counted while solves are carried out.
//
// Counts that ddla does not make itself: products with A, by a function that counts its calls;
// applications of a preconditioner, likewise; multiplications of LU of a full matrix, by the
// formula.
#include "catch.hpp"
#include "support/methods.hpp"
#include "support/shapes.hpp"

#include "answer/answer.hpp"
#include "direct/answer_request.hpp"
#include "refine/augmented.hpp"

#include "ddla/blas.hpp"
#include "ddla/generate.hpp"
#include "ddla/plan.hpp"

#include <array>
#include <cmath>
#include <map>
#include <set>

using ddla::dd_real;
using ddla::index_t;
using ddla::method;
using ddla::planned_stage;
using ddla::preconditioning;
using ddla::solve_options;
using ddla::vector;

namespace {

using matrix = ddla::csr_matrix<double>;
using plan = std::vector<planned_stage>;

/// Without what happened to it.
std::string plain(std::string name)
{
    const std::string what = ", too large";
    if (name.ends_with(what)) name.resize(name.size() - what.size());
    return name;
}

/// What a solve by factors has counted.
struct counted_solve {
    ddla::refine::answer answer;
    plan planned;
    double size = 0;  ///< rows of what was factored
};

counted_solve solve_square(const matrix& a, const vector<dd_real>& b, const solve_options& o,
                           int words)
{
    const vector<dd_real> guess(a.rows());
    vector<dd_real> x(a.rows()), low(words == 4 ? a.rows() : 0);
    const ddla::refine::host_system<double> system(a.view(), b.view());
    const auto goal =
        o.method == method::automatic ? ddla::solve_goal::digits : ddla::solve_goal::residual;
    counted_solve done;
    done.answer = ddla::refine::find_answer(system, {x.view(), low.view()},
                                            ddla::api::request_of(o, words, goal));
    done.planned =
        words == 4 ? ddla::plan_solve(a, b, guess, low, o) : ddla::plan_solve(a, b, guess, o);
    done.size = static_cast<double>(a.rows());
    return done;
}

counted_solve solve_least_squares(const matrix& a, const vector<dd_real>& b, const solve_options& o)
{
    const auto k = ddla::refine::augmented(a.view(), b.view());
    vector<dd_real> y(k.matrix.rows());
    const ddla::refine::host_system<double> system(k.matrix.view(), k.right_hand_side.view());
    auto request = ddla::api::request_of(o, 2, ddla::solve_goal::digits);
    request.least_squares = {k.x, [&](auto of_y) { return system.relative_residual(of_y); }};
    const ddla::refine::least_squares_matrix<double> of{a.view(), k.alpha};
    counted_solve done;
    done.answer = ddla::refine::find_answer(system, {y.view()}, request, &of);
    done.planned = ddla::plan_solve(a, b, vector<dd_real>(a.columns()), o);
    done.size = static_cast<double>(k.matrix.rows());
    return done;
}

/// The counted work of a stage of the plan, and whether a limit ended it.
struct stage_work {
    double work = 0;
    bool has_passed = false;
};

/// Of each stage of the plan: what is carried out where it is needed, and begins again behind it,
/// is one.
std::map<std::size_t, stage_work> work_of_stages(const counted_solve& done)
{
    const auto& stages = done.answer.plan;
    REQUIRE(done.answer.work.size() == stages.size());
    std::map<std::size_t, stage_work> all;
    std::size_t at = 0;
    for (std::size_t k = 0; k < stages.size(); ++k) {
        const std::string name = plain(stages[k].name);
        // Told once, they follow whatever asks for them.
        const bool anywhere = name == "rank modulo a prime" || name == "zeros modulo a prime" ||
                              name == "prove a bound";
        std::size_t to = anywhere ? 0 : at;
        while (to < done.planned.size() && done.planned[to].name != name) ++to;
        INFO(name);
        REQUIRE(to < done.planned.size());
        all[to].work += done.answer.work[k];
        all[to].has_passed = stages[k].passed || name != stages[k].name;
        if (!anywhere) at = to;
    }
    return all;
}

/// Returns the names of the stages that counted any work.  `step`: of elimination, at most.
std::set<std::string> check_counts(const counted_solve& done, double step)
{
    constexpr double in_double_double = 10;
    std::set<std::string> seen;
    for (const auto& [k, counted] : work_of_stages(done)) {
        const planned_stage& s = done.planned[k];
        INFO(s.name << ": " << counted.work << " of " << s.work.amount);
        // Factors end with the step that passes their limit, those of null vectors, too.
        const bool may_pass = counted.has_passed || s.name == "rank modulo a prime";
        if (s.work.is_at_most)
            CHECK(counted.work <= s.work.amount + (may_pass ? step * in_double_double : 0));
        else  // less where a limit, before it begins, or a pivot ends it
            CHECK(counted.work <= (counted.has_passed ? 0 : s.work.amount));
        if (counted.work > 0) seen.insert(s.name);
    }
    return seen;
}
double full_step(const counted_solve& done)
{
    return done.size * done.size / 2;
}
std::set<std::string> check_counts(const counted_solve& done)
{
    return check_counts(done, full_step(done));
}

/// Limits that the factors of A just fit in: counted before.
double tight_work(const matrix& a, const solve_options& o = {})
{
    const vector<dd_real> b(a.rows(), dd_real(1));
    const auto done = solve_square(a, b, o, 2);
    return std::max(done.answer.work.front(), 1.0) / 1e9;
}

/// Three diagonals.
matrix chain(index_t n, double end, double middle, double beside)
{
    std::vector<index_t> begin{0};
    std::vector<ddla::column_t> column;
    std::vector<double> value;
    for (index_t i = 0; i < n; ++i) {
        for (index_t j = std::max<index_t>(i - 1, 0); j <= std::min(i + 1, n - 1); ++j) {
            column.push_back(static_cast<ddla::column_t>(j));
            value.push_back(i != j ? beside : i == 0 || i == n - 1 ? end : middle);
        }
        begin.push_back(static_cast<index_t>(column.size()));
    }
    vector<double> values(static_cast<index_t>(value.size()));
    for (std::size_t k = 0; k < value.size(); ++k) values.set(static_cast<index_t>(k), value[k]);
    return {n, n, std::move(begin), std::move(column), std::move(values)};
}

/// The columns are nearly one.
matrix powers(index_t rows, index_t columns)
{
    std::vector<std::vector<double>> a(static_cast<std::size_t>(rows));
    for (std::size_t i = 0; i < a.size(); ++i)
        for (index_t j = 0; j < columns; ++j)
            a[i].push_back(std::pow(1.7e9 + 60 * static_cast<double>(i), static_cast<double>(j)));
    return test::matrix_of(a);
}

/// x = (1, 0, 1, 0, 1) for b of the sums of these columns, and its zeros are not in the pattern.
matrix hiding_zeros()
{
    return test::matrix_of(
        {{3, 1, 2, 7, 1}, {1, 5, 1, 3, 9}, {2, 1, 7, 1, 4}, {6, 3, 5, 11, 2}, {1, 8, 9, 2, 13}});
}
vector<dd_real> sums_of_odd()
{
    constexpr std::array sums{6, 11, 13, 13, 23};
    vector<dd_real> b(5);
    for (index_t i = 0; i < 5; ++i) b.set(i, dd_real(sums[static_cast<std::size_t>(i)]));
    return b;
}

/// y = A x, and counts.
template <class T>
ddla::linear_operator<T> counting(const matrix& a, std::int64_t& count)
{
    return {a.rows(), a.columns(), [&](ddla::vec<const T> x, ddla::vec<T> y) {
                ++count;
                vector<T> from(x.size), to(y.size);
                for (index_t i = 0; i < x.size; ++i) from.set(i, x.get(i));
                ddla::spmv(T(1), a, from, T(0), to);
                for (index_t i = 0; i < y.size; ++i) y.set(i, to[i]);
            }};
}

}  // namespace

TEST_CASE("stages by factors take no more than a plan says", "[solvers]")
{
    const matrix grid = ddla::generate::poisson2d(20, 20);
    const matrix systems[] = {grid, ddla::generate::hilbert_like<double>(14, 13),
                              ddla::generate::toeplitz(150, 1.7),
                              test::matrix_of({{1, 2, 3}, {2, 4, 6}, {1, 0, 1}}),
                              test::matrix_of({{0, 1e-200, 1}, {1, 0, 0}, {0, 1, 1e-250}})};
    std::set<std::string> seen;
    for (const matrix& a : systems) {
        const vector<dd_real> b(a.rows(), dd_real(1));
        const double tight = tight_work(a);
        for (const auto factors :
             {ddla::factor_precision::automatic, ddla::factor_precision::in_double,
              ddla::factor_precision::in_double_double})
            for (const double most_work : {4.0, tight, tight / 2})
                for (const int words : {2, 4}) {
                    INFO(a.rows() << " rows, " << most_work << ", " << words << " words");
                    solve_options o;
                    o.factorisation = {.factors = factors, .most_work = most_work};
                    o.certify = words == 2;
                    seen.merge(check_counts(solve_square(a, b, o, words)));
                }
    }
    seen.merge(check_counts(solve_square(hiding_zeros(), sums_of_odd(), {}, 2)));
    for (const char* name :
         {"factor in double, L L^T", "factor in double", "refine", "rank modulo a prime",
          "zeros modulo a prime", "prove a bound", "refine by GMRES", "factor in double-double"}) {
        INFO(name);
        CHECK(seen.count(name) == 1);
    }
}

TEST_CASE("where factors take little, corrections take no more than a plan says", "[solvers]")
{
    // One multiplication a row; a correction takes some thirty, beyond what conditions may take.
    constexpr double step = 8;
    const matrix regular = chain(30000, 2.5, 2.75, -1.25), singular = chain(3000, 1, 2, -1);
    for (const matrix& a : {regular, singular}) {
        const vector<dd_real> b(a.rows(), dd_real(1));
        solve_options o;
        o.factorisation.ordering = ddla::column_ordering::natural;  // of LU
        o.factorisation.most_work = tight_work(a, o);
        for (const int words : {2, 4}) {
            INFO(a.rows() << " rows, " << words << " words");
            const auto done = solve_square(a, b, o, words);
            const auto seen = check_counts(done, step);
            CHECK(seen.count(a.rows() == regular.rows() ? "refine" : "rank modulo a prime") == 1);
        }
    }
}

TEST_CASE("stages of least squares take no more than a plan says", "[solvers]")
{
    std::set<std::string> seen;
    for (const matrix& a : {test::matrix_of({{1, 2}, {3, 5}, {7, 11}, {13, 18}}), powers(20, 4),
                            powers(20, 5), ddla::transpose(powers(20, 4))}) {
        vector<dd_real> b(a.rows());
        for (index_t i = 0; i < b.size(); ++i)
            b.set(i, dd_real(1 / (1.0 + static_cast<double>(i))));
        for (const double most_work : {4.0, 1e-5, 1e-6})
            for (const auto order :
                 {ddla::column_ordering::automatic, ddla::column_ordering::natural}) {
                INFO(a.rows() << " x " << a.columns() << ", " << most_work);
                solve_options o;
                o.factorisation = {.ordering = order, .most_work = most_work};
                seen.merge(check_counts(solve_least_squares(a, b, o)));
            }
    }
    for (const char* name : {"factor in double, L D L^T", "factor in double", "refine",
                             "factor in double-double, L D L^T", "factor in double-double, QR"}) {
        INFO(name);
        CHECK(seen.count(name) == 1);
    }
}

TEST_CASE("the work of factors and corrections is counted as it is done", "[solvers]")
{
    const index_t n = 40;
    std::vector<std::vector<double>> full(n);
    for (std::size_t i = 0; i < full.size(); ++i)
        for (std::size_t j = 0; j < full.size(); ++j)
            full[i].push_back(1 / (1.0 + static_cast<double>((7 * i + 3 * j) % 41)) +
                              (i == j ? 5 : 0));
    const matrix a = test::matrix_of(full);
    const auto done = solve_square(a, vector<dd_real>(n, dd_real(1)), {}, 2);
    REQUIRE(done.answer.plan.size() == 2);
    // Column k takes k (k - 1) / 2 by those before it below their diagonal, and all rows below.
    double lu = 0;
    for (index_t k = 0; k < n; ++k) lu += static_cast<double>((n - 1 - k) * (n - 1 - k));
    CHECK(done.answer.work[0] == lu);
    // Each solve uses n^2 entries of the factors, at two each; a residual the n^2 of A, at ten.
    const double correction = (2 + 10) * static_cast<double>(n * n);
    const double corrections = done.answer.work[1] / correction;
    CHECK(corrections == std::floor(corrections));
    // The probe, a correction more than were added, and conditions.
    CHECK(corrections >= static_cast<double>(4 + done.answer.steps + 1 + 8));
}

TEMPLATE_TEST_CASE("iterations multiply with A as often as a plan says", "[solvers]", double,
                   dd_real)
{
    const matrix flow = ddla::generate::convection_diffusion(8, 8, 8);
    const matrix grid = ddla::generate::poisson3d(8, 8, 8);
    const double unit = sizeof(TestType) == sizeof(double) ? 1 : 10;
    for (const method m : test::square_methods())
        for (const std::int64_t iterations : {1, 3, 4, 10}) {
            const matrix& a = test::needs_symmetry(m) ? grid : flow;
            solve_options o{.method = m, .tolerance = 1e-40, .max_iterations = iterations};
            o.restart = 3;
            INFO(to_string(m) << ", " << iterations);
            const vector<TestType> b(a.rows(), TestType(1));
            const auto count_of = [&](std::int64_t most) {
                std::int64_t count = 0;
                vector<TestType> x(a.rows());
                o.max_iterations = most;
                const auto report = ddla::solve(counting<TestType>(a, count), b, x, o);
                CHECK(report.iterations == most);
                return count;
            };
            const std::int64_t all = count_of(iterations), first = count_of(1);
            o.max_iterations = 1;
            const double of_one =
                ddla::plan_solve(a, b, vector<TestType>(a.rows()), o)[0].work.amount;
            o.max_iterations = iterations;
            const auto planned = ddla::plan_solve(a, b, vector<TestType>(a.rows()), o);
            const double product = unit * static_cast<double>(a.nonzeros());
            REQUIRE(planned.size() == 1);
            CHECK(planned[0].most_iterations == iterations);
            // Residuals before the first and after the last iteration are as many for one.
            CHECK(planned[0].work.amount - of_one == static_cast<double>(all - first) * product);
            CHECK(planned[0].work.amount <= static_cast<double>(all) * product);
            CHECK(planned[0].work.amount >= static_cast<double>(all - 3) * product);
            std::int64_t none = 0;
            const auto of_function =
                ddla::plan_solve(counting<TestType>(a, none), b, vector<TestType>(a.rows()), o);
            CHECK(none == 0);
            REQUIRE(of_function.size() == 1);
            CHECK(std::isnan(of_function[0].work.amount));
            CHECK(of_function[0].most_iterations == iterations);
            CHECK(of_function[0].bytes.amount == planned[0].bytes.amount);
        }
}

TEST_CASE("corrections apply a preconditioner no more often than a plan has products", "[solvers]")
{
    const matrix a = ddla::generate::poisson3d(8, 8, 8);
    const vector<dd_real> b(a.rows(), dd_real(1));
    for (const bool is_definite : {false, true})
        for (const std::int64_t iterations : {2, 7, 1000}) {
            std::int64_t count = 0;
            ddla::preconditioner<double> k("sixth", a.rows(),
                                           [&](ddla::vec<const double> r, ddla::vec<double> z) {
                                               ++count;
                                               for (index_t i = 0; i < r.size; ++i)
                                                   z.set(i, r.get(i) / 6);
                                           });
            k.set_symmetric_positive(is_definite);
            const solve_options o{.method = method::refinement, .max_iterations = iterations};
            vector<double> x(a.rows()), right(a.rows(), 1.0);
            const auto planned = ddla::plan_solve(a, k, right, x, o);
            CHECK(count == 0);
            REQUIRE(planned.size() == 1);
            CHECK(planned[0].name == (is_definite ? "cg in double" : "bicgstab in double"));
            const auto report = ddla::solve(a, k, right, x, o);
            CHECK(report.iterations <= planned[0].most_iterations);
            CHECK(report.iterations > 0);
            const double products = planned[0].work.amount / static_cast<double>(a.nonzeros());
            CHECK(products == static_cast<double>(iterations * (is_definite ? 1 : 2)));
            // CG applies it to the first residual of each search, too.
            CHECK(static_cast<double>(count) <= products + 1 + 40);
            CHECK(count >= report.iterations);
        }
}

TEST_CASE("preconditioners and iterations stay below the figures of a plan", "[solvers]")
{
    const matrix grid = ddla::generate::poisson3d(9, 9, 9);
    const vector<dd_real> b(grid.rows(), dd_real(1));
    for (const auto p :
         {preconditioning::ilu, preconditioning::ilut, preconditioning::ic,
          preconditioning::block_jacobi, preconditioning::polynomial, preconditioning::lu}) {
        INFO(to_string(p));
        const solve_options o{.method = method::cg, .precond = p};
        vector<dd_real> x(grid.rows());
        const auto planned = ddla::plan_solve(grid, b, x, o);
        REQUIRE(planned.size() == 2);
        const auto report = ddla::solve(grid, b, x, o);
        REQUIRE(report.preconditioner);
        CHECK(report.preconditioner->built.operations <= planned[0].work.amount);
        CHECK((report.preconditioner->built.operations > 0 || p == preconditioning::polynomial));
        CHECK(report.iterations <= planned[1].most_iterations);
    }
    // Automatic ones: iterations of each stage.
    for (const matrix& a : {grid, ddla::generate::convection_diffusion(9, 9, 9)}) {
        solve_options o{.tolerance = 1e-40, .factorisation = {.most_work = 1e-9}};
        o.max_iterations = 3000;
        vector<dd_real> x(a.rows());
        const auto planned = ddla::plan_solve(a, b, x, o);
        const auto report = ddla::solve(a, b, x, o);
        std::int64_t before = 0;
        std::size_t at = 0;
        int iterated = 0;
        for (const ddla::solve_stage& s : report.plan) {
            std::string name = plain(s.name);
            while (at < planned.size() && name.rfind(planned[at].name, 0) != 0) ++at;
            INFO(s.name);
            REQUIRE(at < planned.size());
            CHECK(s.iterations - before <= planned[at].most_iterations);
            iterated += s.iterations > before;
            before = s.iterations;
            ++at;
        }
        CHECK(iterated >= 4);
    }
}
