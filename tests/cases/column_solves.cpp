// Solves of several systems with one A, one text for every place: each ends as it does alone, with
// the same bits.
#include "support/methods.hpp"
#include "support/powers_of_two.hpp"
#include "support/shapes.hpp"
#include "support/solves.hpp"

#include "ddla/error.hpp"
#include "ddla/generate.hpp"
#include "ddla/sparse_format.hpp"

#include <cmath>
#include <set>

using dd = ddla::dd_real;  // QD has a ::dd_real
using ddla::csr_matrix;
using ddla::index_t;
using ddla::method;
using ddla::preconditioning;
using ddla::solve_options;
using ddla::solve_status;
using test::place_under_test;
using test::same_bits;

namespace {

template <class T>
using vectors = std::vector<ddla::vector<T>>;

/// Right-hand sides that take unlike numbers of iterations: random ones, one of a few smooth
/// components, zeros, a tiny one and a huge one.
template <class T>
vectors<T> right_hand_sides(index_t n, std::size_t count = 9)
{
    vectors<T> all;
    for (std::size_t j = 0; j < count; ++j) {
        auto b = test::random_vector<T>(n, 171 + j, 0);
        if (j == 1) b = ddla::vector<T>(n, T(1));
        if (j == 2) b = ddla::vector<T>(n);
        if (j == 3) ddla::scal(T(0x1p-700), b);
        if (j == 4) ddla::scal(T(0x1p600), b);
        all.push_back(b.to(place_under_test()));
    }
    return all;
}

/// Zeros, but for three.
template <class T>
vectors<T> guesses(index_t n, std::size_t count)
{
    vectors<T> all(count, ddla::vector<T>(n, place_under_test()));
    for (std::size_t j = 5; j < std::min<std::size_t>(8, count); ++j)
        all[j] = test::random_vector<T>(n, 191 + j, 0).to(place_under_test());
    return all;
}

template <class T>
std::set<std::int64_t> check_solves(const csr_matrix<double>& a_here, const vectors<T>& b,
                                    solve_options options)
{
    INFO(to_string(options.method) << ", " << to_string(options.precond) << ", " << a_here.rows()
                                   << " rows, " << b.size() << " systems");
    options.record_history = true;
    const auto a = a_here.to(place_under_test());
    vectors<T> x = guesses<T>(a.columns(), b.size());
    const vectors<T> guess = x;
    const std::vector<ddla::solve_report> together = ddla::solve(a, b, x, options);
    REQUIRE(together.size() == b.size());
    std::set<std::int64_t> iterations;
    for (std::size_t j = 0; j < b.size(); ++j) {
        INFO("system " << j);
        ddla::vector<T> alone = guess[j];
        const auto report = ddla::solve(a, b[j], alone, options);
        test::check_same(report, together[j]);
        CHECK(together[j].goal == report.goal);
        CHECK(together[j].digits == report.digits);
        CHECK(together[j].normal_residual == report.normal_residual);
        REQUIRE(together[j].plan.size() == report.plan.size());
        for (std::size_t k = 0; k < report.plan.size(); ++k)
            CHECK(together[j].plan[k].name == report.plan[k].name);
        CHECK(same_bits(x[j], alone));
        iterations.insert(report.iterations);
    }
    return iterations;
}

const csr_matrix<double>& grid()
{
    static const auto a = ddla::generate::convection_diffusion(9, 8, 7);
    return a;
}
const csr_matrix<double>& symmetric_grid()
{
    static const auto a = test::with_uneven_diagonal(ddla::generate::poisson3d(9, 8, 7));
    return a;
}
const csr_matrix<double>& grid_for(method m)
{
    return test::needs_symmetry(m) ? symmetric_grid() : grid();
}

}  // namespace

