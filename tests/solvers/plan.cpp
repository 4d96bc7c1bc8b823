// What is told of a solve before it is carried out.
#include "catch.hpp"
#include "support/memory_of_solves.hpp"
#include "support/methods.hpp"
#include "support/shapes.hpp"

#include "ddla/error.hpp"
#include "ddla/generate.hpp"
#include "ddla/plan.hpp"
#include "solve/plan.hpp"

#include <fstream>
#include <set>
#include <sstream>

using ddla::dd_real;
using ddla::method;
using ddla::planned_stage;
using ddla::preconditioning;
using ddla::solve_options;
using ddla::vector;
using strings = std::vector<std::string>;

namespace {

using matrix = ddla::csr_matrix<double>;

/// Without what happened to it.
std::string plain(std::string name)
{
    for (const std::string what : {", too large", ", not possible"})
        if (name.ends_with(what)) name.resize(name.size() - what.size());
    return name;
}

bool is_where_needed(const std::string& name)
{
    return name == "rank modulo a prime" || name == "zeros modulo a prime";
}

/// The stages that were carried out, without the rank and zeros, and what begins again after them.
strings way_of(const ddla::solve_report& report)
{
    strings way;
    for (const ddla::solve_stage& s : report.plan) {
        const std::string name = plain(s.name);
        if (is_where_needed(name) || (!way.empty() && way.back() == name)) continue;
        way.push_back(name);
    }
    return way;
}

strings names_of(const std::vector<planned_stage>& plan)
{
    strings names;
    for (const planned_stage& s : plan)
        if (s.is_reported) names.push_back(s.name);
    return names;
}

/// The first name that is not in `plan` behind those before it; empty if there is none.
std::string strays(const strings& way, const strings& plan)
{
    auto at = plan.begin();
    for (const std::string& name : way) {
        at = std::find(at, plan.end(), name);
        if (at == plan.end()) return name;
        ++at;
    }
    return "";
}

template <class T>
ddla::solve_report check_way(const matrix& a, const vector<T>& b, const solve_options& options)
{
    vector<T> x(a.columns());
    const strings planned = names_of(ddla::plan_solve(a, b, x, options));
    const ddla::solve_report report = ddla::solve(a, b, x, options);
    CHECK(strays(way_of(report), planned) == "");
    for (const ddla::solve_stage& s : report.plan)
        CHECK(std::count(planned.begin(), planned.end(), plain(s.name)) > 0);
    return report;
}

matrix tall()
{
    return test::matrix_of({{1, 2}, {3, 5}, {7, 11}, {13, 18}});
}

/// The lines of the page that are rows of a table: the cells, without blanks around them.
std::vector<strings> rows_of_page(const std::string& heading)
{
    std::ifstream page(DDLA_HARD_SYSTEMS);
    std::vector<strings> rows;
    bool is_in_section = false;
    for (std::string line; std::getline(page, line);) {
        if (line.starts_with("## ")) is_in_section = line == heading;
        if (!is_in_section || !line.starts_with("| ")) continue;
        strings cells;
        std::istringstream all(line.substr(1));
        for (std::string cell; std::getline(all, cell, '|');)
            cells.push_back(cell.substr(1, cell.size() - 2));
        rows.push_back(cells);
    }
    return rows;
}

}  // namespace

