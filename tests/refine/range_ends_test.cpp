// Single systems at the ends of the range of doubles, with zeros, or with proofs: values by hand.
#include "catch.hpp"
#include "support/shapes.hpp"

#include "errors/sharp_errors.hpp"

#include "ddla/check.hpp"
#include "ddla/complex.hpp"

#include <algorithm>
#include <cmath>

using ddla::dd_real;
using ddla::index_t;
using ddla::solve_report;
using ddla::solve_status;
using ddla::vector;
using test::matrix_of;

TEST_CASE("an x that no double holds is named and not returned", "[range]")
{
    const auto a = matrix_of({{1e-160, 0}, {0, 1}});
    const vector<dd_real> b{dd_real(1e160), dd_real(1)};
    vector<dd_real> x{dd_real(5), dd_real(7)};
    const solve_report report = ddla::solve(a, b, x);
    CHECK(report.status == solve_status::not_finite);
    CHECK(report.breakdown == "component 1 of x");
    CHECK_FALSE(report.digits.has_value());
    CHECK((x[0] == dd_real(5) && x[1] == dd_real(7)));
    const auto found = ddla::check(a, b, x);
    CHECK_FALSE(found.passed);
    CHECK_THAT(found.why, Catch::Contains("component 1"));
}

TEST_CASE("a component too small for a double is counted, the others are right", "[range]")
{
    const auto a = matrix_of({{1, 1e-200}, {0, 1}});
    const vector<dd_real> b{dd_real(0), dd_real(1e-200)};
    vector<dd_real> x(2);
    const solve_report report = ddla::solve(a, b, x);
    CHECK((x[1] == dd_real(1e-200)));
    CHECK_FALSE(report.digits.has_value());
    CHECK(report.errors.unsettled.count == 1);
    CHECK(report.errors.unsettled.first == 0);
    CHECK_THAT(report.errors.unsettled.why, Catch::Contains("it is not zero"));
}

TEST_CASE("check names components of the better x that are not known", "[range]")
{
    const auto a = matrix_of({{1, 1e-200}, {0, 1}});
    const vector<dd_real> b{dd_real(0), dd_real(1e-200)}, x{dd_real(0), dd_real(1e-200)};
    const auto found = ddla::check(a, b, x);
    CHECK_FALSE(found.passed);
    CHECK_THAT(found.why,
               Catch::Contains("1 components of the better x are not known, the first is 1"));
}

TEST_CASE("check tells the largest component where others are not known", "[range]")
{
    // x = (-1e-400, 1e-200); x = (3e-345, 1) by least squares.
    const auto square = matrix_of({{1, 1e-200}, {0, 1}});
    const auto tall = matrix_of({{1e300, 0}, {0, 1}, {0, 1}});
    const vector<dd_real> b{dd_real(0), dd_real(1e-200)};
    const vector<dd_real> of_tall{dd_real(3e-45), dd_real(1), dd_real(1)};
    const auto check_of = [&](bool is_square, double last, bool normwise) {
        const vector<dd_real> x{dd_real(0), dd_real(last) * dd_real(is_square ? 1e-200 : 1)};
        const ddla::check_options options{.normwise = normwise};
        return is_square ? ddla::check(square, b, x, options)
                         : ddla::check(tall, of_tall, x, options);
    };
    for (const bool is_square : {true, false}) {
        INFO(is_square);
        const auto right = check_of(is_square, 1, false);
        CHECK_FALSE(right.passed);
        CHECK_FALSE(right.worst.has_value());
        CHECK(right.errors.trusted);
        CHECK_FALSE(right.errors.componentwise_trusted);
        CHECK(right.errors.unsettled.count == 1);
        CHECK(right.errors.unsettled.first == 0);
        REQUIRE(right.normwise.has_value());
        CHECK(*right.normwise >= 30);
        // 1.5 for 1: an error of a half, which is 0.3 digits.
        const auto wrong = check_of(is_square, 1.5, false);
        REQUIRE(wrong.normwise.has_value());
        CHECK(*wrong.normwise == Approx(0.30103).epsilon(1e-4));
        CHECK(check_of(is_square, 1, true).passed);
        CHECK_FALSE(check_of(is_square, 1.5, true).passed);
    }
}

TEST_CASE("zeros among least squares are counted by a check, too", "[range]")
{
    // x = (1, 0): b is the first column.
    const auto a = matrix_of({{1, 2}, {3, 1}, {1, 5}});
    const vector<dd_real> b{dd_real(1), dd_real(3), dd_real(1)}, x{dd_real(1), dd_real(0)};
    const auto found = ddla::check(a, b, x);
    CHECK(found.passed);
    CHECK(found.errors.certain_zeros + found.errors.proved_zeros == 1);
}

