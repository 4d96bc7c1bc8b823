// Residuals after an interruption, which are told where they are right, and where they take no
// time.
#include "catch.hpp"
#include "refine/hasty_residuals.hpp"
#include "refine/host_system.hpp"
#include "storage/transposed.hpp"
#include "watched_parts.hpp"

#include "ddla/ddla.hpp"

#include <cmath>
#include <optional>
#include <vector>

using namespace ddla;

namespace {

/// ||b - A x|| / ||b|| and ||A^T r|| / (||A|| ||r||) in rationals; the roots rounded.
struct exact_residuals {
    double relative, normal;
};

exact_residuals exact_residuals_of(const csr_matrix<double>& a, const vector<dd_real>& b,
                                   const vector<dd_real>& x)
{
    const auto rows = a.view();
    mpq_class of_r = 0, of_products = 0, of_a = 0;
    std::vector<mpq_class> products(static_cast<std::size_t>(a.columns()));
    for (index_t i = 0; i < a.rows(); ++i) {
        const mpq_class r =
            test::exact_residual_of_row(a, test::exact_number(b[i]).rational(), x, i);
        of_r += r * r;
        for (index_t e = rows.row_begin[i]; e < rows.row_begin[i + 1]; ++e) {
            const mpq_class v = test::exact_number(rows.value.word(0)[e]).rational();
            products[static_cast<std::size_t>(rows.column[e])] += v * r;
            of_a += v * v;
        }
    }
    for (const mpq_class& p : products) of_products += p * p;
    if (of_r == 0) return {0, 0};
    return {test::exact_residual(a, b, x), std::sqrt(mpq_class(of_products / of_a / of_r).get_d())};
}

/// More rows than columns, of small whole numbers.
csr_matrix<double> rectangle(index_t columns)
{
    coordinates<double> all{.rows = 2 * columns, .columns = columns};
    for (index_t i = 0; i < all.rows; ++i)
        for (index_t k = 0; k < 3; ++k)
            all.add(i, (i / 2 + 5 * k) % columns, static_cast<double>(1 + (i * (k + 3)) % 7));
    return csr_matrix<double>(all);
}

vector<dd_real> ones(index_t n)
{
    return vector<dd_real>(n, dd_real(1));
}

template <scalar T>
vector<T> rounded(const vector<dd_real>& x)
{
    vector<T> y(x.size());
    for (index_t i = 0; i < x.size(); ++i) y.set(i, T(x[i]));
    return y;
}

/// b = A x + e (0, 1, 2, 0, 1, ...), and x of ones.
vector<dd_real> near_product(const csr_matrix<double>& a, double e)
{
    vector<dd_real> b(a.rows());
    const auto rows = a.view();
    for (index_t i = 0; i < a.rows(); ++i) {
        double sum = 0;  // of whole numbers
        for (index_t k = rows.row_begin[i]; k < rows.row_begin[i + 1]; ++k)
            sum += rows.value.word(0)[k];
        b.set(i, dd_real(sum) + dd_real(static_cast<double>(i % 3) * e));
    }
    return b;
}

/// How many of the residuals that may be told are, of ones and of b ever nearer to A x.
template <scalar T>
int told_rightly(const csr_matrix<double>& a, double size)
{
    const csr_matrix<double> t = transposed(a.view());
    const csr<double> of_t = t.view();
    const vector<dd_real> x = ones(a.columns());
    int told = 0;
    for (const int k : {1, 10, 20, 30, 34, 38, 42, 46, 50, 60, 70, 80, 90, 100}) {
        vector<dd_real> b = near_product(a, std::ldexp(1.0, -k)), scaled_x = x;
        for (index_t i = 0; i < b.size(); ++i) b.set(i, dd_real(T(b[i])) * size);
        for (index_t i = 0; i < x.size(); ++i) scaled_x.set(i, x[i] * size);
        const exact_residuals truth = exact_residuals_of(a, b, scaled_x);
        const vector<T> of_x = rounded<T>(scaled_x), of_b = rounded<T>(b);
        const auto found = refine::hasty_residuals_of<T, double>(host_engine(), a.view(), &of_t,
                                                                 of_x.view(), of_b.view());
        INFO("2^-" << k);
        told += found.has_value();
        if (!found) continue;
        CHECK(found->relative == Approx(truth.relative).epsilon(0x1p-19));
        if (found->normal) CHECK(*found->normal == Approx(truth.normal).epsilon(0x1p-19));
    }
    return told;
}

}  // namespace

