// Systems that once got more digits than are right, and what makes each kind so deceptive: truth by
// rational numbers.
#include "catch.hpp"
#include "diagonal_system.hpp"
#include "exact_least_squares.hpp"
#include "support/exact_solve.hpp"

#include "answer/judge.hpp"
#include "answer/moved_rows.hpp"
#include "errors/backward_error.hpp"
#include "errors/sharp_errors.hpp"

#include "ddla/check.hpp"
#include "ddla/solve.hpp"

#include <cmath>
#include <optional>

using namespace ddla::refine;
using ddla::dd_real;
using ddla::index_t;
using ddla::vec;
using test::diagonal_system;
using test::matrix_of;

namespace {

using rows = std::vector<std::vector<double>>;

struct deceptive_system {
    const char* name;
    rows a;
    std::vector<double> b;
    std::vector<double> low = {};  ///< of b
};

const std::vector<deceptive_system>& deceptive_systems()
{
    constexpr double p = 0x1p+46, q = 0x1p+37;
    static const std::vector<deceptive_system> all{
        {"least squares, condition 1e15",
         {{2.25, 0, 0.03515625},
          {-768, 0, -11.999999999999943},
          {-32, -192, -1.2500000000000018},
          {-5, 24, 0.015625}},
         {7, 2, -7, 7}},
        {"least squares, condition 4e12",
         {{.75, 768.0000000001164}, {256, 262144}, {128, 131072.0000001192}},
         {0, 0, -1}},
        {"least squares, rows far apart", {{1e194, 1e195}, {2e53, 0}, {0, 2e54}}, {5e117, 9, 5}},
        {"least squares, the first two rows far below",
         {{8e65, 0}, {0, 2e94}, {3e182, 2e211}},
         {0, 0, 1}},
        {"a component of zero, whose rounding others take",
         {{1, 0, 1, 0, 7.006492321624085e-46},
          {0, -1.5, 0, 0, 0},
          {0, 0, 1, -52, -7.748603820800781e-07},
          {0, 1.5, 0, 3489660928, 52},
          {0, 0, 0, 0, -31}},
         {-6.994852725712932e-21, 1, -448.00000001490116, 30064771072, 3.094850098213451e26}},
        {"x that underflows", {{1}, {0x1p+566}, {0}}, {0x1p-875, 0, 1}},
        {"a residual that contradicts",
         {{53, 0, 0, 0}, {371, 1, 0, 1}, {0, 0, 1, 0x1p+98}, {371, 0, 0, 1}},
         {1, 7, .5, 7}},
        {"b far apart", {{8, 8, -6}, {9, 4, 5}, {17, 11.999999999068677, -1}}, {1, 1e150, 1e150}},
        {"b far apart, near powers of two",
         {{p - 1, p, 0}, {0, p, p + 1}, {1, p - 1, p}},
         {1e150, 0, 0}},
        {"a zero, b tiny",
         {{q, q + 1, 0, 0}, {q - 1, q, 1, 0}, {0, 1, q, 1}, {0, 0, q - 1, 0}},
         {0, 0, 0, 1e-150}},
        {"the largest component shows in no residual",
         {{-8, 3, 0}, {-8, 3, 1e-60}, {0, 1e-60, 0}},
         {3, 0, 2}},
        {"a chain in a circle",
         {{1, -1.54e27, 0}, {0, 1, -1.17e27}, {1e-30, 0, 1}},
         {1e150, 1e100, 0}},
        {"a weak border",
         {{4, -3, -5, 0}, {5, 0, -9, 1e-80}, {9, -3, -14, 0}, {-1, 0, -1, 0}},
         {0, 0, 1, 1e150}},
        {"a weak border, b far apart",
         {{-5, 9, -8, 0, -1e-80},
          {-8, -8, 9, 2, 1e-80},
          {2, -5, 8, 3, 1e-80},
          {-11, -4, 9, 5, -1e-80},
          {0, 1, 1e-80, 1e-80, 0}},
         {1e-310, 1e-150, 1e-300, 0, 1e150}},
        {"components that underflow",
         {{0, 1.3e228, 8.7e-48, 7.3e39, 0, 3.2e-235},
          {-2.4e-38, 2.0e237, 0, 0, -9.6e-96, -2.1e87},
          {-8.5e-43, 1.2e-238, -8.7e-107, 5.6e288, 3.7e-78, 0},
          {9.9e-246, 0, 2.5e251, 0, 5.9e-271, -1.7e278},
          {1.3e270, -1.5e-138, 0, -6.2e255, 6.6e-104, 0},
          {1.1e-91, 0, 0, -6.3e53, 2.9e263, -2.3e59}},
         {1e200, 0, 0, 0, 0, 0},
         {4.6e183, 0, 0, 0, 0, 0}},
    };
    return all;
}

/// The exact x; systems of the list have one.
test::least_squares::numbers truth_of(const deceptive_system& one)
{
    test::rational_vector b = test::rationals_of(one.b);
    for (std::size_t i = 0; i < one.low.size(); ++i) b[i] += mpq_class(one.low[i]);
    if (one.a.size() > one.a[0].size()) return *test::least_squares::truth(matrix_of(one.a), b);
    return *test::solve_exactly(test::rationals_of(one.a), b);
}

/// No more digits than are right, but for one: estimates may be ten times too small.
void check_told(const std::optional<double>& told, double error, const char* what)
{
    INFO(what << ", error " << error << ", told " << told.value_or(-1));
    if (told) CHECK(*told <= 1 + std::max(0.0, -std::log10(error)));
}

void check_claims_of(const deceptive_system& one, const ddla::solve_options& options, bool is_wide)
{
    const auto a = matrix_of(one.a);
    ddla::vector<dd_real> b(a.rows()), x(a.columns()), low(is_wide ? a.columns() : 0);
    for (index_t i = 0; i < a.rows(); ++i) {
        const auto at = static_cast<std::size_t>(i);
        b.set(i, dd_real(one.b[at], one.low.empty() ? 0 : one.low[at]));
    }
    const ddla::solve_report report =
        is_wide ? ddla::solve(a, b, x, low, options) : ddla::solve(a, b, x, options);
    const auto exact = truth_of(one);
    const auto found = is_wide ? test::least_squares::errors_of<dd_real>({&x, &low}, exact)
                               : test::least_squares::errors_of<dd_real>({&x}, exact);
    INFO(one.name << (is_wide ? ", four words" : "") << (options.normwise ? ", normwise" : ""));
    check_told(report.digits, options.normwise ? found.normwise : found.componentwise, "digits");
    check_told(report.normwise_digits, found.normwise, "normwise digits");
    const double error = options.normwise ? found.normwise : found.componentwise;
    if (report.status == ddla::solve_status::converged) CHECK(error <= 1e-6);
}

/// Rows of usual size and one at an end of the range, x of usual range.
const std::vector<deceptive_system>& systems_with_a_far_row()
{
    constexpr double up = 0x1p+500, down = 0x1p-1000;
    static const std::vector<deceptive_system> all{
        {"a column that the large row does not have",
         {{3, -3, -3}, {-2 * up, -up, 0}, {-3, 3, 1}},
         {1e-300, 0, 1}},
        {"a large row, large b",
         {{up, 0, -up, -2 * up, -2 * up, -up},
          {1, 1, 2, -2, 3, 2},
          {2, 1, 3, 1, 3, 1},
          {3, 0, -1, -3, -2, -2},
          {-1, -1, 0, 2, 2, -1},
          {-1, 1, -1, 1, 1, 1}},
         {0, 1e-150, 1e150, 1e150, 0, 1e300}},
        {"a tiny row, large b",
         {{-2 * down, down, 2 * down, -3 * down, -3 * down},
          {-3, -2, -1, -3, 2},
          {-3, 3, 0, -3, -3},
          {-2, 2, 3, -2, -3},
          {-1, 3, -1, -2, -3}},
         {1e-150, 1e-300, 1e300, 0, 1e300}},
        {"a tiny row, the last",
         {{-3, 1, 0, 3, -1},
          {3, 3, 0, -2, 0},
          {1, 3, 2, 2, -3},
          {1, 3, -1, -2, 1},
          {0, 3 * down, 3 * down, 0, 2 * down}},
         {1e150, 1e-300, 1e-150, 1e300, 1e-150}},
        {"products of the large row and x overflow",
         {{3, 0, 0}, {-3 / down, -1 / down, 1 / down}, {-2, 3, -1}},
         {1e300, 1, 1e-300}},
        {"products of the large row and x overflow, more rows",
         {{1, 2, 1, 1, 0},
          {-1 / down, -3 / down, -3 / down, 1 / down, 1 / down},
          {-1, 1, -3, 1, 2},
          {-1, 1, 1, 1, 3},
          {-2, 0, 1, -2, -1}},
         {1e300, 1, 1, 1e300, 1e-300}},
    };
    return all;
}

approximate_inverse by(const correction& solve)
{
    return {solve, solve, {}, 0x1p-104, {}};
}

}  // namespace

