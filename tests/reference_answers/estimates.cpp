// What automatic solves say of their error, against reference answers: never a claim that is wrong,
// and estimates near the truth.
#include "stored.hpp"
#include "support/reference_errors.hpp"

#include "ddla/solve.hpp"

#include <cmath>
#include <cstdio>

using namespace reference;
using ddla::dd_real;
using ddla::index_t;

namespace {

constexpr int digits_claimed = 12;
/// Where an estimate must be trusted on most systems.
constexpr double moderate_condition = 1e20;

struct tally {
    int solves = 0, converged = 0, moderate = 0, trusted = 0;
    std::vector<double> over_truth;  ///< estimate / error, where trusted and moderate

    double median()
    {
        const auto middle = over_truth.begin() + static_cast<std::ptrdiff_t>(over_truth.size() / 2);
        std::nth_element(over_truth.begin(), middle, over_truth.end());
        return *middle;
    }
};

/// The error of x is known no better than its reference, and no smaller than its rounding.
double at_least_rounding(double error)
{
    return std::max(error, 1e-33);
}

template <class T>
void check_estimate(const errors& e, const ddla::solve_report& report, const answer& one, tally& of)
{
    const ddla::error_estimates& said = report.errors;
    if (one.skeel.value < moderate_condition) {
        ++of.moderate;
        of.trusted += said.trusted;
    }
    if (said.trusted) {
        CHECK(*said.normwise >= e.normwise / 10);
        if (one.skeel.value < moderate_condition)
            of.over_truth.push_back(*said.normwise / at_least_rounding(e.normwise));
    }
    if (said.componentwise_trusted) CHECK(*said.componentwise >= e.componentwise / 10);
}

template <class T>
void check_solve(const answers& stored, const ddla::csr_matrix<double>& a, const answer& one,
                 const mpfr_vector& truth, ddla::factor_precision factors, tally& of)
{
    INFO(stored.matrix << ", b = " << one.rhs << ", " << ddla::number_traits<T>::name);
    ddla::vector<T> b(a.rows()), x(a.rows());
    for (index_t i = 0; i < a.rows(); ++i) b.set(i, T(one.b[static_cast<std::size_t>(i)]));
    const auto report =
        ddla::solve(a, b, x, {.digits = digits_claimed, .factorisation = {.factors = factors}});
    const errors e = errors_of(a, one.b, truth, widened(x));
    ++of.solves;
    std::printf(
        "%-24s %-6s %-6s %-10s cond %.1e%s kappa_1 %.1e  errors %.1e %.1e  estimates %.1e%s "
        "%.1e%s  residual %.1e  %.4f s %zu stages\n",
        stored.matrix.c_str(), one.rhs.c_str(), ddla::number_traits<T>::name,
        std::string(to_string(report.status)).c_str(), one.skeel.value, one.skeel.exact ? "" : "~",
        stored.kappa1.value, e.normwise, e.componentwise, report.errors.normwise.value_or(-1),
        report.errors.trusted ? "" : "?", report.errors.componentwise.value_or(-1),
        report.errors.componentwise_trusted ? "" : "?", report.true_relative_residual,
        report.seconds, report.plan.size());
    CHECK(report.status != ddla::solve_status::singular);
    check_estimate<T>(e, report, one, of);
    if (report.status != ddla::solve_status::converged) return;
    ++of.converged;
    CHECK(report.goal == ddla::solve_goal::digits);
    CHECK(e.componentwise <= std::pow(10, -digits_claimed));
}

void summarise(const char* kind, const char* name, tally& of)
{
    std::printf(
        "%s systems in %s: %d solves, %d converged; of %d with cond(A, x) < 1e20 %d trusted, "
        "median estimate / error %.2g\n",
        kind, name, of.solves, of.converged, of.moderate, of.trusted,
        of.over_truth.empty() ? 0 : of.median());
    CHECK(of.trusted >= 0.9 * of.moderate);
    if (!of.over_truth.empty()) CHECK(of.median() <= 100);
}

int check_all(bool real, const char* kind,
              ddla::factor_precision factors = ddla::factor_precision::automatic)
{
    tally in_double, in_dd;
    const int missing = for_each_stored(real, [&](const auto& stored, const auto& a) {
        for (const answer& one : stored.all) {
            const mpfr_vector truth = solution_of(one);
            check_solve<double>(stored, a, one, truth, factors, in_double);
            check_solve<dd_real>(stored, a, one, truth, factors, in_dd);
        }
    });
    summarise(kind, "double", in_double);
    summarise(kind, "double-double", in_dd);
    return missing;
}

}  // namespace

TEST_CASE("error estimates of generated systems", "[reference]")
{
    check_all(false, "generated");
}

TEST_CASE("error estimates of real systems", "[reference][matrices]")
{
    if (const int missing = check_all(true, "real"); missing > 0) SKIP_CASE(reason_of(missing));
}

// There GMRES is the only way beyond refinement.
TEST_CASE("error estimates of generated systems, factors in double", "[reference]")
{
    check_all(false, "generated", ddla::factor_precision::in_double);
}

TEST_CASE("error estimates of real systems, factors in double", "[reference][matrices]")
{
    const int missing = check_all(true, "real", ddla::factor_precision::in_double);
    if (missing > 0) SKIP_CASE(reason_of(missing));
}
