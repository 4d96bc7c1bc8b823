// What a plan counts of factors by supernodes, against the factors that a solve makes, which a
// solve by itself reports.
#include "catch.hpp"
#include "support/shapes.hpp"

#include "answer/static_symmetric.hpp"
#include "direct/answer_request.hpp"

#include "ddla/generate.hpp"
#include "ddla/matrix_market.hpp"
#include "ddla/plan.hpp"
#include "ddla/watched_scope.hpp"

#include <cstdlib>
#include <filesystem>

using namespace ddla::refine;
using ddla::dd_real;
using ddla::factor_precision;
using ddla::index_t;
using ddla::planned_stage;
using ddla::solve_options;
using ddla::vector;

namespace {

using matrix = ddla::csr_matrix<double>;

std::vector<planned_stage> planned(const matrix& a, const solve_options& o)
{
    return ddla::plan_solve(a, vector<dd_real>(a.rows(), dd_real(1)), vector<dd_real>(a.columns()),
                            o);
}

const planned_stage& named(const std::vector<planned_stage>& plan, std::string_view name)
{
    for (const planned_stage& s : plan)
        if (s.name == name) return s;
    FAIL("no stage " << name);
    return plan.front();
}

bool is_counted(const planned_stage& s)
{
    return s.entries > 0;
}

bool go_on(double)
{
    return true;
}

/// A stage beside the report of factors that end at a limit, in their numbers, or not at all.
template <class F, class Report>
void check_counts(const planned_stage& s, const Report& about, const solve_options& o)
{
    const auto limit = limit_passed_by_supernodes<F>(about, o.factorisation);
    INFO(s.name);
    CHECK(s.entries == about.entries);
    CHECK(s.bytes.amount == static_cast<double>(about.bytes));
    CHECK_FALSE(s.bytes.is_at_most);
    CHECK(s.work.amount == work_of_supernodes<F>(about.operations));
    CHECK_FALSE(s.work.is_at_most);
    CHECK(s.limit == (limit ? limit->text : ""));
}

void check_not_counted(const planned_stage& s, const solve_options& o)
{
    INFO(s.name);
    CHECK(s.entries == 0);
    CHECK(s.work.amount == o.factorisation.most_work * 1e9);
    CHECK(s.work.is_at_most);
    CHECK(s.bytes.is_at_most);
    CHECK(s.limit == "");
}

/// Whether L D L^T takes the place of LU.
template <class F>
bool check_symmetric(const matrix& a, const planned_stage& s, const solve_options& o)
{
    using namespace ddla::factor;
    if (!may_be_static_symmetric(a.rows(), o.factorisation) || !is_symmetric(a.view()))
        return false;
    std::optional<lu_analysis<double>> analysis;
    const auto f =
        symmetric_factors_in<F>(a.view(), o.factorisation, go_on, [&](double operations) {
            return wants_static_symmetric<F>(
                operations, a.view(),
                options_of(o.factorisation, sizeof(F) == sizeof(double), go_on), analysis);
        });
    if (f.about().end == factor_end::unsuited || f.about().end == factor_end::no_pivots)
        return false;
    check_counts<F>(s, f.about(), o);
    return true;
}

/// The stages in F beside factors as the solve makes them.
template <class F>
void check_in(const matrix& a, const std::vector<planned_stage>& plan, const solve_options& o)
{
    using namespace ddla::factor;
    const std::string lu =
        sizeof(F) == sizeof(double) ? "factor in double" : "factor in double-double";
    if (looks_definite(a.view())) {
        const auto f = definite_factors_in<F>(a.view(), o.factorisation, go_on);
        const planned_stage& s = named(plan, lu + ", L L^T");
        // A bad pivot leaves no numbers.
        if (f.about().end != factor_end::not_definite) check_counts<F>(s, f.about(), o);
        CHECK(s.entries == f.about().entries);
    }
    const std::string threshold = lu + ", threshold pivots";
    if (may_have_static_pivots(static_cast<double>(a.rows())))
        check_not_counted(named(plan, threshold), o);
    if (check_symmetric<F>(a, named(plan, lu), o)) return;
    std::optional<lu_analysis<double>> analysis;
    const auto f = static_factors_in<F>(a.view(), o.factorisation, go_on, analysis);
    if (f.about().end == factor_end::unsuited)
        check_not_counted(named(plan, lu), o);
    else
        check_counts<F>(named(plan, lu), f.about(), o);
}

/// The work that a solve counts for its first stage, which makes factors, and for that after it.
std::vector<double> counted_work(const matrix& a, const solve_options& o)
{
    const vector<dd_real> b(a.rows(), dd_real(1));
    vector<dd_real> x(a.rows());
    const host_system<double> system(a.view(), b.view());
    return find_answer(system, x.view(), ddla::api::request_of(o, 2, ddla::solve_goal::residual))
        .work;
}

/// A grid whose eigenvalues have both signs.
matrix indefinite(index_t n)
{
    const matrix a = ddla::generate::poisson3d(n, n, n);
    vector<double> value(a.nonzeros());
    for (index_t k = 0; k < a.nonzeros(); ++k) {
        const double v = a.view().value.get(k);
        value.set(k, v > 0 ? -0.5 : v);
    }
    return test::with_same_pattern(a, value);
}

solve_options with(factor_precision p)
{
    return {.factorisation = {.factors = p}};
}

}  // namespace

