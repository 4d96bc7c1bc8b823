// Automatic solves: what they reach, and how they end, wherever the data are.
#include "catch.hpp"
#include "support/answered.hpp"
#include "support/function_maps.hpp"
#include "support/returned_bits.hpp"

#include "ddla/check.hpp"
#include "ddla/dd_math.hpp"
#include "ddla/generate.hpp"

#include <cmath>

using ddla::dd_real;
using ddla::index_t;
using ddla::solve_status;
using test::matrix_of;
using test::of_rank_two;
using test::ones;
using test::solve;

TEMPLATE_TEST_CASE("an automatic solve has the digits that it says", "", double, dd_real)
{
    // Hilbert's matrix as stored: 12 digits need refinement, in double-double factors, too.
    const auto a = ddla::generate::hilbert_like<double>(12, 12);
    const auto one = solve<TestType>(a, ones(12));
    CHECK(one.report.status == solve_status::converged);
    CHECK(one.report.goal == ddla::solve_goal::digits);
    CHECK(one.report.errors.componentwise_trusted);
    REQUIRE(one.report.digits.has_value());
    CHECK(*one.report.digits >= 12);
    CHECK(one.report.plan.size() >= 2);
    CHECK(one.report.plan.front().name == "factor in double, L L^T");
    CHECK(*one.report.errors.componentwise_backward_error < 1e-15);
}

TEST_CASE("the plan and the bits of a solve do not depend on threads")
{
    const auto a = ddla::generate::toeplitz(300, 1.9);
    std::optional<std::uint64_t> hash;
    std::size_t stages = 0;
    test::under_few_cuts([&] {
        const auto one = solve<dd_real>(a, ones(300));
        if (!hash) hash = one.report.solution_hash, stages = one.report.plan.size();
        CHECK(one.report.solution_hash == *hash);
        CHECK(one.report.plan.size() == stages);
    });
}

TEST_CASE("components that are zero are found")
{
    // x = (0, 1): the first component is what rounding leaves, unless it is known to be zero.
    const auto one = solve<dd_real>(matrix_of({{3, 0.1}, {0.7, 1}}), {0.1, 1});
    CHECK(one.report.status == solve_status::converged);
    CHECK(one.x[0] == dd_real(0));
    CHECK(one.x[1] == dd_real(1));
}

TEST_CASE("an ill-conditioned part is not hidden by its units")
{
    // The condition of the first block is 2^91; its x is far below 1, that of the second.
    const double unit = 0x1p+200, e = 0x1p-45;
    const auto one = solve<dd_real>(matrix_of({{unit * (1 + e), unit, 0, 0},
                                               {unit, unit * (1 - e), 0, 0},
                                               {0, 0, 3, 1},
                                               {0, 0, 1, 7}}),
                                    {1, 1, 1, 1});
    const dd_real truth(0x1p-155);
    const bool is_right = abs(one.x[0] - truth) <= abs(truth) * 1e-12;
    CHECK((is_right || one.report.status != solve_status::converged));
    CHECK((is_right || !one.report.errors.componentwise_trusted));
}

TEST_CASE("an ill-conditioned part is not hidden behind an easy one")
{
    // Integers times 2^120, of condition above 10^30, x = 2^-120; and a part that sets the norms.
    const double u = 0x1p+120, x = 0x1p-120;
    const auto one =
        solve<dd_real>(matrix_of({{u, -2979025 * u, -2615064 * u, 0, 0},
                                  {-1663475 * u, 4955533611876 * u, 4350095528337 * u, 0, 0},
                                  {2429735 * u, -7238244692568 * u, -12922417936880 * u, 0, 0},
                                  {0, 0, 0, 3, 0},
                                  {0, 0, 0, 0, 3}}),
                       {-5594088, 9305627476738, -20160660199713, 1, 1});
    for (index_t i = 0; i < 3; ++i) {
        const bool is_right = abs(one.x[i] - dd_real(x)) <= dd_real(x) * 1e-12;
        CHECK((is_right || one.report.status != solve_status::converged));
        CHECK((is_right || !one.report.errors.componentwise_trusted));
    }
}

