// Least squares beyond a condition of 1e16 by QR, against exact answers.
#include "catch.hpp"
#include "exact_least_squares.hpp"

#include <array>

using namespace test::least_squares;
using test::matrix_of;

namespace {

/// 1, t, t^2, … at these t.
csr_matrix<double> powers(double first, double step, index_t rows, index_t columns)
{
    dense a(static_cast<std::size_t>(rows));
    for (std::size_t i = 0; i < a.size(); ++i)
        for (index_t j = 0; j < columns; ++j)
            a[i].push_back(std::pow(first + step * static_cast<double>(i), static_cast<double>(j)));
    return matrix_of(a);
}

bool has_stage(const ddla::solve_report& report, const std::string& name)
{
    return std::any_of(report.plan.begin(), report.plan.end(),
                       [&](const auto& stage) { return stage.name == name; });
}

const std::string by_qr = "factor in double-double, QR";

/// A cubic of seconds since 1970, a minute apart: the condition of the scaled columns is 7e16.
csr_matrix<double> cubic_of_seconds()
{
    return powers(1.7e9, 60, 20, 4);
}

}  // namespace

TEMPLATE_TEST_CASE("least squares beyond a condition of 1e16 have their digits by QR", "", double,
                   dd_real)
{
    for (const index_t columns : {4, 5}) {
        const auto a = powers(1.7e9, 60, 20, columns);
        const auto b = random_b(20, 7);
        const auto x = truth(a, b);
        for (const auto& m : {a, ddla::transpose(a)}) {
            const auto of_m = m.rows() == 20 ? b : random_b(columns, 8);
            const auto one = solve<TestType>(m, of_m, *truth(m, of_m));
            INFO(m.rows() << " x " << m.columns());
            check_claims(one);
            CHECK(one.report.status == solve_status::converged);
            CHECK(one.report.digits.value_or(0) >= (sizeof(TestType) == 8 ? 15 : 30));
        }
        const auto one = solve<TestType>(a, b, *x);
        CHECK(has_stage(one.report, by_qr));
        CHECK(one.report.plan.front().name == "factor in double, L D L^T");
        const auto refined =
            solve<TestType>(a, b, *x, {.method = ddla::method::refinement, .tolerance = 1e-10});
        check_claims(refined);
        // In double the right x, rounded, may miss the tolerance that another x meets.
        CHECK((refined.report.status == solve_status::converged || refined.report.digits));
        if (sizeof(TestType) == 16) CHECK(refined.report.digits.value_or(0) >= 12);
    }
}

TEST_CASE("least squares by QR are right where r is large and the condition is 1e20")
{
    // r is about b, and x moves by the square of the condition times what r is wrong by.
    const auto a = powers(1e6, 0.125, 16, 5);
    const auto b = random_b(16, 9);
    const auto x = truth(a, b);
    ddla::vector<dd_real> right(16), high(5), low(5);
    for (index_t i = 0; i < 16; ++i) right.set(i, b[static_cast<std::size_t>(i)]);
    const auto report = ddla::solve(a, right, high, low, {.digits = 40});
    CHECK(has_stage(report, by_qr));
    CHECK(report.status == solve_status::converged);
    const auto found = errors_of<dd_real>({&high, &low}, *x);
    CHECK(found.componentwise <= 1e-40);
    CHECK(found.componentwise <= *report.errors.componentwise);
    const auto one = solve<dd_real>(a, b, *x);
    check_claims(one);
    CHECK(*one.report.digits >= 30);
}

TEST_CASE("least squares by QR are right where r is as large as b and x is small")
{
    // b is the sum of the columns and a fifth difference, at right angles to them but for rounding:
    // then x is some 1e4 times 1 where r alone would make it 1e20.  What corrections leave is the
    // square of the condition times what r is wrong by, far above the rounding of x.
    const auto a = powers(1e6, 0.125, 16, 5);
    const auto rows = a.view();
    std::vector<double> b(16, 0);
    for (index_t i = 0; i < 16; ++i)
        for (index_t j = 0; j < 5; ++j) b[static_cast<std::size_t>(i)] += rows.value.get(5 * i + j);
    const std::array<double, 6> difference{1, -5, 10, -10, 5, -1};
    for (std::size_t k = 0; k < difference.size(); ++k) b[4 + k] += 1e23 * difference[k];
    const auto x = truth(a, b);
    const auto one = solve<dd_real>(a, b, *x);
    CHECK(has_stage(one.report, by_qr));
    check_claims(one);
    CHECK(one.report.digits.value_or(0) >= 30);
    CHECK(one.found.componentwise <= 1e-30);
    ddla::vector<dd_real> right(16), high(5), low(5);
    for (index_t i = 0; i < 16; ++i) right.set(i, b[static_cast<std::size_t>(i)]);
    const auto report = ddla::solve(a, right, high, low, {.digits = 50});
    const auto found = errors_of<dd_real>({&high, &low}, *x);
    CHECK(report.status == solve_status::converged);
    CHECK(found.componentwise <= 1e-50);
    CHECK(found.componentwise <= report.errors.componentwise.value_or(0));
}

