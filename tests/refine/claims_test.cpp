// What refinement and the judge may claim, each guard by itself: corrections and results are made
// up.
#include "catch.hpp"
#include "diagonal_system.hpp"
#include "support/shapes.hpp"

#include "answer/judge.hpp"
#include "errors/sharp_errors.hpp"

#include <cmath>

using namespace ddla::refine;
using ddla::dd_real;
using ddla::index_t;
using ddla::vec;
using test::diagonal_system;

namespace {

/// What is said of this x, if refinement had found relative errors of 2^-100, or `error`, and
/// converged fast.
answer judged(const diagonal_system& of, solution_view x, const answer_request& request = {},
              double error = 0x1p-100)
{
    const observed_error normwise{error, 0x1p-30};
    std::vector<double> errors;
    for (index_t i = 0; i < 2; ++i) errors.push_back(error * std::fabs(x.high.word(0)[i]));
    const auto of_residuals = [&of](const_solution_view y) {
        return residual_errors(of.system, of.exact(), y);
    };
    answer said;
    said.errors.condition = said.errors.condition_1 = ddla::condition_number{1, false};
    judge<double>(of.system, request).look(x, {normwise, errors, 0x1p-30, {}, of_residuals}, said);
    return said;
}

answer judged(const diagonal_system& of, ddla::vector<dd_real> x)
{
    return judged(of, solution_view(x.view()));
}

}  // namespace

TEST_CASE("a right x is trusted, with its digits")
{
    const diagonal_system one(3, 7, 1, 1);
    const answer said = judged(one, one.x);
    CHECK(said.errors.trusted);
    CHECK(said.errors.componentwise_trusted);
    REQUIRE(said.digits.has_value());
    CHECK(*said.digits == Approx(30.1).margin(0.1));
}

TEST_CASE("digits are those of the true component, which may be smaller than x")
{
    diagonal_system one(3, 7, 1, 1);
    // x may be wrong by a sixteenth: of the true component that is a fifteenth at most.
    const answer few = judged(one, solution_view(one.x.view()), {}, 0x1p-4);
    REQUIRE(few.digits.has_value());
    CHECK(*few.digits == Approx(std::log10(15.0)).margin(0.001));
    CHECK(few.errors.unsettled.count == 0);
    // 0.095 of x is more than a tenth of the true component.
    const answer none = judged(one, solution_view(one.x.view()), {}, 0.095);
    CHECK(none.errors.unsettled.count == 2);
    CHECK_FALSE(none.digits.has_value());
}

TEST_CASE("an error that the backward error contradicts is not trusted")
{
    const diagonal_system one(3, 7, 1, 1);
    auto wrong = one.x;
    wrong[1] = wrong[1] * dd_real(1 + 1e-10);
    CHECK_FALSE(judged(one, wrong).errors.componentwise_trusted);
}

TEST_CASE("where residuals are not exact, what they lose counts")
{
    // Products of the first row are multiples of 2^-1074, half of which is 2.5e-24 of b_1.
    const diagonal_system one(1e-300, 1, dd_real(1e-300), 1);
    const answer said = judged(one, one.x);
    CHECK(said.errors.trusted);
    REQUIRE(said.digits.has_value());
    CHECK(*said.digits < 23.6);
    CHECK(*said.digits > 18);
    // Here it is as large as b_1.
    const diagonal_system lost(0x1p-1070, 1, dd_real(0x1p-1070), 1);
    const answer none = judged(lost, lost.x);
    CHECK_FALSE(none.digits.has_value());
    CHECK(none.errors.unsettled.count == 1);
    CHECK(none.errors.unsettled.first == 0);
}

TEST_CASE("where low words of x underflow, its digits end there")
{
    // x 2^-980 are multiples of 2^-1074; next to 2^94 / 7 is a number 2 / 7 below.
    const diagonal_system one(3, 7, 1, 1);
    ddla::vector<dd_real> x = one.x;
    answer_request request;
    request.exponent = -980;
    const answer said = judged(one, solution_view(x.view()), request);
    CHECK(said.errors.trusted);
    REQUIRE(said.digits.has_value());
    CHECK(*said.digits == Approx(93 * std::log10(2)).margin(0.02));
}

TEST_CASE("an x in double is judged without low words")
{
    const diagonal_system one(3, 7, 1, 1);
    auto x = one.x;
    REQUIRE(x[0].lo != 0);
    answer_request request;
    request.words = 1;
    const answer said = judged(one, solution_view(x.view()), request);
    for (index_t i = 0; i < 2; ++i) CHECK(x[i] == dd_real(one.x[i].hi));
    CHECK(said.relative_residual == one.system.relative_residual(x.view()));
    CHECK(said.relative_residual > 0x1p-60);
}

TEST_CASE("corrections that end as noise do not contract")
{
    const diagonal_system one(3, 7, 1, 1);
    ddla::vector<dd_real> x(2);
    double sign = 1;
    const correction noisy = [&](vec<const dd_real> r, vec<dd_real> d) {
        one.exact()(r, d);
        sign = -sign;
        for (index_t i = 0; i < 2; ++i) d.set(i, d.get(i) + dd_real(sign * 1e-20));
    };
    const refinement_result noise = refine(one.system, noisy, x.view());
    CHECK_FALSE(noise.normwise.contracts());
    x = ddla::vector<dd_real>(2);
    const refinement_result good = refine(one.system, one.exact(), x.view());
    CHECK(good.normwise.contracts());
    CHECK(good.componentwise.estimate() < 1e-30);
}