TEST_CASE("an x near the largest double, where b is scaled up", "[range]")
{
    // Powers of two: x = (2^900, 2^1000, 3), and b is 2^200 times as large while x is computed.
    const auto a = matrix_of({{0x1p-800, 0, 0}, {0, 0x1p-900, 0}, {0, 0, 1}});
    const vector<dd_real> b{dd_real(0x1p100), dd_real(0x1p100), dd_real(3)};
    for (const double guess : {0.0, 1.0, 0x1p1000}) {
        INFO(guess);
        vector<dd_real> x{dd_real(guess), dd_real(-guess), dd_real(guess)};
        const solve_report report = ddla::solve(a, b, x);
        CHECK(report.status != solve_status::not_finite);
        CHECK((x[0] == dd_real(0x1p900) && x[1] == dd_real(0x1p1000) && x[2] == dd_real(3)));
    }
}

TEST_CASE("digits that are asked for and judged are no residual alone", "[range]")
{
    const auto a = matrix_of({{2, 1}, {1, 3}});
    const vector<dd_real> b{dd_real(3), dd_real(4)};
    vector<dd_real> x(2);
    CHECK(ddla::solve(a, b, x, {.digits = 20}).status == solve_status::converged);
}

TEST_CASE("b = -0 gives +0", "[range]")
{
    const auto a = matrix_of({{1, 0}, {0, 3}});
    const vector<double> b{-0.0, 1};
    vector<double> x{-0.0, -0.0};
    const solve_report report = ddla::solve(a, b, x);
    CHECK_FALSE(std::signbit(x[0]));
    CHECK(report.errors.proved_zeros == 1);
    CHECK(report.status == solve_status::converged);
    const vector<double> none{-0.0, -0.0};
    ddla::solve(a, none, x);
    CHECK_FALSE((std::signbit(x[0]) || std::signbit(x[1])));
}

TEST_CASE("consistent least squares with a zero", "[range]")
{
    const auto a = matrix_of({{2, 3}, {2, 0}, {1, -1}});
    const vector<dd_real> b{dd_real(4), dd_real(4), dd_real(2)};
    vector<dd_real> x(2), low(2);
    for (const bool is_long : {false, true}) {
        const auto report = is_long ? ddla::solve(a, b, x, low) : ddla::solve(a, b, x);
        INFO((is_long ? "four words" : "two words"));
        CHECK(report.status == solve_status::converged);
        REQUIRE(report.digits.has_value());
        CHECK(*report.digits >= (is_long ? 63 : 31));
        CHECK((x[0] == dd_real(2) && x[1] == dd_real(0)));
        CHECK((low[0] == dd_real(0) && low[1] == dd_real(0)));
    }
}

TEST_CASE("a complex system with parts that are zero", "[range]")
{
    // (2 + i) z_1 + z_2 = 2 + 2 i, z_1 + 3 z_2 = 1 + 3 i: z = (1, i).
    ddla::coordinates<double> c{.rows = 4, .columns = 4};
    ddla::add_complex(c, 0, 0, 2.0, 1.0);
    ddla::add_complex(c, 0, 1, 1.0, 0.0);
    ddla::add_complex(c, 1, 0, 1.0, 0.0);
    ddla::add_complex(c, 1, 1, 3.0, 0.0);
    const vector<dd_real> b{dd_real(2), dd_real(2), dd_real(1), dd_real(3)};
    vector<dd_real> x(4);
    const solve_report report = ddla::solve(ddla::csr_matrix<double>(c), b, x);
    const std::vector<double> right{1, 0, 0, 1};
    for (index_t i = 0; i < 4; ++i) CHECK((x[i] == dd_real(right[std::size_t(i)])));
    CHECK(report.errors.certain_zeros == 2);
    CHECK(report.status == solve_status::converged);
}

TEST_CASE("a proved bound gives digits where estimates end", "[range]")
{
    const auto a = matrix_of({{1e100, 0}, {0, 1e-100}});
    const vector<dd_real> b{dd_real(1e100), dd_real(1e-100)};
    vector<dd_real> x(2);
    const auto report = ddla::solve(a, b, x, {.certify = true});
    REQUIRE(report.bound.has_value());
    REQUIRE(report.bound->componentwise.has_value());
    CHECK(report.digits_proved);
    CHECK(report.status == solve_status::converged);
    CHECK((x[0] == dd_real(1) && x[1] == dd_real(1)));
}

TEST_CASE("what underflow in residuals can change of x", "[range]")
{
    // Of the second row, entries near 2^-1060, a product loses up to 2^-1074: 2^-14 of x_2 = 1.
    for (const double tiny : {0x1p-1060, 0x1p-1000, 0x1p-900}) {
        const auto a = matrix_of({{1, 0}, {0, tiny}});
        const vector<dd_real> b{dd_real(1), dd_real(tiny)};
        const ddla::refine::host_system<double> system(a.view(), b.view());
        const auto solve = [&](ddla::vec<const dd_real> r, ddla::vec<dd_real> d) {
            d.set(0, r.get(0));
            d.set(1, r.get(1) * (1 / 0x1p-500) * (0x1p-500 / tiny));
        };
        const auto e = ddla::refine::residual_errors<double>(system, solve, b.view());
        INFO("entries of " << tiny);
        const double scale = system.scale_of_residuals();
        CHECK(e[1] >= 0x1p-1074 / tiny / scale);
        CHECK(e[1] <= 0x1p-1060 / tiny / scale + 0x1p-240);
        CHECK(e[0] >= 0x1p-1074);
        CHECK(e[0] <= 0x1p-240);
    }
}