TEST_CASE("a solve goes a way that its plan has told", "[solvers]")
{
    const solve_options too_large{.factorisation = {.most_work = 1e-9}};
    solve_options limited = too_large, no_fill = too_large, unreachable = too_large;
    limited.max_iterations = 3;
    no_fill.preconditioner.most_fill = 0.5;
    unreachable.tolerance = 1e-40;
    unreachable.max_iterations = 4000;
    const matrix systems[] = {ddla::generate::poisson2d(20, 20),
                              ddla::generate::convection_diffusion(7, 7, 7),
                              ddla::generate::hilbert_like<double>(14, 13),
                              ddla::generate::toeplitz(150, 1.7),
                              test::matrix_of({{1, 2, 3}, {2, 4, 6}, {1, 0, 1}}),
                              test::matrix_of({{0, 1e-200, 1}, {1, 0, 0}, {0, 1, 1e-250}}),
                              tall()};
    for (const matrix& a : systems) {
        INFO(a.rows() << " x " << a.columns() << ", " << a.nonzeros());
        for (const solve_options& o :
             {solve_options{},
              solve_options{.factorisation = {.factors = ddla::factor_precision::in_double}},
              solve_options{.factorisation = {.factors = ddla::factor_precision::in_double_double}},
              too_large, limited, no_fill, unreachable}) {
            check_way(a, vector<double>(a.rows(), 1.0), o);
            check_way(a, vector<dd_real>(a.rows(), dd_real(1)), o);
        }
        if (a.rows() == a.columns())
            check_way(a, vector<dd_real>(a.rows(), dd_real(1)), {.certify = true});
    }
}

TEST_CASE("a plan has stages that solves reach", "[solvers]")
{
    const matrix a = ddla::generate::poisson2d(30, 30);
    const vector<dd_real> b(a.rows(), dd_real(1));
    solve_options o{.tolerance = 1e-40, .factorisation = {.most_work = 1e-9}};
    const auto all = check_way(a, b, o);
    vector<dd_real> x(a.rows());
    strings planned = names_of(ddla::plan_solve(a, b, x, o));
    planned.erase(planned.begin() + 1, std::find(planned.begin(), planned.end(), "ic"));
    // Nothing converges: all but the smallest factors, which follow where ilu(2) is too large, and
    // CG in the solve's precision, which follows what brought three digits.
    const auto smallest = std::find(planned.begin(), planned.end(), "ilu(0)");
    planned.erase(smallest, smallest + 3);
    CHECK(way_of(all) == planned);
    const auto refined =
        check_way(a, b, {.method = method::refinement, .precond = preconditioning::ic});
    CHECK(way_of(refined) == strings{"ic", "cg in double"});
    const auto fit = check_way(tall(), vector<dd_real>(4, dd_real(1)), {});
    CHECK(way_of(fit) == strings{"factor in double, L D L^T", "refine"});
}

TEST_CASE("a plan tells the memory of iterations", "[solvers]")
{
    const matrix a = ddla::generate::poisson3d(20, 20, 20);
    const vector<dd_real> b(a.rows(), dd_real(1));
    vector<dd_real> x(a.rows());
    for (const method m : test::square_methods())
        for (const auto p : {preconditioning::none, preconditioning::jacobi}) {
            INFO(to_string(m) << ", " << to_string(p));
            const solve_options o{.method = m, .precond = p, .max_iterations = 3};
            const auto plan = ddla::plan_solve(a, b, x, o);
            REQUIRE(plan.size() == 1);
            CHECK(plan[0].most_iterations == 3);
            CHECK(plan[0].work.is_at_most);
            CHECK_FALSE(plan[0].bytes.is_at_most);
            vector<dd_real> y(a.rows());
            const std::size_t taken = ddla::solve(a, b, y, o).peak_bytes;
            const std::size_t system = (a.rows() + 1) * 8 + a.nonzeros() * 12 + 2 * a.rows() * 16;
            CHECK(test::nearly(taken, system + static_cast<std::size_t>(plan[0].bytes.amount)));
        }
    // Ten multiplications in double for one in double-double, two products an iteration.
    const auto plan = ddla::plan_solve(a, b, x, {.method = method::bicgstab, .max_iterations = 7});
    CHECK(plan[0].work.amount == 7.0 * 2 * 10 * static_cast<double>(a.nonzeros()));
}

