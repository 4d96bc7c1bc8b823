// Zeros, tiny components and the ends of the range of doubles: what is returned and claimed,
// against rational numbers.
#include "catch.hpp"
#include "support/exact_solve.hpp"
#include "support/shapes.hpp"

#include "answer/answer.hpp"

#include "ddla/check.hpp"
#include "ddla/factors.hpp"

#include <utility>

using ddla::dd_real;
using ddla::index_t;
using ddla::solve_report;
using ddla::solve_status;
using ddla::vector;
using test::matrix_of;

namespace {

using rows = std::vector<std::vector<double>>;

struct named_system {
    const char* name;
    rows a;
    std::vector<double> b;
    int zeros = 0;      ///< among the components of x
    int too_small = 0;  ///< components without a right digit in double
    /// Where claims are not within three digits of the truth: at least so many.  The components of
    /// the chain are 75 orders of magnitude apart, and its estimates know how corrections shrink in
    /// the norm of the scaled system better than in each component: in four words, and by factors
    /// in double that are kept, after which there is no stage with better ones.
    double least_in_four_words = HUGE_VAL, least_by_kept = HUGE_VAL;
};

/// 5 points, n x n; x is 1 in components begin to end - 1.
named_system grid(int n, int begin, int end)
{
    const auto size = static_cast<std::size_t>(n * n);
    named_system s{"grid", rows(size, std::vector<double>(size, 0)), std::vector<double>(size, 0),
                   n * n - (end - begin)};
    for (int i = 0; i < n * n; ++i) {
        const auto set = [&](bool is_there, int j, double value) {
            if (!is_there) return;
            s.a[std::size_t(i)][std::size_t(j)] = value;
            if (begin <= j && j < end) s.b[std::size_t(i)] += value;
        };
        set(true, i, 4);
        set(i % n > 0, i - 1, -1);
        set(i % n < n - 1, i + 1, -1);
        set(i >= n, i - n, -1);
        set(i + n < n * n, i + n, -1);
    }
    return s;
}

rows chain()
{
    const std::vector<double> next{-0.3, -0.5, -1e-30, -0.2, -1e-25, -0.4, -1e-20};
    rows a(8, std::vector<double>(8, 0));
    for (std::size_t i = 0; i < 7; ++i) a[i][i] = 0.9, a[i][i + 1] = next[i];
    a[7][7] = 1;
    return a;
}

std::vector<named_system> systems()
{
    return {
        {"zero claimed", {{-1, 0, 1}, {0, 3, -1}, {1, -1, 2}}, {0, 1, -3}, 1},
        {"zero stagnates",
         {{1, 0, 0, 0, 3}, {0, 4, 0, 0, 3}, {2, 0, 4, -1, 1}, {0, 4, 2, -1, 0}, {0, 0, -1, 1, 0}},
         {1, 0, 4, 0, 1},
         2},
        grid(10, 33, 50),
        {"underflow", {{1, 1e-200}, {0, 1}}, {0, 1e-200}, 0, 1},
        {"underflow of a user",
         {{0.002, 0, 1400}, {0, 0.00027, -3e-322}, {1400, -3e-322, 900000000}},
         {3e-8, 0, 0.02},
         0,
         1},
        {"subnormal", {{1, 0}, {1, 1e300}}, {1, 1.0000000000009095}},
        {"norm overflows", {{1e308, 1e308}, {1e308, -1e308}}, {1e308, 1e308}, 1},
        {"tiny b", {{3, 1, 0}, {1, 3, 1}, {0, 1, 3}}, {1e-310, 1e-310, 1e-310}},
        {"wide range", {{1e100, 0}, {0, 1e-100}}, {1e100, 1e-100}},
        {"chain", chain(), {0, 0, 0, 0, 0, 0, 0, 1}, 0, 0, 40, 5.5},
        {"tiny beside", {{1, 0}, {1e-155, 1e155}}, {1, 0}},
    };
}

/// x by its words, as rational numbers.
template <class T>
test::rational_vector rationals_in(const vector<T>& x, const vector<dd_real>* low = nullptr)
{
    test::rational_vector q;
    for (index_t i = 0; i < x.size(); ++i) {
        q.push_back(test::exact_number(x[i]).rational());
        if (low) q.back() += test::exact_number((*low)[i]).rational();
    }
    return q;
}

/// |x - truth| / |truth|, HUGE_VAL if that is above 1.
double relative_error(const mpq_class& x, const mpq_class& truth)
{
    if (x == truth) return 0;
    if (truth == 0) return HUGE_VAL;
    const mpq_class e = abs(mpq_class((x - truth) / truth));
    return e > 1 ? HUGE_VAL : e.get_d();
}

/// Right digits of the worst component, as many as doubles hold of it: in one, two or four words,
/// with the smallest double for a last bit.
double true_digits(const test::rational_vector& x, const test::rational_vector& truth,
                   int precision)
{
    double worst = std::ldexp(1, precision == 0 ? -53 : precision == 1 ? -106 : -212);
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (truth[i] == 0) continue;
        const mpq_class held = test::exact_number(0x1p-1074).rational() / abs(truth[i]);
        worst = std::max({worst, relative_error(x[i], truth[i]), held.get_d()});
    }
    return -std::log10(worst);
}

