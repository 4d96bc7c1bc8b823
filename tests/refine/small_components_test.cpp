// Digits of components that are small by cancellation, beside exact rational answers.
#include "catch.hpp"
#include "exact_least_squares.hpp"
#include "support/exact_solve.hpp"

#include "refine/factor_stages.hpp"
#include "refine/small_components.hpp"

#include "ddla/factors.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

using ddla::dd_real;
using ddla::index_t;
using ddla::vec;
using test::matrix_of;

namespace {

/// Of 8 unknowns: x is a vector of small integers, some of them 0, and what A^-1 makes of 2^-66 in
/// one row, so that the components that would be 0 are far smaller than the others.
struct cancelling_system {
    std::vector<std::vector<double>> a;
    std::vector<double> b;
    test::rational_vector x;

    explicit cancelling_system(std::uint64_t seed)
    {
        constexpr std::size_t n = 8;
        constexpr double whole[n] = {1, 0, -3, 2, 0, 5, -1, 0};
        test::random_numbers random(seed);
        for (std::size_t i = 0; i < n; ++i) {
            std::vector<double> row;
            for (std::size_t j = 0; j < n; ++j)
                row.push_back(static_cast<double>(random.below(199)) - 99);
            a.push_back(row);
        }
        const auto product = [&](std::size_t i) {
            double sum = 0;
            for (std::size_t j = 0; j < n; ++j) sum += a[i][j] * whole[j];
            return sum;
        };
        a[3][0] -= product(3);
        for (std::size_t i = 0; i < n; ++i) b.push_back(product(i));
        b[3] = 0x1.8p-67;
        const auto exact = test::solve_exactly(test::rationals_of(a), test::rationals_of(b));
        REQUIRE(exact);
        x = *exact;
    }
};

ddla::vector<dd_real> vector_of(const std::vector<double>& values)
{
    ddla::vector<dd_real> v(static_cast<index_t>(values.size()));
    for (index_t i = 0; i < v.size(); ++i) v.set(i, dd_real(values[static_cast<std::size_t>(i)]));
    return v;
}

/// A x = b after refinement by factors in double.
struct refined_system {
    ddla::csr_matrix<double> a;
    ddla::vector<dd_real> b, x;
    ddla::refine::host_system<double> system;
    ddla::factor::factors<double> factors;
    ddla::refine::approximate_inverse inverse;
    ddla::refine::refinement_limits limits;
    ddla::refine::refinement_result of;

    refined_system(const std::vector<std::vector<double>>& rows, ddla::vector<dd_real> right,
                   std::vector<bool> known_zero = {})
        : a(matrix_of(rows)), b(std::move(right)), x(b.size()),
          system(a.view(), std::as_const(b).view()),
          factors(ddla::refine::factor_in<double>(a.view(), {}, [](double) { return true; })),
          inverse(ddla::refine::inverse_by(factors))
    {
        limits.known_zero = std::move(known_zero);
        limits.column_scale = inverse.column_scale;
        limits.least_rate = std::max(inverse.least_rate, probed_rate(system, inverse));
        of = ddla::refine::refine(system, inverse.solve, x.view(), limits);
    }
};

double error_of(const dd_real& x, const mpq_class& exact)
{
    const mpq_class error = mpq_class(x.hi) + mpq_class(x.lo) - exact;
    return mpq_class(abs(error)).get_d();
}

}  // namespace

TEST_CASE("components that are small by cancellation are told all their digits")
{
    for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
        const cancelling_system one(seed);
        const auto outcome = test::least_squares::solve<dd_real>(matrix_of(one.a), one.b, one.x);
        INFO("seed " << seed);
        CHECK(outcome.report.status == ddla::solve_status::converged);
        CHECK(outcome.found.componentwise <= 1e-31);
        CHECK(outcome.report.digits.value_or(0) >= 31);
        test::least_squares::check_claims(outcome);
    }
}

TEST_CASE("kept factors tell as many digits of small components")
{
    const cancelling_system one(6);
    const auto a = matrix_of(one.a);
    const ddla::lu_factors<double> kept(a);
    ddla::vector<dd_real> x(8);
    const auto report = ddla::solve(a, vector_of(one.b), x, kept);
    CHECK(report.digits.value_or(0) >= 31);
    CHECK(test::least_squares::errors_of<dd_real>({&x}, one.x).componentwise <= 1e-31);
}

