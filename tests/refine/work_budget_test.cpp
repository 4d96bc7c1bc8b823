// What solves with factors may take: counted by closed formulas, refused with both numbers.
#include "errors/certify.hpp"
#include "errors/inverse_bound.hpp"
#include "errors/work_budget.hpp"

#include "catch.hpp"
#include "factor/incomplete/incomplete.hpp"
#include "storage/memory.hpp"

#include "ddla/ddla.hpp"

#include <cmath>

using namespace ddla;
using namespace ddla::refine;

namespace {

/// tridiag(-1, 4, -1): L and U have 2 n - 1 entries each, n pivots among them only once.
csr_matrix<double> tridiagonal(index_t n)
{
    coordinates<double> all{.rows = n, .columns = n};
    for (index_t i = 0; i < n; ++i) {
        if (i > 0) all.add(i, i - 1, -1);
        all.add(i, i, 4);
        if (i + 1 < n) all.add(i, i + 1, -1);
    }
    return csr_matrix<double>(all);
}

/// A x for x = 1.
vector<dd_real> row_sums(index_t n)
{
    vector<dd_real> b(n, dd_real(2));
    b[0] = b[n - 1] = dd_real(3);
    return b;
}

/// Of a correction: a solve with 3 n - 2 entries, twice for it waits for memory, and a residual.
double work_of_correction(index_t n, double in_double)
{
    const double entries = 3.0 * static_cast<double>(n) - 2;
    return 2 * entries * in_double + 10 * entries;
}

const factor_watch goes_on = [](double) { return true; };

template <class Factors>
void check_charges(const csr_matrix<double>& a, const Factors& f, double work)
{
    const vector<dd_real> b(a.rows(), dd_real(1));
    const host_system<double> system(a.view(), b.view());
    const real_vector v(static_cast<std::size_t>(a.rows()), 1.0);
    work_budget all;
    const approximate_inverse applied = charged(inverse_by(f), a.nonzeros(), all);
    // Factors of a matrix so well conditioned are right at once: a second correction tells.
    REQUIRE(refined_solve(system, applied, v).has_value());
    CHECK(all.spent() == 2 * work);
    REQUIRE(refined_solve_transposed(system, applied, v).has_value());
    CHECK(all.spent() == 4 * work);
    CHECK(std::isfinite(probed_rate(system, applied)));
    CHECK(all.spent() == 8 * work);
    CHECK_FALSE(all.was_passed());
    for (const double most : {2 * work, std::nextafter(2 * work, 0)}) {
        work_budget tight(most);
        const approximate_inverse some = charged(inverse_by(f), a.nonzeros(), tight);
        CHECK(refined_solve(system, some, v).has_value() == (most == 2 * work));
        CHECK(tight.was_passed() == (most < 2 * work));
        CHECK(tight.spent() == (most < 2 * work ? work : 2 * work));
    }
}

solve_options with_work(double multiplications)
{
    solve_options options;
    options.factorisation.most_work = multiplications * 1e-9;
    return options;
}

/// Factors of tridiagonal(n) take n - 1 multiplications: these options allow no more.
solve_options just_factors(index_t n)
{
    return with_work(static_cast<double>(n));
}

/// L, and D where there is one, have 2 n - 1 entries, and L is used twice.
constexpr double work_of_symmetric_solve(double n)
{
    return 4 * (2 * n - 1);
}

constexpr index_t large = 20000;

}  // namespace

TEST_CASE("solves with factors are charged by their entries", "[refine]")
{
    constexpr index_t n = 100;
    const csr_matrix<double> a = tridiagonal(n);
    const factorisation_options options{.match = false};
    check_charges(a, factor_in<double>(a.view(), options, goes_on), work_of_correction(n, 1));
    check_charges(a, factor_in<dd_real>(a.view(), options, goes_on), work_of_correction(n, 10));
    const double of_solve = work_of_symmetric_solve(n), of_residual = 10 * (3.0 * n - 2);
    check_charges(a, definite_factors_in<double>(a.view(), options, goes_on),
                  of_solve + of_residual);
    check_charges(a, definite_factors_in<dd_real>(a.view(), options, goes_on),
                  10 * of_solve + of_residual);
    check_charges(a, symmetric_factors_in<double>(a.view(), options, goes_on),
                  of_solve + of_residual);
    check_charges(a, symmetric_factors_in<dd_real>(a.view(), options, goes_on),
                  10 * of_solve + of_residual);
}

TEST_CASE("the budget grows with most_work, from some milliseconds on", "[refine]")
{
    CHECK(work_budget::of({.most_work = 1e-9}).most() == 1e7);
    CHECK(work_budget::of({.most_work = 4}).most() == 64e9);
    work_budget b(10);
    CHECK(b.allows(10));
    b.charge(4);
    CHECK(b.allows(6));
    CHECK_FALSE(b.was_passed());
    CHECK_FALSE(b.allows(7));
    CHECK(b.was_passed());
}