TEST_CASE("no digits are told that deceptive systems do not have")
{
    for (const deceptive_system& one : deceptive_systems())
        for (const bool normwise : {false, true})
            for (const bool is_wide : {false, true}) {
                ddla::solve_options options;
                options.digits = 6;
                options.normwise = normwise;
                check_claims_of(one, options, is_wide);
            }
}

TEST_CASE("right answers of systems with a row far from the others are told")
{
    for (const deceptive_system& one : systems_with_a_far_row()) {
        const auto outcome =
            test::least_squares::solve<dd_real>(matrix_of(one.a), one.b, truth_of(one));
        INFO(one.name);
        CHECK(outcome.report.status == ddla::solve_status::converged);
        CHECK(outcome.found.componentwise <= 1e-30);
        REQUIRE(outcome.report.digits.has_value());
        CHECK(*outcome.report.digits >= 30);
    }
}

TEST_CASE("check knows the better x where products with it overflow")
{
    const auto a = matrix_of({{3, 0, 0}, {0x3p+1000, 0x1p+1000, -0x1p+1000}, {-2, 3, -1}});
    const ddla::vector<dd_real> b{0x3p+997, 0, 0}, x{0x1p+997, 0x5p+996, 0x11p+996};
    // 3 + 5 / 2 - 17 / 2 in the second row is not 0: the last component is wrong.
    CHECK_FALSE(ddla::check(a, b, x).passed);
    // x = (1, t, 3 + t) with 3 t = 2 + 3 + t.
    const ddla::vector<dd_real> right{0x1p+997, 0x5p+996, 0xbp+996};
    const auto found = ddla::check(a, b, right);
    CHECK(found.passed);
    REQUIRE(found.errors.componentwise.has_value());
    CHECK(*found.errors.componentwise < 1e-30);
}