TEST_CASE("a system that is nearly consistent is none")
{
    // Row 3 is row 1 + row 2; rounding leaves a pivot where there is none.
    const auto a = matrix_of({{3, 1, 2}, {1, 7, 5}, {4, 8, 7}});
    CHECK(solve<dd_real>(a, {1, 1, 2}).report.status == solve_status::converged);
    const auto one = solve<dd_real>(a, {1, 1, 2 + 0x1p-50});
    CHECK(one.report.true_relative_residual < 1e-12);
    CHECK(one.report.status == solve_status::singular);
}

TEST_CASE("powers of two are no multiples of one another for the rank")
{
    const auto one = solve<dd_real>(matrix_of({{1, 1}, {1, 0x1p+61}}), {1, 2});
    CHECK(one.report.status == solve_status::converged);
    if (one.report.rank) CHECK(one.report.rank->value == 2);
    const auto far = solve<dd_real>(matrix_of({{1, 1}, {1, 0x1p+122}}), {1, 2});
    if (far.report.rank) CHECK(far.report.rank->value == 2);
    CHECK(far.report.status != solve_status::singular);
}

TEST_CASE("an x that underflows is not called right")
{
    const auto one = solve<dd_real>(matrix_of({{1e300}}), {1e-30});
    CHECK(one.report.status != solve_status::converged);
    CHECK_FALSE(one.report.digits.has_value());
}

TEST_CASE("a tolerance below what storage allows ends at the floor")
{
    const auto a = ddla::generate::hilbert_like<double>(10, 10);
    const auto one = solve<double>(a, ones(10), {.tolerance = 1e-30});
    CHECK(one.report.status == solve_status::at_floor);
    CHECK(*one.report.digits >= 12);
    CHECK(one.report.true_relative_residual > 1e-30);
}

TEST_CASE("where a pivot of L L^T is not positive and LU is too large, x is iterated")
{
    // The shift is among the eigenvalues: indefinite, with a positive diagonal.
    const auto a = ddla::generate::convection_diffusion(40, 40, 1, 0, -3.7);
    const auto one = solve<dd_real>(a, ones(1600), {.factorisation = {.most_work = 2e-4}});
    REQUIRE(one.report.plan.size() > 2);
    CHECK(one.report.plan[0].name == "factor in double, L L^T");
    CHECK(one.report.plan[1].name == "factor in double, too large");
    CHECK(one.report.limit.find("more work than most_work allows") != std::string::npos);
    CHECK(one.report.iterations > 0);
    CHECK_FALSE(one.report.digits.has_value());
}

TEST_CASE("factors that would be too large are not made")
{
    const auto a = ddla::generate::poisson2d(30, 30);
    ddla::solve_options small{.factorisation = {.most_work = 1e-9}};
    const auto iterated = solve<dd_real>(a, ones(900), small);
    CHECK(iterated.report.status == solve_status::converged);
    CHECK(iterated.report.goal == ddla::solve_goal::residual);
    CHECK(iterated.report.plan.size() == 3);
    CHECK(iterated.report.plan[0].name == "factor in double, L L^T, too large");
    CHECK(iterated.report.limit.find("more work than most_work allows") != std::string::npos);
    CHECK(iterated.report.limit.find("(counted: ") != std::string::npos);
    CHECK(iterated.report.plan[1].name == "ic");
    CHECK(iterated.report.plan.back().name == "cg in double");
    CHECK_FALSE(iterated.report.digits.has_value());
    small.method = ddla::method::refinement;
    CHECK_THROWS_AS(solve<dd_real>(a, ones(900), small), ddla::resource_error);
}