TEST_CASE("a plan tells the limits of factors", "[solvers]")
{
    const matrix a = ddla::generate::poisson2d(5, 5);
    const vector<double> b(25, 1.0), x(25);
    const auto plan =
        ddla::plan_solve(a, b, x, {.factorisation = {.most_work = 0.5, .most_memory = 1000}});
    CHECK(plan[0].name == "factor in double, L L^T");
    CHECK_FALSE(plan[0].bytes.is_at_most);
    CHECK(plan[0].bytes.amount > 1000);
    CHECK(plan[0].limit.find("most_memory allows, 1000 bytes") != std::string::npos);
    CHECK(plan[1].name == "factor in double");
    CHECK(plan[1].work.amount == 0.5e9);
    CHECK(plan[1].bytes.amount == 1000);
    CHECK(plan[1].work.is_at_most);
    CHECK(plan[1].bytes.is_at_most);
    const auto jacobi = ddla::plan_solve(
        a, b, x, {.method = method::refinement, .precond = preconditioning::jacobi});
    CHECK(jacobi[0].work.amount == 25);
    CHECK(jacobi[0].bytes.amount == 25 * 8);
    CHECK_FALSE(jacobi[0].bytes.is_at_most);
}

TEST_CASE("a plan is refused where its solve is", "[solvers]")
{
    const matrix a = test::matrix_of({{0, 1}, {1, 0}});
    const vector<dd_real> b(2, dd_real(1)), x(2), long_x(3), infinite(2, dd_real(HUGE_VAL));
    const solve_options jacobi{.method = method::bicgstab, .precond = preconditioning::jacobi};
    const auto refused = [&](const auto& rhs, const auto& guess, const solve_options& o) {
        std::string planned, solved;
        try {
            ddla::plan_solve(a, rhs, guess, o);
        } catch (const ddla::input_error& e) {
            planned = e.what();
        }
        try {
            auto y = guess;
            ddla::solve(a, rhs, y, o);
        } catch (const ddla::input_error& e) {
            solved = e.what();
        }
        CHECK(planned == solved);
        return !planned.empty();
    };
    CHECK_FALSE(refused(b, x, {}));
    CHECK(refused(b, x, jacobi));
    CHECK(refused(b, long_x, {}));
    CHECK(refused(infinite, x, {}));
    CHECK(refused(b, x, {.digits = 99}));
    CHECK(refused(b, x, {.method = method::cg, .digits = 5}));
    vector<dd_real> same(2, dd_real(1));
    CHECK_THROWS_AS(ddla::plan_solve(a, b, x, same, {.method = method::cg}), ddla::input_error);
    const auto four = ddla::plan_solve(a, b, x, same, {.digits = 40});
    CHECK(std::none_of(four.begin(), four.end(),
                       [](const planned_stage& s) { return s.most_iterations > 0; }));
}

TEST_CASE("a plan of a function or with a preconditioner is refused where its solve is",
          "[solvers]")
{
    const vector<dd_real> b(2, dd_real(1)), x(2), long_b(3, dd_real(1));
    const ddla::linear_operator<dd_real> f(2, 2, [](auto, auto) { FAIL("called"); });
    const ddla::preconditioner<dd_real> k("mine", 2, [](auto, auto) { FAIL("called"); });
    const ddla::preconditioner<dd_real> large("mine", 3, [](auto, auto) { FAIL("called"); });
    const matrix a = test::matrix_of({{2, 1}, {1, 3}});
    const ddla::linear_operator<dd_real> of_a(a);
    const auto refused = [&](const auto& system, const auto& with, const auto& rhs,
                             const solve_options& o) {
        std::string planned, solved;
        try {
            ddla::plan_solve(system, with, rhs, x, o);
        } catch (const ddla::input_error& e) {
            planned = e.what();
        }
        try {
            auto y = x;
            ddla::solve(system, with, rhs, y, o);
        } catch (const ddla::input_error& e) {
            solved = e.what();
        }
        CHECK(planned == solved);
        return !planned.empty();
    };
    const solve_options jacobi{.method = method::bicgstab, .precond = preconditioning::jacobi};
    CHECK(refused(f, ddla::preconditioner<dd_real>(), b, jacobi));
    CHECK(refused(f, k, b, {.method = method::refinement}));
    CHECK(refused(f, large, b, {}));
    CHECK(refused(f, k, long_b, {}));
    CHECK(refused(a, large, b, {}));
    CHECK(refused(a, k, b, jacobi));
    // What is a matrix in an operator is planned as one.
    const auto names = [](const auto& plan) { return names_of(plan); };
    CHECK(names(ddla::plan_solve(of_a, b, x)) == names(ddla::plan_solve(a, b, x)));
    CHECK(names(ddla::plan_solve(f, b, x)).front() == "bicgstab");
    CHECK(ddla::plan_solve(a, k, b, x).front().name == "factor in double, L L^T");
    const vector<double> in_double(2, 1.0), guess(2);
    const ddla::preconditioner<double> also("mine", 2, [](auto, auto) { FAIL("called"); });
    CHECK(names(ddla::plan_solve(a, also, in_double, guess, {.method = method::refinement})) ==
          strings{"bicgstab in double"});
    CHECK(refused(a, k, b, {.method = method::refinement}));  // code for double-double
}