TEST_CASE("components that are judged are no better than what corrections leave of others")
{
    const diagonal_system one(1, 1, 3, 7);
    // Ten digits of the first component at a time, a part of the second.
    const correction uneven = [&](vec<const dd_real> r, vec<dd_real> d) {
        one.exact()(r, d);
        d.set(0, d.get(0) * dd_real(1 + 1e-10));
        d.set(1, d.get(1) * dd_real(0.375));
    };
    refinement_limits limits;
    limits.judged = component_range{0, 1};
    ddla::vector<dd_real> x(2);
    const refinement_result done = refine(one.system, uneven, x.view(), limits);
    CHECK(done.normwise.rate >= 0.5);
    CHECK_FALSE(done.normwise.contracts());
    CHECK_FALSE(done.componentwise.contracts());
}

TEST_CASE("refinement leaves the best iterate, not the last one")
{
    const diagonal_system one(3, 7, 1, 1);
    int calls = 0;
    // Five digits each; the fourth and all that follow are far off.
    const correction spoilt = [&](vec<const dd_real> r, vec<dd_real> d) {
        one.exact()(r, d);
        ++calls;
        for (index_t i = 0; i < 2; ++i)
            d.set(i, calls > 3 ? dd_real(1e-3) : d.get(i) * dd_real(1 + 1e-5));
    };
    ddla::vector<dd_real> x(2);
    const refinement_result done = refine(one.system, spoilt, x.view());
    CHECK(done.steps > 3);
    for (index_t i = 0; i < 2; ++i)
        CHECK(std::fabs(double((x[i] - one.x[i]) / one.x[i])) == Approx(1e-10).epsilon(1e-3));
    CHECK(done.residual == Approx(1e-10).epsilon(1e-3));
}

TEST_CASE("corrections of residuals that were scaled are scaled back")
{
    for (const double size : {0x1p-700, 0x1p+1010}) {
        const diagonal_system one(3, 7, size, size / 2);
        ddla::vector<dd_real> x(2), r(2);
        REQUIRE(one.system.residual(x.view(), r.view()) != 1);
        const refinement_result done = refine(one.system, one.exact(), x.view());
        INFO("b of " << size);
        for (index_t i = 0; i < 2; ++i)
            CHECK(std::fabs(double((x[i] - one.x[i]) / one.x[i])) <= 0x1p-103);
        CHECK(done.steps <= 3);
    }
}

TEST_CASE("a component that corrections do not see is not called right")
{
    const diagonal_system one(3, 1, 1, dd_real(1e-40));
    ddla::vector<dd_real> x{0, 5e-40};
    const correction blind = [&](vec<const dd_real> r, vec<dd_real> d) {
        one.exact()(r, d);
        d.set(1, dd_real(0));
    };
    const refinement_result done = refine(one.system, blind, x.view());
    CHECK((x[1] == dd_real(5e-40)));
    CHECK_FALSE(done.componentwise.estimate() < 1e-12);
}

TEST_CASE("corrections that are blind for a component are found by a probe")
{
    const diagonal_system one(3, 0x1p+130, 1, 1);
    const std::vector<double> scale{1, 0x1p-130};
    const correction blind = [&](vec<const dd_real> r, vec<dd_real> d) {
        one.exact()(r, d);
        d.set(1, dd_real(0));
    };
    const approximate_inverse good{one.exact(), one.exact(), scale, 0x1p-104, scale};
    const approximate_inverse bad{blind, blind, scale, 0x1p-104, scale};
    CHECK(probed_rate(one.system, good) < 1e-30);
    CHECK(probed_rate(one.system, bad) >= 1);

    const answer_request request;
    ddla::vector<dd_real> x{0, 0x1p-128};
    CHECK_FALSE(improve_answer(one.system, x.view(), bad, request).errors.trusted);
    const answer right = improve_answer(one.system, x.view(), good, request);
    CHECK(right.errors.trusted);
    CHECK(right.status == ddla::solve_status::converged);
}

TEST_CASE("a product with the inverse stalls in whatever component it stalls")
{
    const diagonal_system one(1, 0x1p+130, 1, 1);
    const std::vector<double> scale{1, 0x1p-130};
    const correction diverging = [&](vec<const dd_real> r, vec<dd_real> d) {
        one.exact()(r, d);
        d.set(1, d.get(1) * 3);
    };
    const approximate_inverse bad{diverging, diverging, scale, 0x1p-104, scale};
    CHECK_FALSE(refined_solve(one.system, bad, {1, 1}).has_value());
    CHECK_FALSE(refined_solve_transposed(one.system, bad, {1, 1}).has_value());
    const approximate_inverse good{one.exact(), one.exact(), scale, 0x1p-104, scale};
    CHECK(refined_solve(one.system, good, {1, 1}) == std::optional(real_vector{1, 0x1p-130}));
}

TEST_CASE("an x that leaves no residual has no error but its rounding, any other the estimated one")
{
    const diagonal_system of(3, 5, 21, 20);
    CHECK(*judged(of, {7, 4}).errors.componentwise <= 0x1p-105);
    CHECK(*judged(of, {7, 4}).errors.normwise <= 0x1p-105);
    const auto near = judged(of, {7, dd_real(4, 0x1p-104)});
    CHECK(*near.errors.componentwise >= 0x1p-100);
    CHECK(*near.errors.normwise >= 0x1p-100);
    // Products of this row are not exact: a residual of 0 says nothing.
    const diagonal_system tiny(3, 0x1p-600, 21, 0x1p-900);
    CHECK(*judged(tiny, {7, 0x1p-300}).errors.componentwise >= 0x1p-100);
}
