// x in four words: sums and residuals against exact integers, and what may be claimed of such an x.
#include "catch.hpp"
#include "support/exact_numbers.hpp"
#include "support/random.hpp"
#include "support/shapes.hpp"

#include "answer/judge.hpp"

#include "ddla/check.hpp"
#include "ddla/generate.hpp"

using namespace ddla::refine;
using ddla::dd_real;
using ddla::index_t;
using ddla::solve_status;
using ddla::vec;
using ddla::vector;
using test::exact_number;

namespace {

constexpr index_t n = 400;

/// About 1, the words of falling size, gaps between them.
dd_real random_pair(test::random_numbers& random, double size)
{
    const double high = size * random.real();
    const ddla::exact s = ddla::two_sum(high, high * 0x1p-53 * random.real());
    return {s.value, s.error};
}

struct long_vector {
    vector<dd_real> high = vector<dd_real>(n), low = vector<dd_real>(n);

    explicit long_vector(test::random_numbers& random)
    {
        for (index_t i = 0; i < n; ++i) {
            high.set(i, random_pair(random, 1));
            low.set(i, random_pair(random, 0x1p-108));
        }
    }
    solution_view view() { return {high.view(), low.view()}; }
    exact_number at(index_t i) const { return exact_number(high[i]) + exact_number(low[i]); }
};

bool is_canonical(dd_real high, dd_real low)
{
    return high.hi + high.lo == high.hi && high.lo + low.hi == high.lo && low.hi + low.lo == low.hi;
}

template <class V>
ddla::csr_matrix<V> random_rows(test::random_numbers& random)
{
    ddla::coordinates<V> list{.rows = n, .columns = n};
    for (index_t i = 0; i < n; ++i)
        for (index_t j = 0; j < (i == 0 ? n : 1 + i % 9); ++j) {
            const dd_real value = random_pair(random, 1);
            if constexpr (ddla::words_of<V> == 1)
                list.add(i, (i + 37 * j) % n, value.hi);
            else
                list.add(i, (i + 37 * j) % n, value);
        }
    return ddla::csr_matrix<V>(list);
}

}  // namespace

TEST_CASE("sums in four words are those of exact integers")
{
    test::random_numbers random(71);
    for (const double size : {1.0, 0x1p-60, 0x1p-110, 0x1p-180}) {
        long_vector x(random), d(random);
        std::vector<exact_number> expected;
        for (index_t i = 0; i < n; ++i) {
            d.high.set(i, d.high[i] * size);
            expected.push_back(x.at(i) + exact_number(d.high[i]));
        }
        add_to(x.view(), d.high.view());
        for (index_t i = 0; i < n; ++i) {
            const exact_number& sum = expected[static_cast<std::size_t>(i)];
            CHECK(is_canonical(x.high[i], x.low[i]));
            CHECK(ratio(x.at(i) - sum, sum) <= 0x1p-212);
        }
    }
}

TEST_CASE("differences in four words are those of exact integers")
{
    test::random_numbers random(72);
    long_vector x(random), y(random);
    for (index_t i = 0; i < n; ++i)
        if (i % 2 == 0) y.high.set(i, x.high[i]);  // only the low parts differ
    for (index_t i = 0; i < n; ++i) {
        const exact_number difference = x.at(i) - y.at(i);
        CHECK(ratio(exact_number(ddla::refine::difference(x.view(), y.view(), i)) - difference,
                    difference) <= 0x1p-104);
    }
}

TEMPLATE_TEST_CASE("residuals in four words have all digits of theirs", "", double, dd_real)
{
    test::random_numbers random(73);
    const auto a = random_rows<TestType>(random);
    long_vector x(random);
    vector<dd_real> b(n), r(n);
    const auto view = a.view();
    std::vector<exact_number> expected, size;
    for (index_t i = 0; i < n; ++i) {
        exact_number ax, most;
        for (index_t e = view.row_begin[i]; e < view.row_begin[i + 1]; ++e) {
            const exact_number term = exact_number(view.value.get(e)) * x.at(view.column[e]);
            ax = ax + term;
            most = most + abs(term);
        }
        // All but the last digits cancel.
        b.set(i, test::close_to<dd_real>(ax));
        expected.push_back(exact_number(b[i]) - ax);
        size.push_back(most);
    }
    wide_residual(view, x.view(), b.view(), 1, r.view());
    for (index_t i = 0; i < n; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const exact_number wrong = exact_number(r[i]) - expected[at];
        CHECK(ratio(wrong, expected[at]) <= 0x1p-104);
        CHECK(ratio(expected[at], size[at]) < 0x1p-100);  // the test is one of cancellation
        CHECK(ratio(wrong, size[at]) <= 0x1p-204);
    }
}

TEMPLATE_TEST_CASE("residuals in four words are scaled as a whole", "", double, dd_real)
{
    test::random_numbers random(75);
    const auto a = random_rows<TestType>(random);
    long_vector x(random);
    vector<dd_real> b(n), plain(n), scaled(n);
    for (index_t i = 0; i < n; ++i) b.set(i, random_pair(random, 1));
    wide_residual(a.view(), x.view(), b.view(), 1, plain.view());
    for (const double scale : {0x1p-60, 0x1p+300}) {
        wide_residual(a.view(), x.view(), b.view(), scale, scaled.view());
        for (index_t i = 0; i < n; ++i) CHECK((scaled[i] == plain[i] * scale));
    }
}