TEST_CASE("residuals by single products are right, or not told", "[refine]")
{
    for (const auto& a : {generate::poisson2d(12, 12), rectangle(40)}) {
        CHECK(told_rightly<dd_real>(a, 1) >= 7);
        CHECK(told_rightly<dd_real>(a, 1) <= 11);
        CHECK(told_rightly<double>(a, 1) >= 2);
        CHECK(told_rightly<double>(a, 1) <= 4);
        CHECK(told_rightly<dd_real>(a, 0x1p-1000) == 0);  // rounding is not all that is lost
    }
}

TEST_CASE("A^T r that is rounding is not told", "[refine]")
{
    // r is orthogonal to the column but for 2^-98, which is less than rounding may leave.
    coordinates<double> all{.rows = 2, .columns = 1};
    all.add(0, 0, 3);
    all.add(1, 0, 1);
    const csr_matrix<double> a(all), t = transposed(a.view());
    const csr<double> of_t = t.view();
    const vector<dd_real> zero(1);
    vector<dd_real> b(2);
    b.set(0, dd_real(1) / dd_real(3) + dd_real(0x1p-100));
    b.set(1, dd_real(-1));
    const auto found = refine::hasty_residuals_of<dd_real, double>(host_engine(), a.view(), &of_t,
                                                                   zero.view(), b.view());
    REQUIRE(found);
    CHECK(found->relative == 1);
    CHECK_FALSE(found->normal);
}

TEST_CASE("after an interruption residuals of large systems are hasty, or not told", "[refine]")
{
    const csr_matrix<double> a = generate::poisson3d(72, 72, 72);  // 2.6 million entries
    const vector<dd_real> x = ones(a.columns()), low(a.rows(), dd_real(0x1p-120));
    REQUIRE(a.nonzeros() > 2'500'000);
    const auto residual_of = [&](double e, bool in_four_words) {
        const vector<dd_real> b = near_product(a, e);
        const refine::host_system<double> system(a.view(), b.view());
        CHECK_FALSE(system.is_quick(2));
        CHECK_FALSE(system.is_quick(4));
        return in_four_words ? system.hasty_relative_residual({x.view(), low.view()})
                             : system.hasty_relative_residual(x.view());
    };
    double of_b = 0, of_r = 0;  // sums of whole numbers, exact
    const vector<dd_real> b = near_product(a, 1);
    for (index_t i = 0; i < b.size(); ++i) {
        of_b += b[i].hi * b[i].hi;
        of_r += static_cast<double>((i % 3) * (i % 3));
    }
    CHECK(residual_of(1, false) == Approx(std::sqrt(of_r / of_b)).epsilon(0x1p-19));
    CHECK(std::isnan(residual_of(0x1p-90, false)));
    CHECK(std::isnan(residual_of(1, true)));
    const vector<dd_real> zero(a.columns());
    CHECK(refine::host_system<double>(a.view(), b.view()).hasty_relative_residual(zero.view()) ==
          1);
}

TEST_CASE("LSMR that is ended tells both residuals of its x", "[refine]")
{
    const csr_matrix<double> a = rectangle(60);
    vector<dd_real> b(a.rows());
    for (index_t i = 0; i < b.size(); ++i) b.set(i, dd_real(static_cast<double>(1 + i * i % 5)));
    for (const std::int64_t last : {1, 5, 20}) {
        solve_options options{.method = method::lsmr, .tolerance = 1e-300, .max_iterations = 1000};
        options.watch = [&](const solve_progress& p) { return p.iterations < last; };
        vector<dd_real> x(a.columns());
        const solve_report r = solve(a, b, x, options);
        INFO(last << " iterations");
        REQUIRE(r.interrupted);
        const exact_residuals truth = exact_residuals_of(a, b, x);
        CHECK(r.true_relative_residual == Approx(truth.relative).epsilon(0x1p-19));
        REQUIRE(r.normal_residual);
        CHECK(*r.normal_residual == Approx(truth.normal).epsilon(0x1p-19));
    }
}