/// What a report claims of x holds, and is not far below the truth.
void check_claims(const named_system& of, const solve_report& report,
                  const test::rational_vector& x, const test::rational_vector& truth, int precision,
                  double least = HUGE_VAL)
{
    INFO(of.name << ", precision " << precision << ": " << to_string(report.status));
    double worst = 0, largest = 0;
    mpq_class largest_error = 0, largest_x = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (truth[i] == 0) CHECK((x[i] == 0));
        worst = std::max(worst, relative_error(x[i], truth[i]));
        if (abs(truth[i]) > largest_x) largest_x = abs(truth[i]);
        if (abs(x[i] - truth[i]) > largest_error) largest_error = abs(x[i] - truth[i]);
    }
    largest = mpq_class(largest_error / largest_x).get_d();
    CHECK(report.errors.proved_zeros + report.errors.certain_zeros == of.zeros);
    CHECK(report.errors.unsettled.count == of.too_small);
    REQUIRE(report.normwise_digits.has_value());
    CHECK(largest <= std::pow(10, -*report.normwise_digits));
    CHECK(report.digits.has_value() == (of.too_small == 0));
    CHECK((report.status == solve_status::converged) == (report.digits.value_or(0) >= 12));
    if (!report.digits) return;
    // Claims are relative to the x that is returned.
    const double said = std::pow(10, -*report.digits) * (1 + 1e-14);
    CHECK(worst <= said / (1 - said));
    CHECK(*report.digits >= std::min(least, true_digits(x, truth, precision) - 3));
}

bool has_minus_zero(dd_real x)
{
    return (x.hi == 0 && std::signbit(x.hi)) || (x.lo == 0 && std::signbit(x.lo));
}

template <class T>
vector<T> vector_of(const std::vector<double>& values)
{
    vector<T> v(static_cast<index_t>(values.size()));
    for (std::size_t i = 0; i < values.size(); ++i) v.set(static_cast<index_t>(i), T(values[i]));
    return v;
}

test::rational_vector truth_of(const named_system& s)
{
    return *test::solve_exactly(test::rationals_of(s.a), test::rationals_of(s.b));
}

template <class T>
void check_solves(int precision)
{
    for (const named_system& s : systems()) {
        const auto a = matrix_of(s.a);
        const auto truth = truth_of(s);
        const auto b = vector_of<T>(s.b);
        vector<T> x(b.size());
        const solve_report one = ddla::solve(a, b, x);
        check_claims(s, one, rationals_in(x), truth, precision);
        for (index_t i = 0; i < x.size(); ++i) CHECK_FALSE(has_minus_zero(dd_real(x[i])));
        // Several right-hand sides, and kept factors: the same bits.
        std::vector<vector<T>> many_b{b, vector_of<T>(std::vector<double>(s.b.size(), 1)), b};
        std::vector<vector<T>> many(3, vector<T>(b.size()));
        const auto reports = ddla::solve(a, many_b, many);
        CHECK(reports[0].solution_hash == one.solution_hash);
        CHECK(reports[2].solution_hash == one.solution_hash);
        CHECK(reports[2].errors.certain_zeros == one.errors.certain_zeros);
        const ddla::lu_factors<double> factors(a);
        vector<T> y(b.size());
        INFO("factors that are kept");
        const solve_report kept = ddla::solve(a, b, y, factors);
        check_claims(s, kept, rationals_in(y), truth, precision, s.least_by_kept);
    }
}