TEST_CASE("least squares by QR are told right where b is far apart")
{
    // Found among 20,000 random ones.  Of the first, corrections of x end above the rounding of
    // four words, and still contract; of the second, x is lost with an r of two words.
    const dense narrow{{1, 3e6}, {1, 3000001}, {1, 3000002}},
        wide{{1, 1e6}, {1, 1000001}, {1, 2000002}, {1, 1000003}, {1, 3000004}, {1, 1000005}};
    const std::vector<double> of_narrow{0, 0x1.8p+302, 6},
        of_wide{0, 1, 0x1.8p+301, 0x1.8p+301, 1, -2};
    for (const auto& [a, b] : {std::pair(narrow, of_narrow), std::pair(wide, of_wide)}) {
        const auto m = matrix_of(a);
        const auto one = solve<dd_real>(m, b, *truth(m, b));
        INFO(a.size() << " rows");
        check_claims(one);
        CHECK(has_stage(one.report, by_qr));
        CHECK(one.report.status == solve_status::converged);
        CHECK(one.found.componentwise <= 1e-31);
        CHECK(one.report.digits.value_or(0) >= 30);
    }
}

TEST_CASE("least squares by QR are right farther and farther from zero")
{
    for (const double first : {20.0, 1e3, 1e6, 1e7}) {
        const auto a = powers(first, 0.125, 20, first < 1e4 ? 12 : 7);
        const auto b = random_b(20, 10);
        const auto one = solve<dd_real>(a, b, *truth(a, b));
        INFO("from " << first);
        check_claims(one);
        CHECK(one.report.digits.value_or(0) >= 30);
        // Four words end far above their rounding: that is no noise, and 40 digits are told.
        ddla::vector<dd_real> right(20), high(a.columns()), low(a.columns());
        for (index_t i = 0; i < 20; ++i) right.set(i, b[static_cast<std::size_t>(i)]);
        const auto report = ddla::solve(a, right, high, low, {.digits = 40});
        CHECK(report.status == solve_status::converged);
        CHECK(errors_of<dd_real>({&high, &low}, *truth(a, b)).componentwise <= 1e-40);
    }
}

TEST_CASE("least squares by QR leave an x that meets the tolerance that was asked for")
{
    // The right x, rounded to double, leaves ||A^T r|| / (||A|| ||r||) = 0.2.
    const auto a = cubic_of_seconds();
    const std::vector<double> b{20,     20.841, 20.909, 20.141, 19.243, 19.041, 19.721,
                                20.657, 20.989, 20.412, 19.456, 19,     19.463, 20.42,
                                20.991, 20.65,  19.712, 19.039, 19.249, 20.15};
    const auto one =
        solve<double>(a, b, *truth(a, b), {.method = ddla::method::refinement, .tolerance = 1e-10});
    CHECK(has_stage(one.report, by_qr));
    CHECK(one.report.status == solve_status::converged);
    CHECK(*one.report.normal_residual <= 1e-10);
    CHECK_FALSE(one.report.digits);
}

TEST_CASE("QR of least squares comes only where the augmented factors do not settle")
{
    const auto easy = sparse(12, 7, 91, 12);
    const auto b = random_b(12, 92);
    CHECK_FALSE(has_stage(solve<dd_real>(easy, b, *truth(easy, b)).report, by_qr));
    const auto a = cubic_of_seconds();
    const auto right = random_b(20, 7);
    const auto x = truth(a, right);
    // Not in double alone, and not where digits are known and x's rounding keeps a residual large.
    const auto in_double = solve<dd_real>(
        a, right, *x, {.factorisation = {.factors = ddla::factor_precision::in_double}});
    CHECK_FALSE(has_stage(in_double.report, by_qr));
    check_claims(in_double);
    CHECK_FALSE(in_double.report.digits);
    const auto by_residual = solve<double>(
        easy, b, *truth(easy, b), {.method = ddla::method::refinement, .tolerance = 1e-30});
    CHECK_FALSE(has_stage(by_residual.report, by_qr));
}