TEST_CASE("errors of small components are not below those of x")
{
    for (const std::uint64_t seed : {11, 12, 13}) {
        const cancelling_system one(seed);
        refined_system made(one.a, vector_of(one.b));
        const std::vector<double> before = made.of.errors;
        const auto rate = refine_small_components(made.system, made.inverse.solve, made.x.view(),
                                                  made.limits, 0x1p-103, made.of);
        REQUIRE(rate);
        CHECK(*rate < 0x1p-7);
        CHECK(made.of.componentwise.error <= 0x1p-103);
        for (index_t i = 0; i < 8; ++i) {
            const auto at = static_cast<std::size_t>(i);
            INFO("seed " << seed << ", component " << i);
            CHECK(made.of.errors[at] >= error_of(made.x[i], one.x[at]));
            CHECK(made.of.errors[at] <= 0x1p-103 * std::fabs(made.x[i].hi));
        }
        CHECK(*std::max_element(before.begin(), before.end()) > 0);
    }
}

TEST_CASE("small components are left where corrections do not do what their rate says")
{
    const cancelling_system one(21);
    refined_system made(one.a, vector_of(one.b));
    int solves = 0;
    const ddla::refine::correction counted = [&](vec<const dd_real> r, vec<dd_real> d) {
        ++solves;
        made.inverse.solve(r, d);
    };
    const auto untouched = [&](const ddla::refine::correction& solve, double enough) {
        const ddla::vector<dd_real> x = made.x;
        const std::vector<double> errors = made.of.errors;
        const auto rate = refine_small_components(made.system, solve, made.x.view(), made.limits,
                                                  enough, made.of);
        CHECK_FALSE(rate);
        CHECK(made.of.errors == errors);
        for (index_t i = 0; i < 8; ++i) CHECK((made.x[i] == x[i]));
    };
    // Half of each correction, where factors are said to leave 2^-50 of it.
    untouched(
        [&](vec<const dd_real> r, vec<dd_real> d) {
            made.inverse.solve(r, d);
            for (index_t i = 0; i < d.size; ++i) d.set(i, d.get(i) * 0.5);
        },
        0x1p-103);
    untouched(counted, 1);  // there is nothing to gain
    const double least_rate = std::exchange(made.limits.least_rate, 0.01);
    untouched(counted, 0x1p-103);  // too slow, as a probe has shown
    made.limits.least_rate = least_rate;
    const double scaled_rate = std::exchange(made.of.scaled_rate, 0.7);
    untouched(counted, 0x1p-103);  // too slow, as corrections have shown
    made.of.scaled_rate = scaled_rate;
    const int steps = std::exchange(made.of.steps, made.limits.steps - 2);
    untouched(counted, 0x1p-103);  // three more are too many
    made.of.steps = steps;
    CHECK(solves == 0);
    // Errors that rounding x does not let become smaller.
    for (index_t i = 0; i < 8; ++i)
        made.of.errors[static_cast<std::size_t>(i)] = 0x1p-109 * std::fabs(made.x[i].hi);
    untouched(counted, 0x1p-120);
    CHECK(solves > 0);
}

TEST_CASE("known zeros stay zeros while small components are refined")
{
    // 3 x is of integers and 2^-66 times integers: x is not, so that it is rounded.
    constexpr double whole[8] = {1, 0, -4, 2, 0, 5, -1, 0}, small[8] = {0, 0, 0, 0, 7, 0, 0, -5};
    const cancelling_system one(31);
    auto rows = one.a;
    ddla::vector<dd_real> b(8);
    for (index_t i = 0; i < 8; ++i) {
        auto& row = rows[static_cast<std::size_t>(i)];
        dd_real sum(0);
        for (std::size_t j = 0; j < 8; ++j)
            sum = sum + dd_real(row[j]) * dd_real(whole[j] + small[j] * 0x1p-66);
        b.set(i, sum);
        for (double& v : row) v *= 3;
    }
    refined_system made(rows, std::move(b),
                        {false, true, false, false, false, false, false, false});
    made.of.next.set(1, dd_real(0x1p-200));  // of a time when the zero was not known
    REQUIRE(refine_small_components(made.system, made.inverse.solve, made.x.view(), made.limits,
                                    0x1p-103, made.of));
    CHECK((made.x[1] == dd_real(0)));
    CHECK(made.of.errors[1] == 0);
    for (const index_t i : {4, 7}) {
        const mpq_class exact = mpq_class(small[i] * 0x1p-66) / 3;
        CHECK(error_of(made.x[i], exact) <= 1e-31 * std::fabs(exact.get_d()));
    }
}
