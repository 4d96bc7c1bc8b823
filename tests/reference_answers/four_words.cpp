// Solves with x in four words against reference answers of 62 digits: what is claimed is right, and
// well-behaved systems have more than 50 digits.
#include "stored.hpp"
#include "support/reference_errors.hpp"

#include "ddla/solve.hpp"

#include <cmath>
#include <cstdio>

using namespace reference;
using ddla::dd_real;
using ddla::index_t;

namespace {

constexpr int digits_claimed = 50;
constexpr double moderate_condition = 1e20;
/// What the digits of an answer leave, and 256 bits of the comparison.
constexpr double rounding_of_answer = 0.6e-61;

struct tally {
    int solves = 0, converged = 0, moderate = 0, trusted = 0, met = 0;
};

mpfr_vector sum_of(const ddla::vector<dd_real>& x, const ddla::vector<dd_real>& x_low)
{
    mpfr_vector sum = widened(x), low = widened(x_low);
    for (std::size_t i = 0; i < sum.size(); ++i) mpfr_add(sum[i], sum[i], low[i], MPFR_RNDN);
    return sum;
}

void check_solve(const answers& stored, const ddla::csr_matrix<double>& a, const answer& one,
                 tally& of)
{
    INFO(stored.matrix << ", b = " << one.rhs);
    const mpfr_vector truth = solution_of(one);
    ddla::vector<dd_real> b(a.rows()), x(a.rows()), x_low(a.rows());
    for (index_t i = 0; i < a.rows(); ++i) b.set(i, dd_real(one.b[static_cast<std::size_t>(i)]));
    const auto report = ddla::solve(a, b, x, x_low, {.digits = digits_claimed});
    const errors e = errors_of(a, one.b, truth, sum_of(x, x_low));
    const ddla::error_estimates& said = report.errors;
    std::printf("%-24s %-6s %-10s cond %.1e  errors %.1e %.1e  estimates %.1e%s %.1e%s  residual "
                "%.1e  %.3f s, %lld corrections\n",
                stored.matrix.c_str(), one.rhs.c_str(),
                std::string(to_string(report.status)).c_str(), one.skeel.value, e.normwise,
                e.componentwise, said.normwise.value_or(-1), said.trusted ? "" : "?",
                said.componentwise.value_or(-1), said.componentwise_trusted ? "" : "?",
                report.true_relative_residual, report.seconds,
                static_cast<long long>(report.iterations));
    ++of.solves;
    CHECK(report.solution_words == 4);
    const bool moderate = one.skeel.value < moderate_condition;
    of.moderate += moderate;
    of.trusted += moderate && said.trusted;
    of.met += report.true_relative_residual <= 1e-28;
    if (said.trusted) CHECK(*said.normwise >= (e.normwise - rounding_of_answer) / 10);
    if (said.componentwise_trusted)
        CHECK(*said.componentwise >= (e.componentwise - rounding_of_answer) / 10);
    // The residual that is reported is that of x, as far as 256 bits of |A| |x| tell.
    const double size = e.backward > 0 ? e.residual / e.backward : 0;
    const double lost = std::max(1e-70, 0x1p-240 * size);
    CHECK(e.residual == Approx(report.true_relative_residual).epsilon(1e-6).margin(lost));
    if (report.status != ddla::solve_status::converged) return;
    ++of.converged;
    CHECK(e.componentwise <= std::pow(10, -digits_claimed));
}

int check_all(bool real, const char* kind)
{
    tally of;
    const int missing = for_each_stored(real, [&](const auto& stored, const auto& a) {
        for (const answer& one : stored.all) check_solve(stored, a, one, of);
    });
    std::printf("%s systems in four words: %d solves, %d with 50 digits; of %d with cond(A, x) < "
                "1e20 %d trusted; residual 1e-28 on %d\n",
                kind, of.solves, of.converged, of.moderate, of.trusted, of.met);
    CHECK(of.trusted >= 0.9 * of.moderate);
    // A share of all: of the few systems whose matrices are always there half are the hardest.
    if (missing == 0) CHECK(of.converged >= 0.9 * of.moderate);
    return missing;
}

}  // namespace

TEST_CASE("four words of x on generated systems", "[reference]")
{
    check_all(false, "generated");
}

TEST_CASE("four words of x on real systems", "[reference][matrices]")
{
    if (const int missing = check_all(true, "real"); missing > 0) SKIP_CASE(reason_of(missing));
}