TEST_CASE("QR of least squares that is too large leaves what was there, and says so")
{
    // L D L^T in double-double needs 1,490 operations of 10, QR some 4 times as many.
    const auto a = cubic_of_seconds();
    const auto b = random_b(20, 7);
    const auto x = truth(a, b);
    int too_large = 0;
    for (double work = 1e-6; work < 1e-4; work *= 1.1) {
        const auto one = solve<dd_real>(a, b, *x, {.factorisation = {.most_work = work}});
        check_claims(one);
        if (!has_stage(one.report, by_qr + ", too large")) continue;
        ++too_large;
        CHECK(one.report.status == solve_status::stagnated);
        CHECK_FALSE(one.report.digits);
        CHECK(one.report.plan.back().name == by_qr + ", too large");
    }
    CHECK(too_large > 0);
}

TEST_CASE("QR of least squares can be stopped, and its corrections go on counting")
{
    const auto a = cubic_of_seconds();
    const auto b = random_b(20, 7);
    const auto x = truth(a, b);
    bool has_begun = false;
    std::int64_t last = 0;
    const auto one = solve<dd_real>(a, b, *x, {.watch = [&](const auto& p) {
                                        has_begun = has_begun || p.stage == by_qr;
                                        CHECK(p.iterations >= last);
                                        last = p.iterations;
                                        return true;
                                    }});
    CHECK(has_begun);
    CHECK(one.report.iterations >= last);
    for (std::size_t k = 1; k < one.report.plan.size(); ++k)
        CHECK(one.report.plan[k].iterations >= one.report.plan[k - 1].iterations);
    for (const bool in_refinement : {false, true}) {
        bool seen = false;
        const auto cut = solve<dd_real>(a, b, *x, {.watch = [&](const auto& p) {
                                            seen = seen || p.stage == by_qr;
                                            return !seen || (in_refinement && p.stage == by_qr);
                                        }});
        CHECK(cut.report.interrupted);
        CHECK(cut.report.status == solve_status::iteration_limit);
        CHECK_FALSE(cut.report.digits);
    }
}

TEST_CASE("several right-hand sides share the QR of least squares")
{
    const auto a = cubic_of_seconds();
    std::vector<ddla::vector<dd_real>> right, x;
    std::vector<std::vector<double>> b;
    for (std::uint64_t k = 0; k < 2; ++k) {
        b.push_back(random_b(20, 70 + k));
        right.emplace_back(20);
        x.emplace_back(4);
        for (index_t i = 0; i < 20; ++i) right.back().set(i, b[k][static_cast<std::size_t>(i)]);
    }
    const auto reports = ddla::solve(a, right, x);
    for (std::size_t k = 0; k < 2; ++k) {
        const auto exactly = truth(a, b[k]);
        check_claims({reports[k], errors_of<dd_real>({&x[k]}, *exactly)});
        CHECK(reports[k].status == solve_status::converged);
        CHECK(solve<dd_real>(a, b[k], *exactly).report.solution_hash == reports[k].solution_hash);
    }
}

TEST_CASE("fits of users that other programs get wrong have the right values")
{
    struct fit {
        csr_matrix<double> a;
        std::vector<double> b, right;
    };
    dense line;
    for (const double t : {305, 496, 689, 884, 1070, 1258, 1448, 1640, 1834, 2019, 2206, 2395})
        line.push_back({4155915000.0 + t, 1});
    // By python-flint, from the same doubles.
    const fit fits[] = {
        {cubic_of_seconds(),
         {20,     20.841, 20.909, 20.141, 19.243, 19.041, 19.721, 20.657, 20.989, 20.412,
          19.456, 19,     19.463, 20.42,  20.991, 20.65,  19.712, 19.039, 19.249, 20.15},
         {438554993849182.8948, -773469.8594751761346, 0.00045471714250884447836,
          -8.910823826418150031e-14}},
        {matrix_of(line),
         {0, 1001, 2004, 3002, 4002, 5004, 6001, 7000, 8001, 9004, 10002, 11002},
         {5.2633665796959654, -21874105741.984386}}};
    for (const fit& f : fits) {
        const auto exactly = truth(f.a, f.b);
        for (std::size_t j = 0; j < f.right.size(); ++j)
            CHECK((*exactly)[j].get_d() == Approx(f.right[j]).epsilon(1e-15));
        const auto in_double = solve<double>(f.a, f.b, *exactly);
        check_claims(in_double);
        CHECK(in_double.report.digits.value_or(0) >= 15);
        const auto in_dd = solve<dd_real>(f.a, f.b, *exactly);
        check_claims(in_dd);
        CHECK(in_dd.report.digits.value_or(0) >= 30);
        // LSMR may be anywhere, and tells no digits.
        const auto by_lsmr = solve<dd_real>(f.a, f.b, *exactly, {.method = ddla::method::lsmr});
        CHECK_FALSE(by_lsmr.report.digits);
    }
}