TEST_CASE("what words of x lose when they are scaled down counts as an error", "[range]")
{
    // b near 2^990 is scaled by 2^-60: of x_1, words below 2^-1014 are lost.  The correction
    // works relative to its largest entry, as that of an equilibrated matrix does.
    for (const double entry : {1.0, 0x1p+500}) {
        const auto a = matrix_of({{entry, 0}, {0, 1}});
        const vector<dd_real> b{dd_real(0x1p-900 * entry), dd_real(0x1p+990)};
        const vector<dd_real> x{dd_real(0x1p-900), dd_real(0x1p+990)}, low(2);
        const ddla::refine::host_system<double> system(a.view(), b.view());
        const auto solve = [&](ddla::vec<const dd_real> r, ddla::vec<dd_real> d) {
            const double most = std::max(std::fabs(r.get(0).hi), std::fabs(r.get(1).hi));
            d.set(0, dd_real(r.get(0).hi / entry / most * most));
            d.set(1, r.get(1));
        };
        const auto e = ddla::refine::residual_errors<double>(system, solve, {x.view(), low.view()});
        INFO("an entry of " << entry);
        CHECK(system.scale_of_residuals() == 0x1p-60);
        CHECK(e[0] >= 0x1p-1014);
        CHECK(e[0] <= 0x1p-1000);
    }
}

TEST_CASE("what residuals are wrong by near the largest double is known", "[range]")
{
    // Sums of 265 bits: of rows of size 2^1001 and 2^-699 the last is 2^736, 2^-964.
    const auto a = matrix_of({{1, 0}, {0, 1}});
    const vector<dd_real> x{dd_real(0x1p+1000), dd_real(0x1p-700)};
    const ddla::refine::host_system<double> system(a.view(), x.view());
    // A sum with 0 times the first one: what overflows spoils all of it.
    const auto solve = [](ddla::vec<const dd_real> r, ddla::vec<dd_real> d) {
        d.set(0, r.get(0));
        d.set(1, dd_real(r.get(1).hi + 0 * r.get(0).hi));
    };
    const auto e = ddla::refine::residual_errors<double>(system, solve, x.view());
    CHECK(e[0] >= 0x1p+736);
    CHECK(e[0] <= 0x1p+760);
    CHECK(e[1] >= 0x1p-964);
    CHECK(e[1] <= 0x1p-810);
}

TEST_CASE("what residuals are wrong by is known where x is large by a small A", "[range]")
{
    const auto a = matrix_of({{0x1p-900, 0}, {0, 1}});
    const vector<dd_real> b{dd_real(0x1p+90), dd_real(1)}, x{dd_real(0x1p+990), dd_real(1)};
    const ddla::refine::host_system<double> system(a.view(), b.view());
    const auto solve = [](ddla::vec<const dd_real> r, ddla::vec<dd_real> d) {
        d.set(0, r.get(0) * 0x1p+900);
        d.set(1, r.get(1));
    };
    const auto e = ddla::refine::residual_errors<double>(system, solve, x.view());
    CHECK(e[0] >= 0x1p+726);
    CHECK(e[0] <= 0x1p+750);
    CHECK(e[1] >= 0x1p-264);
    CHECK(e[1] <= 0x1p-240);
}

TEST_CASE("x of 1e300 has its digits in every precision", "[range]")
{
    // x = 1e300 (1, 1/2, 1/4), and the row of 2^-500 times it is 2^496.
    const auto a = matrix_of({{1, 2, 0}, {0, 0x1p-500, 0x1p-500}, {1, 0, 4}});
    const vector<dd_real> b{dd_real(0x1p+991), dd_real(0x1.8p+489), dd_real(0x1p+991)};
    vector<dd_real> x(3), low(3);
    for (const bool is_long : {false, true}) {
        const auto report = is_long ? ddla::solve(a, b, x, low) : ddla::solve(a, b, x);
        INFO((is_long ? "four words" : "two words"));
        CHECK(report.status == solve_status::converged);
        REQUIRE(report.digits.has_value());
        CHECK(*report.digits >= (is_long ? 62 : 31));
        for (index_t i = 0; i < 3; ++i) CHECK((x[i] == dd_real(std::ldexp(1, int(990 - i)))));
    }
}

TEST_CASE("four words of a component 2^2000 below the largest are not claimed", "[range]")
{
    // x_2 = 1e-300, by the first row.
    const auto a = matrix_of(
        {{0, 1, 0}, {9.164809090498814e-151, 9.164809090498814e-151, 0x1p+500}, {-2, -3, -1}});
    const vector<dd_real> b{dd_real(1e-300), dd_real(1), dd_real(1e300)};
    vector<dd_real> x(3), low(3);
    const solve_report report = ddla::solve(a, b, x, low);
    const double error = std::fabs(double(x[1] - dd_real(1e-300))) / 1e-300;
    CHECK(report.digits.value_or(0) <= 1 - std::log10(std::max(error, 0x1p-200)));
}