TEST_CASE("least squares that are ended have residuals where those take no time",
          "[refine][repeats]")
{
    // An entry of 1 in each row, and one more in each column.
    const auto slopes = [](index_t rows) {
        coordinates<double> all{.rows = rows, .columns = 8};
        for (index_t i = 0; i < rows; ++i) {
            for (index_t k = 0; k < 7; ++k) all.add(i, k, static_cast<double>((i >> k) % 2));
            all.add(i, 7, 1);
        }
        return csr_matrix<double>(all);
    };
    for (const index_t rows : {index_t{4000}, index_t{330'000}}) {
        const csr_matrix<double> a = slopes(rows);
        vector<dd_real> x(8);
        for (index_t k = 0; k < 8; ++k) x.set(k, dd_real(1));
        const vector<dd_real> b = near_product(a, 1);
        solve_options options;
        options.watch = [](const solve_progress& p) { return p.stage != "refine"; };
        const solve_report r = solve(a, b, x, options);
        INFO(rows << " rows");
        REQUIRE(r.interrupted);
        CHECK_FALSE(r.digits);
        CHECK(r.normal_residual.has_value() == (rows < 10'000));
        if (rows > 10'000) {
            CHECK(std::isnan(r.true_relative_residual));
            continue;
        }
        const exact_residuals truth = exact_residuals_of(a, b, x);
        CHECK(r.true_relative_residual == Approx(truth.relative).epsilon(1e-14));
        CHECK(*r.normal_residual == Approx(truth.normal).epsilon(1e-14));
    }
}

TEST_CASE("a check that is ended tells what takes no time", "[refine]")
{
    const check_options now{.watch = [](const solve_progress&) { return false; }};
    const csr_matrix<double> a = generate::poisson3d(72, 72, 72);
    const vector<dd_real> x = ones(a.columns()), low(a.rows(), dd_real(0x1p-120));
    const vector<dd_real> b = near_product(a, 1);
    double of_b = 0, of_r = 0;  // sums of whole numbers, exact
    for (index_t i = 0; i < b.size(); ++i) {
        of_b += b[i].hi * b[i].hi;
        of_r += static_cast<double>((i % 3) * (i % 3));
    }
    const solution_check of_two = check(a, b, x, now), of_four = check(a, b, x, low, now);
    for (const solution_check* found : {&of_two, &of_four}) {
        CHECK(found->interrupted);
        CHECK_FALSE(found->passed);
        CHECK_FALSE(found->errors.backward_error);
        CHECK_FALSE(found->errors.componentwise_backward_error);
        CHECK(found->why == "interrupted");
    }
    CHECK(of_two.true_relative_residual == Approx(std::sqrt(of_r / of_b)).epsilon(0x1p-19));
    CHECK(std::isnan(of_four.true_relative_residual));
    for (const index_t columns : {index_t{60}, index_t{500'000}}) {
        const csr_matrix<double> tall = rectangle(columns);
        const vector<dd_real> right = near_product(tall, 1), found = ones(columns);
        const solution_check of_tall = check(tall, right, found, now);
        INFO(columns);
        CHECK(of_tall.interrupted);
        CHECK(of_tall.normal_residual.has_value() == (columns == 60));
        if (columns > 60) {
            CHECK(std::isnan(of_tall.true_relative_residual));
            continue;
        }
        const exact_residuals truth = exact_residuals_of(tall, right, found);
        CHECK(of_tall.true_relative_residual == Approx(truth.relative).epsilon(1e-14));
        CHECK(*of_tall.normal_residual == Approx(truth.normal).epsilon(1e-14));
    }
}
