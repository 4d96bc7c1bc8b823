// Refinement by corrections that are solved for in double, one text for every place: its bits
// beside a refinement written down here, with exact residuals and textbook searches; what it
// reaches, and its memory.
#include "catch.hpp"
#include "support/exact_numbers.hpp"
#include "support/inner_solves.hpp"
#include "support/memory_of_solves.hpp"
#include "support/random.hpp"
#include "support/searches.hpp"
#include "support/solves.hpp"

#include "ddla/generate.hpp"
#include "support/returned_bits.hpp"

#include <cmath>

using ddla::csr_matrix;
using ddla::dd_real;
using ddla::index_t;
using ddla::preconditioner;
using ddla::preconditioning;
using ddla::solve_options;
using ddla::solve_status;
using test::place_under_test;
using test::refining;
using test::same_bits;
using test::solve_refining;
using test::solved;
using test::thirds;

namespace {

constexpr preconditioning all_kinds[] = {
    preconditioning::jacobi, preconditioning::ilu,          preconditioning::ilut,
    preconditioning::ic,     preconditioning::block_jacobi, preconditioning::polynomial};

csr_matrix<double> rounded(const csr_matrix<dd_real>& a)
{
    const ddla::csr<dd_real> view = a.view();
    ddla::coordinates<double> c{.rows = a.rows(), .columns = a.columns()};
    for (index_t i = 0; i < view.rows; ++i)
        for (index_t k = view.row_begin[i]; k < view.row_begin[i + 1]; ++k)
            c.add(i, view.column[k], view.value.get(k).hi);
    return csr_matrix<double>(c);
}
const csr_matrix<double>& rounded(const csr_matrix<double>& a)
{
    return a;
}

/// b - A x without rounding, then rounded once.
template <class T, class V>
ddla::vector<dd_real> residual_of(const csr_matrix<V>& a, const ddla::vector<T>& x,
                                  const ddla::vector<T>& b)
{
    const ddla::csr<V> view = a.view();
    ddla::vector<dd_real> r(a.rows());
    for (index_t i = 0; i < view.rows; ++i) {
        test::exact_sum sum;
        sum.add(b[i]);
        for (index_t k = view.row_begin[i]; k < view.row_begin[i + 1]; ++k)
            sum.add_product(-view.value.get(k), x[view.column[k]]);
        r.set(i, test::close_to<dd_real>(sum.value()));
    }
    return r;
}

/// x times 2^exponent, rounded to double.
ddla::vector<double> scaled(const ddla::vector<dd_real>& x, int exponent)
{
    ddla::vector<double> y(x.size());
    for (index_t i = 0; i < x.size(); ++i) y[i] = std::ldexp(dd_real(x[i]).hi, exponent);
    return y;
}

/// The exponent that brings the largest element to [1, 2).
int exponent_to_one(const ddla::vector<dd_real>& x)
{
    double largest = 0;
    for (index_t i = 0; i < x.size(); ++i) largest = std::max(largest, std::fabs(x[i].hi));
    return -std::ilogb(largest);
}

/// The part of a residual that the next correction leaves.
double part_for(double relative, double tolerance)
{
    const int bits = std::ilogb(relative / tolerance) + 2, corrections = (bits + 33) / 34;
    return std::ldexp(1.0, -((bits + corrections - 1) / corrections));
}

template <class T>
struct refinement {
    ddla::vector<T> x;
    long long iterations = 0;
    int searches = 0;
};

/// As inner_solves.cpp says, where each correction halves the residual.
template <class Search, class T, class V>
refinement<T> refined(const csr_matrix<V>& a, const preconditioner<double>& k,
                      const ddla::vector<T>& b, const ddla::vector<T>& guess, double tolerance)
{
    refinement<T> s{guess};
    const dd_real norm_b(ddla::nrm2(b));
    const csr_matrix<double>& high = rounded(a);
    ddla::vector<dd_real> r(b.size());
    const auto look = [&] {
        r = residual_of(a, s.x, b);
        return double(ddla::nrm2(r) / norm_b);
    };
    double relative = look();
    while (relative > tolerance) {
        const double first = relative;
        const int exponent = exponent_to_one(r);
        Search search(high, k, scaled(r, exponent));
        for (bool goes_on = true; goes_on;) {
            const double aim = part_for(relative, tolerance) * relative;
            search.run(aim / first);
            for (index_t i = 0; i < r.size(); ++i)
                s.x.set(i, T(s.x[i]) + T(std::ldexp(double(search.d()[i]), -exponent)));
            relative = look();
            goes_on = relative > tolerance && relative <= 2 * aim;
            if (goes_on) search.renew(scaled(r, exponent));
        }
        REQUIRE(relative <= first / 2);
        s.iterations += search.iterations();
        ++s.searches;
    }
    if (s.searches > 0) s.x = test::as_returned(s.x);
    return s;
}

/// 2 on the diagonal, -1 beside it.
csr_matrix<double> chain(index_t n)
{
    ddla::coordinates<double> c{.rows = n, .columns = n};
    for (index_t i = 0; i < n; ++i) {
        c.add(i, i, 2.0);
        if (i > 0) c.add(i, i - 1, -1.0), c.add(i - 1, i, -1.0);
    }
    return csr_matrix<double>(c);
}

template <class T, class V>
struct numbers {
    using scalar = T;
    using value = V;
};

}  // namespace