TEST_CASE("conditions that pass most_work are unknown, and nothing is claimed", "[refine]")
{
    const csr_matrix<double> a = tridiagonal(large);
    const vector<dd_real> b = row_sums(large);
    vector<dd_real> x(large);
    solve_options options = just_factors(large);
    const solve_report r = solve(a, b, x, options);
    CHECK(r.status == solve_status::converged);
    CHECK(r.goal == solve_goal::residual);
    CHECK_FALSE(r.errors.condition_1.has_value());
    CHECK_FALSE(r.errors.condition.has_value());
    CHECK_FALSE(r.errors.data_digits.has_value());
    CHECK_FALSE(r.errors.trusted);
    CHECK_FALSE(r.errors.componentwise_trusted);
    CHECK_FALSE(r.digits.has_value());
    CHECK_FALSE(r.normwise_digits.has_value());
    // The first correction that is not within 10^7.
    const double work = work_of_symmetric_solve(large) + 10 * (3.0 * large - 2),
                 count = std::floor(1e7 / work) + 1;
    CHECK(r.limit.find("most_work") != std::string::npos);
    CHECK(r.limit.find(to_string(dd_real(1e7), 4) + " multi") != std::string::npos);
    CHECK(r.limit.find("counted: " + to_string(dd_real(count * work), 4) + ")") !=
          std::string::npos);
    for (index_t i = 0; i < large; ++i) REQUIRE(std::fabs((x[i] - dd_real(1)).hi) < 1e-30);

    options.digits = 12;
    options.certify = true;
    const solve_report asked = solve(a, b, x, options);
    CHECK(asked.status == solve_status::residual_only);
    REQUIRE(asked.bound.has_value());
    CHECK_FALSE(asked.bound->certified);
    CHECK(asked.bound->why == asked.limit);
}

TEST_CASE("within most_work conditions are known", "[refine]")
{
    const csr_matrix<double> a = tridiagonal(large);
    const vector<dd_real> b = row_sums(large);
    vector<dd_real> x(large);
    const solve_report r = solve(a, b, x, with_work(1e9));
    CHECK(r.limit.empty());
    CHECK(r.goal == solve_goal::digits);
    REQUIRE(r.digits.has_value());
    CHECK(*r.digits > 28);
    // ||A|| = 6, and the row sums of A^-1 > 0 tend to 1/2 from below.
    REQUIRE(r.errors.condition_1.has_value());
    CHECK(r.errors.condition_1->value > 2.9);
    CHECK(r.errors.condition_1->value < 3.0000001);
}

TEST_CASE("a check whose conditions pass most_work says so", "[refine]")
{
    const csr_matrix<double> a = tridiagonal(large);
    const vector<dd_real> b = row_sums(large), x(large, dd_real(1));
    check_options options;
    options.factorisation = just_factors(large).factorisation;
    const solution_check found = check(a, b, x, options);
    CHECK_FALSE(found.passed);
    CHECK(found.why.starts_with("conditions and bounds of errors need more work than most_work"));
    options.factorisation.most_work = 4;
    CHECK(check(a, b, x, options).passed);
}

TEST_CASE("a proof ends where its solves pass the budget", "[refine]")
{
    constexpr index_t n = 100;
    const csr_matrix<double> a = tridiagonal(n);
    const vector<dd_real> b = row_sums(n), x(n, dd_real(1));
    const host_system<double> system(a.view(), b.view());
    const auto f = factor_in<dd_real>(a.view(), {.match = false}, goes_on);
    // Four steps of the power method, two refined solves each, of two corrections.
    const double work = work_of_correction(n, 10);
    for (const double most : {16 * work, 15 * work}) {
        work_budget budget(most);
        const auto applied = charged(inverse_by(f), a.nonzeros(), budget);
        const inverse_bound found = bound_inverse(system, applied, {}, goes_on);
        INFO(found.why);
        CHECK(found.why.empty() == (most == 16 * work));
        CHECK((found.why.find("most_work") != std::string::npos) == (most == 15 * work));
    }
}

TEST_CASE("the pattern of ILU(k) is counted against most_operations", "[refine]")
{
    // Row i is updated by one entry of row i - 1: n - 1 are looked at, four to an operation.
    constexpr index_t n = 401;
    const csr_matrix<double> a = tridiagonal(n);
    factor::incomplete_options options{
        .fill = 1, .order = factor::ordering::natural, .match = factor::match_rows::none};
    for (const double most : {99.0, 100.0}) {
        options.most_operations = most;
        const auto f = factor::incomplete_factors<double>::make(a.view(), options);
        CHECK(f.about().end == factor::factor_end::over_work);
        // The numbers are begun where the pattern has passed, and pass the limit themselves.
        CHECK((f.about().operations > 0) == (most == 100));
    }
    options.most_operations = n - 1;
    CHECK(factor::incomplete_factors<double>::make(a.view(), options).about().end ==
          factor::factor_end::complete);
}

TEST_CASE("zeros are watched where it is asked for, once each 4 MB", "[refine]")
{
    constexpr index_t n = index_t{1} << 21;  // 16 MB of double
    int looks = 0;
    const watched_scope scope([&] { return ++looks < 3; });
    CHECK(vector<double>(n).size() == n);
    CHECK(looks == 0);
    const watched_zeros watched;
    CHECK_THROWS_AS(vector<double>(n), interrupted_error);
    CHECK(looks == 3);
}