TEMPLATE_TEST_CASE("solves with several right-hand sides", "[columns]", double, dd)
{
    for (const method m : test::krylov_methods)
        for (const auto p : {preconditioning::none, preconditioning::jacobi}) {
            if (test::takes_any_shape(m) && p != preconditioning::none) continue;
            const auto& a = grid_for(m);
            const auto counts = check_solves(
                a, right_hand_sides<TestType>(a.rows()),
                {.method = m, .precond = p, .tolerance = 1e-9, .max_iterations = 90, .restart = 7});
            CHECK(counts.size() > 2);  // they do not all stop at once
        }
}

TEMPLATE_TEST_CASE("tiny and huge matrices with several right-hand sides", "[columns][repeats]",
                   double, dd)
{
    for (const method m : test::krylov_methods)
        for (const auto p : {preconditioning::none, preconditioning::jacobi})
            for (const int e : {-700, -110, 110, 700}) {
                if (test::takes_any_shape(m) && p != preconditioning::none) continue;
                INFO("2^" << e);
                const auto a = test::scaled(grid_for(m), e);
                check_solves(a, right_hand_sides<TestType>(a.rows(), 3),
                             {.method = m, .precond = p, .tolerance = 1e-9, .max_iterations = 20});
            }
}

TEMPLATE_TEST_CASE("solves with several right-hand sides, under every cut", "[columns]", double, dd)
{
    for (const method m : {method::bicgstab, method::cg})
        test::under_few_cuts([&] {
            for (const auto p : {preconditioning::none, preconditioning::jacobi})
                check_solves(grid_for(m), right_hand_sides<TestType>(grid().rows(), 10),
                             {.method = m, .precond = p, .tolerance = 1e-7, .max_iterations = 40});
        });
}

TEMPLATE_TEST_CASE("systems in lock-step share the bytes of A", "[columns]", double, dd)
{
    const auto a = grid().to(place_under_test());
    const auto stored = static_cast<double>(ddla::bytes_of_product<TestType>(grid()) -
                                            2 * std::size_t(a.rows()) * sizeof(TestType));
    for (const method m : {method::fgmres, method::bicgstabl, method::idr}) {
        const auto bytes = [&](std::size_t count) {
            vectors<TestType> b, x(count, ddla::vector<TestType>(a.rows(), a.where()));
            for (std::size_t j = 0; j < count; ++j)
                b.push_back(test::random_vector<TestType>(a.rows(), 171 + j, 0).to(a.where()));
            const auto reports =
                ddla::solve(a, b, x, {.method = m, .tolerance = 0.0, .max_iterations = 4});
            for (const auto& r : reports) {
                CHECK(r.iterations == 4);
                CHECK(r.bytes_per_iteration == reports[0].bytes_per_iteration);
            }
            return static_cast<double>(reports[0].bytes_per_iteration);
        };
        INFO(to_string(m));
        const double alone = bytes(1), of_products = (alone - bytes(8)) * 8 / 7;
        CHECK(of_products >= stored - 4);
        for (const double count : {2.0, 3.0, 4.0})
            CHECK(std::fabs(alone - of_products * (1 - 1 / count) -
                            bytes(static_cast<std::size_t>(count))) < 16);
        // Of nine the host reads A twice; a device solves the ninth by itself.
        if (a.where().is_host())
            CHECK(std::fabs(alone - of_products * (1 - 2.0 / 9) - bytes(9)) < 16);
    }
}

TEMPLATE_TEST_CASE("looks at solves with several right-hand sides change nothing", "[columns]",
                   double, dd)
{
    for (const method m : {method::bicgstab, method::fgmres, method::idr})
        for (const std::int64_t interval : {1, 3, 64})
            check_solves(grid(), right_hand_sides<TestType>(grid().rows(), 4),
                         {.method = m,
                          .tolerance = 1e-9,
                          .max_iterations = 80,
                          .restart = 5,
                          .check_every = interval});
}