TEST_CASE("check moves rows as a solve does")
{
    const deceptive_system& one = systems_with_a_far_row().back();
    const auto exact = truth_of(one);
    const auto a = matrix_of(one.a);
    ddla::vector<dd_real> b(a.rows()), x(a.columns());
    for (index_t i = 0; i < a.rows(); ++i) {
        const auto at = static_cast<std::size_t>(i);
        b.set(i, dd_real(one.b[at]));
        const double high = exact[at].get_d();
        x.set(i, dd_real(high, mpq_class(exact[at] - mpq_class(high)).get_d()));
    }
    const auto found = ddla::check(a, b, x);
    INFO(found.why);
    CHECK(found.passed);
    x.set(0, x[0] * dd_real(1 + 1e-5));
    CHECK_FALSE(ddla::check(a, b, x).passed);
}

TEST_CASE("rows are moved as far as all bits stay")
{
    const auto a =
        matrix_of({{0x3p+1000, 0, 0x1p+900}, {0x1p+1000, 0x1p-60, 0}, {0, 0x1p-1000, 0}});
    const ddla::vector<dd_real> b{dd_real(5, 0x1p-60), dd_real(0x1p-1074), dd_real(0x1p+200)};
    ddla::api::moved_rows<double> moved(a.view(), b);
    REQUIRE(moved.any());
    const auto value = moved.matrix().value;
    const auto& right = moved.right_hand_side();
    // The first by 2^-962, for 2^-60 of b may have a bit of 2^-112; the second not at all, for b
    // has the least bit; the third by 2^800, for b ends below 2^1001.
    CHECK(value.get(0) == 0x3p+38);
    CHECK(value.get(1) == 0x1p-62);
    CHECK((right[0] == dd_real(0x5p-962, 0x1p-1022)));
    CHECK(value.get(2) == 0x1p+1000);
    CHECK((right[1] == dd_real(0x1p-1074)));
    CHECK(value.get(4) == 0x1p-200);
    CHECK((right[2] == dd_real(0x1p+1000)));
    const auto plain = matrix_of({{1, 0.5}, {0, 1}});
    CHECK_FALSE(ddla::api::moved_rows<double>(plain.view(), {dd_real(1), dd_real(2)}).any());
}

