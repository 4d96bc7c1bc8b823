// Proved bounds of errors, against reference answers: never below the error, and near it.
#include "stored.hpp"
#include "support/reference_errors.hpp"

#include "ddla/check.hpp"
#include "ddla/solve.hpp"

#include <cmath>
#include <cstdio>

using namespace reference;
using ddla::dd_real;
using ddla::index_t;

namespace {

struct tally {
    int solves = 0, moderate = 0, certified = 0, moderate_certified = 0;
    double worst = 0;  ///< bound / error
};

/// Where a proof must succeed on most systems, if its factors are small enough.
constexpr double moderate_condition = 1e20;

bool is_limited(const ddla::error_bound& bound)
{
    return bound.why.find("most_") != std::string::npos;
}

void check_bound(const errors& e, const ddla::error_bound& bound, tally& of)
{
    // The reference has 62 digits, of which some may be wrong.
    constexpr double reference_error = 1e-55;
    if (!bound.certified) return;
    ++of.certified;
    CHECK(*bound.normwise >= e.normwise - reference_error);
    if (bound.componentwise) CHECK(*bound.componentwise >= e.componentwise - reference_error);
    of.worst = std::max(of.worst, *bound.normwise / std::max(e.normwise, 1e-33));
}

/// x with one component wrong by a part of the largest one.
ddla::vector<dd_real> spoiled(ddla::vector<dd_real> x)
{
    index_t largest = 0;
    for (index_t i = 0; i < x.size(); ++i)
        if (std::fabs(dd_real(x[i]).hi) > std::fabs(dd_real(x[largest]).hi)) largest = i;
    const index_t at = x.size() / 3;
    x.set(at, dd_real(x[at]) + dd_real(x[largest]) * dd_real(1e-9));
    return x;
}

void check_answer(const answers& stored, const ddla::csr_matrix<double>& a, const answer& one,
                  tally& solved, tally& checked)
{
    INFO(stored.matrix << ", b = " << one.rhs);
    const mpfr_vector truth = solution_of(one);
    ddla::vector<dd_real> b(a.rows()), x(a.rows());
    for (index_t i = 0; i < a.rows(); ++i) b.set(i, dd_real(one.b[static_cast<std::size_t>(i)]));
    const auto report = ddla::solve(a, b, x, {.certify = true});
    REQUIRE(report.bound.has_value());
    const errors e = errors_of(a, one.b, truth, widened(x));
    ++solved.solves;
    check_bound(e, *report.bound, solved);
    const bool is_moderate = stored.kappa1.value < moderate_condition && !is_limited(*report.bound);
    solved.moderate += is_moderate;
    solved.moderate_certified += is_moderate && report.bound->certified;
    std::printf("%-24s %-6s kappa_1 %.1e  error %.1e %.1e  bound %.1e %.1e  %s\n",
                stored.matrix.c_str(), one.rhs.c_str(), stored.kappa1.value, e.normwise,
                e.componentwise, report.bound->normwise.value_or(-1),
                report.bound->componentwise.value_or(-1), report.bound->why.c_str());
    if (!report.bound->certified || one.rhs != "ones") return;
    const auto wrong = spoiled(x);
    const auto found = ddla::check(a, b, wrong, {.certify = true});
    REQUIRE(found.bound.has_value());
    ++checked.solves;
    check_bound(errors_of(a, one.b, truth, widened(wrong)), *found.bound, checked);
}

int check_all(bool real, const char* kind)
{
    tally solved, checked;
    const int missing = for_each_stored(real, [&](const auto& stored, const auto& a) {
        for (const answer& one : stored.all) check_answer(stored, a, one, solved, checked);
    });
    std::printf("%s systems: %d solves, %d certified; of %d with kappa_1 < 1e20 and small factors "
                "%d; bound / error at most %.2g, of spoiled x %.6g\n",
                kind, solved.solves, solved.certified, solved.moderate, solved.moderate_certified,
                solved.worst, checked.worst);
    CHECK(solved.moderate_certified >= 0.9 * solved.moderate);
    CHECK(checked.certified == checked.solves);
    CHECK(checked.worst < 1.01);
    CHECK(solved.worst < 1e6);
    return missing;
}

}  // namespace

TEST_CASE("proved bounds of generated systems", "[reference]")
{
    check_all(false, "generated");
}

TEST_CASE("proved bounds of real systems", "[reference][matrices]")
{
    if (const int missing = check_all(true, "real"); missing > 0) SKIP_CASE(reason_of(missing));
}