TEST_CASE("a plan counts factors by supernodes as solves make them", "[solvers]")
{
    const solve_options o;
    for (const matrix& a :
         {ddla::generate::poisson2d(60, 50), ddla::generate::poisson3d(16, 16, 16),
          ddla::generate::convection_diffusion(18, 18, 18),
          ddla::generate::convection_diffusion(12, 12, 12),
          ddla::generate::random(400, 6, 0.1, 4)}) {
        INFO(a.rows() << " rows, " << a.nonzeros() << " entries");
        const auto plan = planned(a, o);
        check_in<double>(a, plan, o);
        check_in<dd_real>(a, plan, o);
    }
}

TEST_CASE("a solve does the work that its plan has counted", "[solvers]")
{
    for (const auto p : {factor_precision::in_double, factor_precision::in_double_double})
        for (const matrix& a : {ddla::generate::poisson3d(14, 14, 14), indefinite(18),
                                ddla::generate::convection_diffusion(18, 18, 18)}) {
            const auto plan = planned(a, with(p));
            REQUIRE(is_counted(plan[0]));
            CHECK(counted_work(a, with(p))[0] == plan[0].work.amount);
        }
}

TEST_CASE("a plan names the limit that factors would pass, as the solve does", "[solvers]")
{
    for (const matrix& a : {ddla::generate::poisson3d(14, 14, 14),
                            ddla::generate::convection_diffusion(18, 18, 18)}) {
        const planned_stage fits = planned(a, {})[0];
        REQUIRE(is_counted(fits));
        const auto bytes = static_cast<std::int64_t>(fits.bytes.amount);
        const auto check = [&](double most_work, std::int64_t most_memory, bool passes) {
            solve_options o{.max_iterations = 1};
            o.factorisation = {.most_work = most_work, .most_memory = most_memory};
            const planned_stage s = planned(a, o)[0];
            vector<dd_real> b(a.rows(), dd_real(1)), x(a.rows());
            const auto report = ddla::solve(a, b, x, o);
            CHECK(s.limit == report.limit);
            CHECK(s.limit.empty() != passes);
            CHECK(report.plan[0].name == s.name + (passes ? ", too large" : ""));
            CHECK(s.entries == fits.entries);
            CHECK(s.work.amount == fits.work.amount);
            CHECK(s.bytes.amount == fits.bytes.amount);
        };
        check(4, bytes, false);
        check(4, bytes - 1, true);
        check(fits.work.amount / 1e9 * 0.999, bytes, true);
    }
}

TEST_CASE("a watch ends the counts of a plan", "[solvers]")
{
    const matrix a = ddla::generate::poisson3d(20, 20, 20);
    const ddla::watched_scope scope([] { return false; });
    CHECK_THROWS_AS(planned(a, {}), ddla::interrupted_error);
}

TEST_CASE("a plan counts factors of real matrices", "[solvers][matrices]")
{
    const char* const folder = std::getenv("DDLA_TEST_MATRICES");
    if (!folder) SKIP_CASE("set DDLA_TEST_MATRICES to a folder of .mtx and .mtx.gz files");
    const solve_options o = with(factor_precision::in_double);
    int counted = 0;
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
        const std::string name = file.path().filename().string();
        if (name.find(".mtx") == std::string::npos) continue;
        const auto a = ddla::read_matrix<double>(file.path());
        if (a.rows() != a.columns()) continue;
        INFO(name);
        const auto plan = planned(a, o);
        if (std::none_of(plan.begin(), plan.end(), is_counted)) continue;
        check_in<double>(a, plan, o);
        ++counted;
    }
    if (counted < 20) SKIP_CASE("fewer than 20 matrices in that folder have such factors");
}