TEST_CASE("residuals of the best x in four words have all digits of theirs")
{
    test::random_numbers random(74);
    ddla::coordinates<double> list{.rows = n, .columns = n};
    vector<dd_real> b(n), r(n), high(n), low(n);
    for (index_t i = 0; i < n; ++i) {
        list.add(i, i, random.real());
        b.set(i, random_pair(random, 1));
    }
    const ddla::csr_matrix<double> a(list);
    const host_system<double> system(a.view(), std::as_const(b).view());
    const correction exact = [&](vec<const dd_real> of, vec<dd_real> d) {
        for (index_t i = 0; i < n; ++i) d.set(i, of.get(i) / a.view().value.get(i));
    };
    refine(system, exact, {high.view(), low.view()});
    wide_residual(a.view(), solution_view(high.view(), low.view()), b.view(), 1, r.view());
    for (index_t i = 0; i < n; ++i) {
        const exact_number x = exact_number(high[i]) + exact_number(low[i]);
        const exact_number expected = exact_number(b[i]) - exact_number(a.view().value.get(i)) * x;
        CHECK(ratio(expected, exact_number(b[i])) <= 0x1p-210);
        CHECK(ratio(exact_number(r[i]) - expected, expected) <= 0x1p-104);
    }
}

TEST_CASE("what rounding to two words leaves is met in four")
{
    const auto a = ddla::generate::toeplitz(200, 1.9);
    const vector<dd_real> b(200, dd_real(1));
    vector<dd_real> x(200), y(200), low(200);
    const ddla::solve_options options{.tolerance = 1e-34};
    CHECK(ddla::solve(a, b, x, options).status == solve_status::at_floor);
    const auto report = ddla::solve(a, b, y, low, options);
    CHECK(report.status == solve_status::converged);
    CHECK(report.true_relative_residual < 1e-55);
    CHECK(*report.digits > 55);
    CHECK(report.solution_words == 4);
    for (index_t i = 0; i < 200; ++i) CHECK(is_canonical(y[i], low[i]));
    CHECK(ddla::solve(a, b, y, low, {.tolerance = 1e-68}).status == solve_status::at_floor);
}

TEST_CASE("a check in four words sees errors of the low part")
{
    const auto a = ddla::generate::toeplitz(200, 1.9);
    const vector<dd_real> b(200, dd_real(1));
    vector<dd_real> x(200), low(200);
    ddla::solve(a, b, x, low);
    const auto right = ddla::check(a, b, x, low, {.digits = 55});
    CHECK(right.passed);
    CHECK(*right.worst > 55);
    CHECK(right.histogram.size() == 65);
    low.set(17, low[17] + x[17] * 1e-45);
    const auto wrong = ddla::check(a, b, x, low, {.digits = 55});
    CHECK_FALSE(wrong.passed);
    CHECK(*wrong.worst == Approx(45).margin(0.01));
    CHECK(wrong.worst_five.front().index == 17);
    CHECK((wrong.worst_five.front().x_low == low[17]));
    CHECK(*wrong.median > 55);
}

TEST_CASE("corrections that end as noise do not contract in four words")
{
    const auto a = test::matrix_of({{3, 0}, {0, 7}});
    const vector<dd_real> b{1, 1};
    const host_system<double> system(a.view(), b.view());
    double sign = 1, noise = 1e-40;
    const correction noisy = [&](vec<const dd_real> r, vec<dd_real> d) {
        sign = -sign;
        for (index_t i = 0; i < 2; ++i)
            d.set(i, r.get(i) / a.view().value.get(i) + dd_real(sign * noise));
    };
    vector<dd_real> x(2), low(2);
    CHECK_FALSE(refine(system, noisy, {x.view(), low.view()}).normwise.contracts());
    noise = 0;
    x = low = vector<dd_real>(2);
    const refinement_result good = refine(system, noisy, {x.view(), low.view()});
    CHECK(good.normwise.contracts());
    CHECK(good.componentwise.estimate() < 1e-62);
}

TEST_CASE("four words are refused where there are none")
{
    const auto a = ddla::generate::toeplitz(20, 1.9);
    const vector<dd_real> b(20, dd_real(1));
    vector<dd_real> x(20), low(20), shorter(19);
    const auto solve_with = [&](vector<dd_real>& low_part, const ddla::solve_options& options) {
        return ddla::solve(a, b, x, low_part, options);
    };
    CHECK_THROWS_AS(solve_with(shorter, {}), ddla::input_error);
    CHECK_THROWS_AS(solve_with(x, {}), ddla::input_error);
    CHECK_THROWS_AS(solve_with(low, {.method = ddla::method::cg}), ddla::input_error);
    CHECK_THROWS_AS(solve_with(low, {.digits = 61}), ddla::input_error);
    CHECK_THROWS_AS(solve_with(low, {.factorisation = {.most_work = 1e-9}}), ddla::resource_error);
    CHECK(solve_with(low, {.digits = 50}).status == solve_status::converged);
    low.set(3, dd_real(NAN));
    CHECK_THROWS_AS(solve_with(low, {}), ddla::input_error);
}