TEST_CASE("the caller's preconditioner is of the iterations alone")
{
    const auto at = test::place_under_test();
    const auto a = ddla::generate::poisson2d(30, 30).to(at);
    const ddla::vector<dd_real> b(900, dd_real(1), at);
    const auto solved = [&](const ddla::preconditioner<dd_real>& k, double most_work,
                            ddla::method by = ddla::method::automatic) {
        ddla::vector<dd_real> x(900, at);
        auto r = ddla::solve(a, k, b, x, {.method = by, .factorisation = {.most_work = most_work}});
        r.solution_hash = ddla::hash_of(test::as_returned(x.to(ddla::host)));
        return r;
    };
    const ddla::preconditioner<dd_real> none;
    int calls = 0;
    const ddla::preconditioner<dd_real> counting(
        "counting", 900, [&](ddla::vec<const dd_real> r, ddla::vec<dd_real> z) {
            ++calls;
            for (index_t i = 0; i < r.size; ++i) z.set(i, r.get(i));
        });
    CHECK(solved(counting, 4).solution_hash == solved(none, 4).solution_hash);
    CHECK_THROWS_AS(solved(counting, 4, ddla::method::refinement), ddla::input_error);
    CHECK(calls == 0);
    const auto iterated = solved(counting, 1e-9);
    CHECK(calls > 0);
    CHECK(iterated.plan.back().name == "bicgstab");
    const auto plain = solved(none, 4, ddla::method::bicgstab);
    CHECK(iterated.solution_hash == plain.solution_hash);  // but for its rounding
    CHECK(iterated.iterations == plain.iterations);
    const auto ilu = ddla::preconditioner<dd_real>::ilu(a, {.fill = 2});
    CHECK(solved(ilu, 1e-9).solution_hash == solved(ilu, 4, ddla::method::bicgstab).solution_hash);
}

TEMPLATE_TEST_CASE("an operator is factored if it is a matrix", "", double, dd_real)
{
    using T = TestType;
    const auto at = test::place_under_test();
    const auto a = ddla::generate::poisson2d(20, 20).to(at);
    const ddla::vector<T> b(400, T(1), at);
    const auto solved = [&](const auto& of, const ddla::solve_options& options = {}) {
        ddla::vector<T> x(400, at);
        auto r = ddla::solve(of, b, x, options);
        CHECK(r.solution_hash == ddla::hash_of(x));
        r.solution_hash = ddla::hash_of(test::as_returned(x.to(ddla::host)));
        return r;
    };
    const auto matrix = solved(a), same = solved(ddla::linear_operator<T>(a));
    CHECK(matrix.goal == ddla::solve_goal::digits);
    CHECK(same.goal == ddla::solve_goal::digits);
    CHECK(same.solution_hash == matrix.solution_hash);
    const auto function = test::operator_by_function<T>(a);
    const auto iterated = solved(function);
    CHECK(iterated.status == solve_status::converged);
    CHECK(iterated.goal == ddla::solve_goal::residual);
    REQUIRE(iterated.plan.size() == 1);
    CHECK(iterated.plan.front().name == "bicgstab");
    CHECK(iterated.solution_hash == solved(a, {.method = ddla::method::bicgstab}).solution_hash);
    CHECK_THROWS_WITH(solved(function, {.method = ddla::method::refinement}),
                      "solve: refinement needs a matrix, A is a function");
}

TEST_CASE("refinement by name ends by the tolerance")
{
    const auto a = ddla::generate::poisson2d(20, 20);
    const auto one =
        solve<dd_real>(a, ones(400), {.method = ddla::method::refinement, .tolerance = 1e-25});
    CHECK(one.report.status == solve_status::converged);
    CHECK(one.report.goal == ddla::solve_goal::residual);
    CHECK(one.report.true_relative_residual <= 1e-25);
}

TEST_CASE("a watch ends an automatic solve")
{
    const auto a = ddla::generate::poisson2d(40, 40);
    int looks = 0;
    const auto one = solve<dd_real>(a, ones(1600), {.watch = [&](const ddla::solve_progress& now) {
                                        CHECK_FALSE(now.stage.empty());
                                        return ++looks < 3;
                                    }});
    CHECK(looks == 3);
    CHECK(one.report.interrupted);
    CHECK(one.report.status == solve_status::iteration_limit);
}

TEST_CASE("b = 0 and systems of one and no row")
{
    const auto zero = solve<dd_real>(matrix_of({{2, 1}, {1, 2}}), {0, 0});
    CHECK(zero.report.status == solve_status::converged);
    CHECK(zero.x[0] == dd_real(0));
    CHECK(solve<dd_real>(matrix_of({{4}}), {1}).x[0] == dd_real(0.25));
    CHECK(solve<dd_real>(ddla::csr_matrix<double>(), {}).report.status == solve_status::converged);
}