TEST_CASE("the table of the page on hard systems is the plan", "[solvers]")
{
    const auto rows = rows_of_page("## The plan");
    REQUIRE(rows.size() > 20);
    std::set<strings> of_plans;
    const auto look = [&](const matrix& a, const solve_options& options) {
        const vector<dd_real> b(a.rows(), dd_real(1)), x(a.columns());
        auto at = rows.begin();
        for (const planned_stage& s : ddla::plan_solve(a, b, x, options)) {
            const strings row{s.name, s.does, s.follows};
            INFO(s.name << " | " << s.does << " | " << s.follows);
            // The first time a stage is behind those before it.
            if (of_plans.insert(row).second) {
                at = std::find(at, rows.end(), row);
                REQUIRE(at != rows.end());
            }
        }
    };
    look(ddla::generate::poisson2d(4, 4), {.certify = true});
    look(ddla::generate::toeplitz(20, 1.7), {});
    look(ddla::generate::convection_diffusion(6, 6, 6), {});
    look(tall(), {});
    for (const strings& row : rows) {
        INFO(row[0]);
        const bool is_head = row[0] == "stage";
        CHECK((is_head || of_plans.count(row) == 1));
    }
}

TEST_CASE("the seconds of a solve are those of its stages, or more", "[solvers]")
{
    const matrix a = ddla::generate::poisson2d(40, 40);
    const vector<dd_real> b(a.rows(), dd_real(1));
    for (const solve_options& o :
         {solve_options{}, solve_options{.factorisation = {.most_work = 1e-9}},
          solve_options{.method = method::bicgstab, .precond = preconditioning::ilu},
          solve_options{.method = method::refinement, .precond = preconditioning::ic}}) {
        vector<dd_real> x(a.rows());
        const auto report = ddla::solve(a, b, x, o);
        double stages = 0;
        for (const ddla::solve_stage& s : report.plan) stages += s.seconds;
        CHECK(stages > 0);
        CHECK(report.seconds >= stages * (1 - 1e-9));
        CHECK(report.plan.back().iterations == report.iterations);
    }
}

TEST_CASE("several systems have one plan, and each is checked", "[solvers]")
{
    const matrix a = ddla::generate::poisson2d(5, 5);
    const ddla::preconditioner<double> none;
    const vector<double> b(25, 1.0), bad(25, HUGE_VAL), x(25);
    const std::vector<vector<double>> two{b, b}, guesses{x, x}, nothing;
    CHECK(names_of(ddla::plan_solve(a, none, two, guesses)) == names_of(ddla::plan_solve(a, b, x)));
    CHECK_THROWS_AS(ddla::plan_solve(a, none, std::vector{bad, b}, guesses), ddla::input_error);
    CHECK_THROWS_AS(ddla::plan_solve(a, none, std::vector{b, bad}, guesses), ddla::input_error);
    CHECK_THROWS_AS(ddla::plan_solve(a, none, std::vector{b}, guesses), ddla::input_error);
    CHECK_THROWS_AS(ddla::plan_solve(a, none, nothing, nothing), ddla::input_error);
}