/// d = A^-1 r by factors of a symmetric A.
void apply(const ddla::lu_factors<double>& factors, ddla::vec<const dd_real> r,
           ddla::vec<dd_real> d)
{
    vector<dd_real> all(r.size);
    for (index_t i = 0; i < r.size; ++i) all.set(i, r.get(i));
    factors.solve(all, all);
    for (index_t i = 0; i < r.size; ++i) d.set(i, all[i]);
}

}  // namespace

TEST_CASE("zeros and tiny components in double", "[range]")
{
    check_solves<double>(0);
}

TEST_CASE("zeros and tiny components in double-double", "[range]")
{
    check_solves<dd_real>(1);
}

TEST_CASE("zeros and tiny components in four words", "[range]")
{
    for (const named_system& s : systems()) {
        const auto b = vector_of<dd_real>(s.b);
        vector<dd_real> x(b.size()), low(b.size());
        const solve_report report = ddla::solve(matrix_of(s.a), b, x, low);
        check_claims(s, report, rationals_in(x, &low), truth_of(s), 2, s.least_in_four_words);
        for (index_t i = 0; i < x.size(); ++i)
            CHECK_FALSE((has_minus_zero(x[i]) || has_minus_zero(low[i])));
    }
}

TEST_CASE("right values of wrong answers that were reported", "[range]")
{
    const auto solved = [](const rows& a, const std::vector<double>& b) {
        vector<dd_real> x(static_cast<index_t>(b.size()));
        ddla::solve(matrix_of(a), vector_of<dd_real>(b), x);
        return x;
    };
    const auto all = systems();
    const auto one = solved(all[0].a, all[0].b);
    CHECK((one[0] == dd_real(-1) && one[1] == dd_real(0) && one[2] == dd_real(-1)));
    const auto two = solved(all[1].a, all[1].b);
    for (index_t i = 0; i < 5; ++i)
        CHECK((two[i] == dd_real(std::vector{1, 0, 1, 2, 0}[std::size_t(i)])));
    const auto norm = solved(all[6].a, all[6].b);
    CHECK((norm[0] == dd_real(1) && norm[1] == dd_real(0)));
}

TEST_CASE("a system without a pivot to trust claims nothing, and is solved", "[range]")
{
    const rows a{{1, 0, 1, 1}, {0, 1, 1, 1 + 0x1p-52}, {1, 1, 0, 0}, {1, 1 + 0x1p-52, 0, 0}};
    const std::vector<double> b{1, 2, 3, 4};
    const auto truth = *test::solve_exactly(test::rationals_of(a), test::rationals_of(b));
    CHECK(
        (truth[0] == mpq_class("-4503599627370493") && truth[1] == mpq_class("4503599627370496")));
    CHECK((truth[2] == mpq_class("40564819207303327337095620460542")));
    CHECK((truth[3] == mpq_class("-40564819207303322833495993090048")));
    vector<dd_real> x(4);
    const solve_report report = ddla::solve(matrix_of(a), vector_of<dd_real>(b), x);
    const auto q = rationals_in(x);
    for (std::size_t i = 0; i < 4; ++i) CHECK(relative_error(q[i], truth[i]) <= 0x1p-104);
    if (report.digits) CHECK(*report.digits <= 31.9);
    CHECK(report.errors.proved_zeros + report.errors.certain_zeros == 0);
}