TEMPLATE_TEST_CASE("corrections in double: every bit of x, by whatever means", "[inner]",
                   (numbers<dd_real, double>), (numbers<dd_real, dd_real>),
                   (numbers<double, double>))
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    const auto grid = thirds<V>(ddla::generate::poisson3d(9, 8, 7));
    const auto b = test::random_vector<T>(grid.rows(), 71, 0);
    const bool is_far = GENERATE(false, true);  // elements of up to 2^20
    const auto guess =
        is_far ? test::random_vector<T>(grid.rows(), 70, 20) : ddla::vector<T>(grid.rows());
    for (const double tolerance : {1e-8, ddla::words_of<T> == 1 ? 1e-14 : 1e-27}) {
        const auto here = rounded(grid);
        for (const bool cholesky : {false, true}) {
            const auto k = cholesky ? preconditioner<double>::ic(here)
                                    : preconditioner<double>::ilu(here, {.fill = 1});
            const auto truth =
                cholesky ? refined<test::cg_in_double>(grid, k, b, guess, tolerance)
                         : refined<test::bicgstab_in_double>(grid, k, b, guess, tolerance);
            auto options =
                refining(cholesky ? preconditioning::ic : preconditioning::ilu, tolerance);
            options.preconditioner.fill = 1;
            test::under_few_cuts([&] {
                for (const std::int64_t interval : test::next_intervals()) {
                    options.check_every = interval;
                    const auto found = solve_refining(grid, b, guess, options);
                    CHECK(found.report.status == solve_status::converged);
                    CHECK(found.report.iterations == truth.iterations);
                    CHECK(same_bits(found.x, truth.x));
                }
            });
        }
    }
}

TEST_CASE("a search that misses its part ends, and another one begins", "[inner][repeats]")
{
    // A chain: factors without rounding would solve it, but with a condition of 2e8 no search in
    // double leaves what is asked of it.
    const auto a = thirds<double>(chain(20000));
    const ddla::vector<dd_real> b(a.rows(), dd_real(1));
    const auto truth = refined<test::bicgstab_in_double>(a, preconditioner<double>::ilu(a), b,
                                                         ddla::vector<dd_real>(a.rows()), 1e-25);
    REQUIRE(truth.searches == 2);
    const auto found = solve_refining(a, b, refining(preconditioning::ilu, 1e-25));
    CHECK(found.report.status == solve_status::converged);
    CHECK(found.report.iterations == truth.iterations);
    CHECK(same_bits(found.x, truth.x));
}

TEMPLATE_TEST_CASE("each kind of preconditioner corrects to 1e-28, named or as an object",
                   "[inner]", double, dd_real)
{
    using V = TestType;
    const auto a = thirds<V>(ddla::generate::poisson3d(8, 9, 10));
    const auto there = a.to(place_under_test());
    const auto b = test::random_vector<dd_real>(a.rows(), 72, 0);
    for (const auto p : all_kinds)
        for (const auto in :
             {ddla::factor_precision::automatic, ddla::factor_precision::in_double_double}) {
            INFO(to_string(p));
            auto options = refining(p, 1e-28);
            options.preconditioner = {.fill = p == preconditioning::ilut ? 5 : 0, .factors = in};
            options.record_history = true;
            const auto named = solve_refining(a, b, options);
            const auto& report = named.report;
            CHECK(report.status == solve_status::converged);
            CHECK(report.true_relative_residual <= 1e-28);
            CHECK(ddla::true_residual(a, named.x, b).relative == report.true_relative_residual);
            CHECK(report.goal == ddla::solve_goal::residual);
            CHECK(report.where == place_under_test());
            REQUIRE(report.plan.size() == 2);
            CHECK(report.plan[0].name == to_string(p));
            CHECK(report.plan[1].name ==
                  (p == preconditioning::ic ? "cg in double" : "bicgstab in double"));
            CHECK(report.plan[1].iterations == report.iterations);
            CHECK(report.plan[1].true_relative_residual == report.true_relative_residual);
            REQUIRE(report.history.size() == std::size_t(report.iterations + 1));
            CHECK(report.history.front() == 1);
            CHECK(report.history.back() <= 1e-28);
            const auto object = [&] {
                switch (p) {
                case preconditioning::jacobi:
                    return preconditioner<dd_real>::jacobi(there);
                case preconditioning::ilu:
                    return preconditioner<dd_real>::ilu(there, options.preconditioner);
                case preconditioning::ilut:
                    return preconditioner<dd_real>::ilut(there, options.preconditioner);
                case preconditioning::ic:
                    return preconditioner<dd_real>::ic(there, options.preconditioner);
                case preconditioning::block_jacobi:
                    return preconditioner<dd_real>::block_jacobi(there, options.preconditioner);
                default:
                    return preconditioner<dd_real>::polynomial(there, options.preconditioner);
                }
            }();
            options.precond = preconditioning::none;
            const auto by_object = solve_refining(a, b, options, object);
            // The diagonal of the option is rounded before it is inverted.
            if (p != preconditioning::jacobi || ddla::words_of<V> == 1)
                CHECK(same_bits(by_object.x, named.x));
            CHECK(object.in_double() == object.in_double());
        }
}