TEST_CASE("options of automatic solves are checked")
{
    const auto a = matrix_of({{1}});
    CHECK_THROWS_AS(solve<double>(a, {1}, {.digits = 16}), ddla::input_error);
    CHECK_THROWS_AS(solve<dd_real>(a, {1}, {.digits = -1}), ddla::input_error);
    CHECK_THROWS_AS(solve<dd_real>(a, {1}, {.factorisation = {.most_work = 0}}), ddla::input_error);
    CHECK_THROWS_AS(solve<dd_real>(a, {1}, {.tolerance = 1}), ddla::input_error);
}

TEST_CASE("digits that are asked for are judged or refused")
{
    const auto a = ddla::generate::poisson2d(20, 20);
    ddla::solve_options small{.factorisation = {.most_work = 1e-9}};
    CHECK(solve<dd_real>(a, ones(400), small).report.status == solve_status::converged);
    small.digits = 12;
    const auto iterated = solve<dd_real>(a, ones(400), small).report;
    CHECK(iterated.status == solve_status::residual_only);
    CHECK(iterated.goal == ddla::solve_goal::residual);
    CHECK(iterated.true_relative_residual <= 1e-12);
    small.digits.reset();
    small.normwise = true;  // asks for digits, too
    CHECK(solve<dd_real>(a, ones(400), small).report.status == solve_status::residual_only);
    small.digits = 12;
    small.tolerance = 1e-40;  // a worse end is not hidden
    small.max_iterations = 3;
    CHECK(solve<dd_real>(a, ones(400), small).report.status == solve_status::iteration_limit);
    CHECK(solve<dd_real>(test::of_rank_two(), {1, 1, 2}, {.digits = 5}).report.status ==
          solve_status::residual_only);
    CHECK(solve<dd_real>(test::of_rank_two(), {1, 1, 2}, {.normwise = true}).report.status ==
          solve_status::residual_only);
    for (const auto m : {ddla::method::refinement, ddla::method::cg, ddla::method::lsmr})
        CHECK_THROWS_AS(solve<dd_real>(a, ones(400), {.method = m, .digits = 12}),
                        ddla::input_error);
}

TEST_CASE("a check tells right digits of any x")
{
    const auto at = test::place_under_test();
    const auto a = ddla::generate::toeplitz(200, 1.9);
    auto one = solve<dd_real>(a, ones(200));
    const auto check = [&](const ddla::check_options& options = {}) {
        const ddla::vector<dd_real> b(200, dd_real(1));
        return ddla::check(a.to(at), b.to(at), one.x.to(at), options);
    };
    CHECK(check({.digits = 25}).passed);
    const double wrong = 1e-9;
    one.x[17] = one.x[17] * dd_real(1 + wrong);
    const auto found = check();
    CHECK(found.passed);
    REQUIRE(found.worst.has_value());
    CHECK(*found.worst == Approx(9).margin(0.01));
    CHECK(*found.median > 25);
    REQUIRE(found.worst_five.size() == 5);
    CHECK(found.worst_five.front().index == 17);
    CHECK_FALSE(check({.digits = 10}).passed);
}

TEST_CASE("a check of a singular system cannot tell")
{
    const auto at = test::place_under_test();
    const ddla::vector<dd_real> b{1, 1, 2}, x(3);
    const auto found = ddla::check(of_rank_two().to(at), b.to(at), x.to(at));
    CHECK_FALSE(found.passed);
    CHECK_FALSE(found.worst.has_value());
    CHECK(found.why.find("singular") != std::string::npos);
}

TEST_CASE("a check counts what is not finite as wrong")
{
    const auto at = test::place_under_test();
    const ddla::vector<double> b{1, 1};
    const ddla::vector<double> x{1, std::nan("")};
    const auto found = ddla::check(matrix_of({{1, 0}, {0, 1}}).to(at), b.to(at), x.to(at));
    CHECK_FALSE(found.passed);
    REQUIRE(found.worst.has_value());
    CHECK(*found.worst == 0);
}