TEMPLATE_TEST_CASE("built preconditioners serve several right-hand sides", "[columns]", double, dd)
{
    for (const auto p : {preconditioning::lu, preconditioning::ilu, preconditioning::block_jacobi})
        for (const method m : {method::bicgstab, method::fgmres})
            check_solves(grid(), right_hand_sides<TestType>(grid().rows(), 5),
                         {.method = m, .precond = p, .tolerance = 1e-11, .max_iterations = 40});
    check_solves(symmetric_grid(), right_hand_sides<TestType>(symmetric_grid().rows(), 5),
                 {.method = method::cg,
                  .precond = preconditioning::ic,
                  .tolerance = 1e-11,
                  .max_iterations = 40});
}

TEMPLATE_TEST_CASE("solves with several right-hand sides that end badly", "[columns]", double, dd)
{
    const auto singular = test::with_empty_rows(200);
    for (const method m : test::square_methods()) {
        check_solves(singular, right_hand_sides<TestType>(singular.rows()),
                     {.method = m, .tolerance = 1e-9, .max_iterations = 30, .restart = 4});
        check_solves(grid_for(m), right_hand_sides<TestType>(grid().rows(), 4),
                     {.method = m, .tolerance = 0.0, .max_iterations = 7, .restart = 4});
        check_solves(grid_for(m), right_hand_sides<TestType>(grid().rows(), 4),
                     {.method = m, .tolerance = 1e-9, .max_iterations = 0});
    }
}

TEMPLATE_TEST_CASE("factors serve several right-hand sides", "[columns]", double, dd)
{
    for (const method m : {method::automatic, method::refinement}) {
        check_solves(grid(), right_hand_sides<TestType>(grid().rows(), 5), {.method = m});
        check_solves(test::with_empty_rows(60), right_hand_sides<TestType>(60, 5), {.method = m});
    }
    // No factors: iterations.
    check_solves(grid(), right_hand_sides<TestType>(grid().rows(), 3),
                 {.method = method::automatic, .factorisation = {.most_work = 1e-9}});
}

TEST_CASE("no, one and many right-hand sides", "[columns]")
{
    for (const std::size_t count : {0, 1, 17})
        check_solves(grid(), right_hand_sides<dd>(grid().rows(), count),
                     {.method = method::bicgstab, .tolerance = 1e-9});
}

TEST_CASE("a watch sees each system and ends all", "[columns]")
{
    const auto a = grid().to(place_under_test());
    for (const method m : {method::bicgstab, method::fgmres, method::automatic}) {
        const auto b = right_hand_sides<double>(a.rows(), 2);
        vectors<double> x = guesses<double>(a.rows(), 2);
        std::set<std::size_t> seen;
        bool is_over = false;
        const auto look = [&](const ddla::solve_progress& now) {
            CHECK_FALSE(is_over);
            seen.insert(now.column);
            is_over = now.iterations >= 2 || now.stage != "iterate";
            return !is_over;
        };
        const auto reports = ddla::solve(
            a, b, x, {.method = m, .tolerance = 1e-10, .check_every = 1, .watch = look});
        INFO(to_string(m));
        CHECK(is_over);
        for (const auto& r : reports) CHECK(r.interrupted);
        if (place_under_test().is_host() && m != method::automatic)
            CHECK(seen == std::set<std::size_t>{0, 1});
    }
}

TEST_CASE("several right-hand sides that do not fit are refused", "[columns]")
{
    const auto a = grid().to(place_under_test());
    auto b = right_hand_sides<double>(a.rows(), 3);
    auto x = guesses<double>(a.rows(), 2);
    CHECK_THROWS_WITH(ddla::solve(a, b, x), "solve: 3 vectors b, but 2 vectors x");
    x.emplace_back(a.rows() + 1, place_under_test());
    CHECK_THROWS_WITH(ddla::solve(a, b, x), "solve: x has 505 elements, A has 504 columns");
    x[2] = ddla::vector<double>(a.rows(), place_under_test());
    CHECK_THROWS_AS(ddla::solve(a, b, b), ddla::input_error);
}