TEST_CASE("corrections begin from the guess, and need none where it is the solution", "[inner]")
{
    const auto a = ddla::generate::convection_diffusion(7, 8, 9);
    const auto b = test::random_vector<dd_real>(a.rows(), 73, 0);
    const auto options = refining(preconditioning::ilu, 1e-25);
    const auto first = solve_refining(a, b, options);
    REQUIRE(first.report.status == solve_status::converged);
    const auto again = solve_refining(a, b, first.x, options);
    CHECK(again.report.iterations == 0);
    CHECK(same_bits(again.x, first.x));
    CHECK(again.report.status == solve_status::converged);
    const auto zero = solve_refining(a, ddla::vector<dd_real>(a.rows()), first.x, options);
    CHECK(same_bits(zero.x, ddla::vector<dd_real>(a.rows())));
    CHECK(zero.report.status == solve_status::converged);
    // Powers of two change nothing but the exponents.
    ddla::vector<dd_real> tiny(b.size());
    for (index_t i = 0; i < b.size(); ++i) tiny.set(i, dd_real(b[i]) * 0x1p-700);
    auto scaled = solve_refining(a, tiny, options);
    CHECK(scaled.report.iterations == first.report.iterations);
    for (index_t i = 0; i < b.size(); ++i) scaled.x.set(i, dd_real(scaled.x[i]) * 0x1p+700);
    CHECK(same_bits(scaled.x, first.x));
}

TEMPLATE_TEST_CASE("memory of corrections: three vectors, and those of the method in double",
                   "[inner]", double, dd_real)
{
    using T = TestType;
    const auto a = ddla::generate::poisson3d(30, 30, 30);
    const ddla::vector<T> b(a.rows(), T(1));
    const auto n = std::size_t(a.rows());
    const auto system = test::documented_bytes<T>(a.view(), refining(preconditioning::none, 0));
    // r in double-double, d, and x as it was; CG with its product, or BiCGStab with K^-1 p.
    const std::size_t own = n * (16 + 2 * sizeof(T)) + system;
    const auto by_diagonal = solve_refining(a, b, refining(preconditioning::jacobi, 1e-10)).report;
    CHECK(by_diagonal.peak_bytes >= own + n * 9 * 8);
    const auto k = preconditioner<T>::ic(a.to(place_under_test()));
    const auto by_object = solve_refining(a, b, refining(preconditioning::none, 1e-10), k).report;
    CHECK(by_object.peak_bytes >= own + n * 3 * 8 + k.built().bytes);
    // A device's default stream has scratch memory besides, as much as any call before has needed.
    if (place_under_test().is_host()) {
        CHECK(test::nearly(by_diagonal.peak_bytes, own + n * 9 * 8));
        CHECK(by_object.peak_bytes <= own + n * 5 * 8 + k.built().bytes);
    }
    const auto named = solve_refining(a, b, refining(preconditioning::ic, 1e-10)).report;
    CHECK(named.peak_bytes == by_object.peak_bytes);
}

TEST_CASE("several systems are corrected with one preconditioner, each as alone", "[inner]")
{
    const auto a = ddla::generate::convection_diffusion(8, 7, 6).to(place_under_test());
    const auto options = refining(preconditioning::ilu, 1e-25);
    std::vector<ddla::vector<dd_real>> b, x;
    for (const std::uint64_t seed : {78u, 79u, 80u}) {
        b.push_back(test::random_vector<dd_real>(a.rows(), seed, 0).to(place_under_test()));
        x.emplace_back(a.rows(), place_under_test());
    }
    const auto reports = ddla::solve(a, b, x, options);
    for (std::size_t j = 0; j < b.size(); ++j) {
        ddla::vector<dd_real> alone(a.rows(), place_under_test());
        test::check_same(reports[j], ddla::solve(a, b[j], alone, options));
        CHECK(same_bits(x[j], alone));
    }
}