TEST_CASE("where zeros cannot be told within the limits, the largest components are known",
          "[range]")
{
    const named_system s = grid(10, 33, 50);
    const auto a = matrix_of(s.a);
    const auto b = vector_of<dd_real>(s.b);
    const ddla::lu_factors<double> factors(a);
    const ddla::refine::approximate_inverse approximate{
        [&](ddla::vec<const dd_real> r, ddla::vec<dd_real> d) { apply(factors, r, d); },
        [&](ddla::vec<const dd_real> r, ddla::vec<dd_real> d) { apply(factors, r, d); },
        {},
        0x1p-52,
        {}};
    const ddla::refine::host_system<double> system(a.view(), b.view());
    for (const double work : {1e-8, 4.0}) {
        vector<dd_real> x(100);
        ddla::refine::answer_request request;
        request.factorisation.most_work = work;
        const auto found = ddla::refine::improve_answer(
            system, ddla::refine::solution_view(x.view()), approximate, request);
        INFO("most work " << work);
        REQUIRE(found.normwise_digits.has_value());
        CHECK(*found.normwise_digits >= 30);
        CHECK(found.digits.has_value() == (work == 4));
        CHECK(found.errors.certain_zeros == (work == 4 ? 83 : 0));
        CHECK((found.errors.unsettled.count > 0) == (work < 4));
        CHECK((found.errors.unsettled.count <= 83));
        CHECK((found.status == solve_status::converged) == (work == 4));
        if (work == 4) continue;
        CHECK(found.errors.unsettled.first == 0);
        CHECK_THAT(found.errors.unsettled.why, Catch::Contains("than the limits allow"));
        for (index_t i = 33; i < 50; ++i) CHECK(std::fabs(double(x[i] - dd_real(1))) <= 1e-30);
    }
}

TEST_CASE("check calls right what is right, and zeros wrong that are none", "[range]")
{
    for (const named_system& s : systems()) {
        if (s.too_small > 0) continue;
        const auto a = matrix_of(s.a);
        const auto b = vector_of<dd_real>(s.b);
        vector<dd_real> x(b.size());
        ddla::solve(a, b, x);
        const auto found = ddla::check(a, b, x);
        INFO(s.name << ": " << found.why);
        CHECK(found.passed);
        REQUIRE(found.worst.has_value());
        CHECK(*found.worst >= true_digits(rationals_in(x), truth_of(s), 1) - 3);
    }
    const auto s = systems()[0];
    const vector<dd_real> wrong{dd_real(-1), dd_real(1e-300), dd_real(-1)};
    CHECK_FALSE(ddla::check(matrix_of(s.a), vector_of<dd_real>(s.b), wrong).passed);
}

TEST_CASE("proved zeros keep a bound of every component, almost certain ones do not", "[range]")
{
    // x_2 = 0 by the pattern.
    const auto apart = matrix_of({{3, 1, 0}, {0, 2, 0}, {1, 0, 7}});
    const vector<dd_real> b{dd_real(1), dd_real(0), dd_real(1)};
    vector<dd_real> x(3);
    const auto proved = ddla::solve(apart, b, x, {.certify = true});
    CHECK(proved.errors.proved_zeros == 1);
    REQUIRE(proved.bound.has_value());
    REQUIRE(proved.bound->certified);
    REQUIRE(proved.bound->componentwise.has_value());
    CHECK(proved.digits_proved);
    REQUIRE(proved.digits.has_value());
    const auto truth =
        *test::solve_exactly(test::rationals_of(rows{{3, 1, 0}, {0, 2, 0}, {1, 0, 7}}),
                             test::rationals_of(std::vector<double>{1, 0, 1}));
    const auto q = rationals_in(x);
    for (std::size_t i = 0; i < 3; ++i)
        CHECK(relative_error(q[i], truth[i]) <= *proved.bound->componentwise);
    CHECK(*proved.bound->componentwise < 1e-30);

    const auto s = systems()[0];
    const auto likely = ddla::solve(matrix_of(s.a), vector_of<dd_real>(s.b), x, {.certify = true});
    CHECK(likely.errors.certain_zeros == 1);
    REQUIRE(likely.bound.has_value());
    CHECK(likely.bound->certified);
    CHECK_FALSE(likely.bound->componentwise.has_value());
    CHECK_FALSE(likely.digits_proved);
    CHECK(likely.digits.has_value());
}