TEST_CASE("a probe uses all bits: round numbers would hide what rounding does")
{
    const diagonal_system one(1, 1);
    // Exact for whole numbers, wrong for the rest of others.
    const correction round = [](vec<const dd_real> r, vec<dd_real> d) {
        for (index_t i = 0; i < 2; ++i) d.set(i, dd_real(std::round(2 * r.word(0)[i]) / 2));
    };
    const approximate_inverse inverse{round, round, {1, 1}, 0x1p-104, {1, 1}};
    CHECK(probed_rate(one.system, inverse) > 0.01);
    CHECK(probed_rate(one.system, by(one.exact()), {1, 1}) < 1e-30);
}

TEST_CASE("a probe sees no rounding where rows are near the ends of the range")
{
    for (const double far : {0x1p-1000, 0x1p+1000}) {
        const diagonal_system one(3, far);
        INFO("a row of " << far);
        CHECK(probed_rate(one.system, by(one.exact()), {1, 1}) < 1e-30);
        CHECK(probed_rate(one.system, by(one.exact()), {1, 1 / far}) < 1e-30);
    }
    // No size of the vector is good for both rows: it stays finite.
    const diagonal_system wide(0x1p+1020, 0x1p-1020);
    CHECK(std::isfinite(probed_rate(wide.system, by(wide.exact()), {1, 1})));
}

TEST_CASE("what corrections lose by underflow counts for all components")
{
    // The first may be wrong by 2^-1074, 2^-74 of its scale: so may the second, times the rate.
    const ddla::vector<dd_real> none(2);
    const std::vector<double> e = component_errors(none.view(), {{0x1p-1000, 1}, 0x1p-10});
    CHECK(e[0] == Approx(0x1p-1074));
    CHECK(e[1] == Approx(0x1p-84));
    CHECK(component_errors(none.view(), {{0, 1}, 0x1p-10})[0] == 0);
}

TEST_CASE("errors by a rate that does not contract bound nothing")
{
    const diagonal_system one(3, 7);
    ddla::vector<dd_real> x{dd_real(1) / 3, dd_real(1) / 7};
    refinement_result found;
    found.next = ddla::vector<dd_real>{dd_real(1e-20), dd_real(1e-20)};
    found.componentwise.error = 1e-10;
    found.observed_rate = 0x1p-100;
    const known_zeros zeros;
    const approximate_inverse exact{one.exact(), one.exact(), {}, 0x1p-104, {}};
    for (const double rate : {1.0, 0x1p-20}) {
        found.errors = {1e-30, 1e-30};
        found.scaled_rate = rate;
        CHECK(sharpen_errors(one.system, exact, x.view(), zeros, found) < 1e-20);
        for (const double e : found.errors)
            CHECK(e == Approx(rate < 0.5 ? 1e-30 : 4e-20).epsilon(1e-6));
    }
}

TEST_CASE("normwise digits count what each component may be wrong by, not corrections alone")
{
    const diagonal_system one(3, 7);
    ddla::vector<dd_real> x{dd_real(1) / 3, dd_real(1) / 7};
    const answer_request request;
    const auto none = [](const_solution_view) { return std::vector<double>(2, 0); };
    answer said;
    said.errors.condition = said.errors.condition_1 = ddla::condition_number{1, false};
    // A correction of 2^-100 and a rate that does not contract; by components it does.
    const std::vector<double> errors{0x1p-100, 0x1p-20};
    judge<double>(one.system, request)
        .look(x.view(), {{0x1p-100, 1}, errors, 0x1p-30, {}, none}, said);
    CHECK(said.errors.trusted);
    REQUIRE(said.errors.normwise.has_value());
    CHECK(*said.errors.normwise == Approx(3 * 0x1p-20).epsilon(1e-6));
    judge<double>(one.system, request).look(x.view(), {{0x1p-100, 1}, errors, 1, {}, none}, said);
    CHECK_FALSE(said.errors.trusted);
}

TEST_CASE("rows far apart have backward errors of their own")
{
    // Residuals: 2^-101 beside 2^-100 in the second row, which times 2^-100 would underflow.
    const auto a = matrix_of({{0x1p+950, 0}, {0, 0x1p-1000}});
    const ddla::vector<dd_real> b{dd_real(0x1p+950), dd_real(0x1p-1000)},
        x{dd_real(1), dd_real(1 - 0x1p-20)};
    const host_system<double> system(a.view(), b.view());
    const backward_errors back =
        backward_errors_of(system, const_solution_view(x.view()), 0x1p-104);
    CHECK(back.componentwise == Approx(0x1p-21).epsilon(1e-5));
    CHECK(back.normwise == 0);
    CHECK(back.smallest_row == Approx(0x1p-999).epsilon(1e-5));
}
