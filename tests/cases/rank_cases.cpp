// What automatic solves say of the rank of A, and how those of singular systems end.
#include "catch.hpp"
#include "support/answered.hpp"

#include <cmath>

using ddla::dd_real;
using ddla::index_t;
using ddla::solve_status;
using test::matrix_of;
using test::of_rank_two;
using test::solve;

TEST_CASE("a singular system without a solution is called singular")
{
    const auto one = solve<dd_real>(of_rank_two(), {1, 1, 1});
    CHECK(one.report.status == solve_status::singular);
    REQUIRE(one.report.rank.has_value());
    CHECK(one.report.rank->value == 2);
    CHECK_FALSE(one.report.rank->consistent);
    CHECK_FALSE(one.report.digits.has_value());
}

TEST_CASE("a singular system with a solution is solved, without a claim on digits")
{
    const auto one = solve<dd_real>(of_rank_two(), {1, 1, 2});
    CHECK(one.report.status == solve_status::converged);
    REQUIRE(one.report.rank.has_value());
    CHECK(one.report.rank->value == 2);
    CHECK(one.report.rank->consistent);
    CHECK(one.report.true_relative_residual < 1e-28);
    CHECK_FALSE(one.report.digits.has_value());
}

TEST_CASE("a singular matrix is reported with its null vectors")
{
    const auto one = solve<dd_real>(of_rank_two(), {1, 1, 1});
    REQUIRE(one.report.rank.has_value());
    const ddla::rank_report& rank = *one.report.rank;
    CHECK(rank.combined_rows == std::vector<index_t>{0, 1, 2});
    CHECK(rank.row_weights == std::vector<double>{-0.5, -0.5, 0.5});
    CHECK(rank.combined_columns == std::vector<index_t>{0, 1, 2});
    CHECK(rank.column_weights == std::vector<double>{0.5, -0.25, -1.0 / 12});
    CHECK(rank.numerically_singular == true);

    const auto empty = solve<dd_real>(matrix_of({{1, 2, 0}, {0, 0, 0}, {1, 2, 3}}), {1, 1, 1});
    REQUIRE(empty.report.rank.has_value());
    CHECK(empty.report.rank->combined_rows == std::vector<index_t>{1});
    CHECK(empty.report.rank->row_weights == std::vector<double>{0.5});
    CHECK(empty.report.rank->combined_columns.size() == 2);
    CHECK(empty.report.rank->column_weights.size() == 2);
}

TEST_CASE("several right-hand sides are told the same null vectors")
{
    const auto at = test::place_under_test();
    const ddla::vector<dd_real> one_b{1, 1, 1}, other_b{1, 1, 2};
    std::vector<ddla::vector<dd_real>> b, x;
    for (const auto* each : {&one_b, &other_b})
        b.push_back(each->to(at)), x.emplace_back(index_t{3}, dd_real(0), at);
    const auto reports = ddla::solve(of_rank_two().to(at), b, x);
    REQUIRE(reports.size() == 2);
    CHECK(reports[0].status == solve_status::singular);
    CHECK(reports[1].status == solve_status::converged);
    for (const ddla::solve_report& r : reports) {
        REQUIRE(r.rank.has_value());
        CHECK(r.rank->row_weights == std::vector<double>{-0.5, -0.5, 0.5});
    }
}

TEST_CASE("null vectors keep to the limits of factors")
{
    // Five operations in double, half of one in double-double; elimination takes one.
    const auto one = solve<dd_real>(matrix_of({{1, 2, 0}, {2, 4, 0}, {0, 0, 3}}), {1, 1, 1},
                                    {.factorisation = {.most_work = 5e-9}});
    CHECK(one.report.status == solve_status::singular);
    REQUIRE(one.report.rank.has_value());
    CHECK(one.report.rank->combined_rows.size() == 2);
    CHECK(one.report.rank->row_weights.empty());
    CHECK(one.report.rank->column_weights.empty());
}

TEST_CASE("numerically singular is said apart from the rank")
{
    const auto numerically_singular = [](double distance) {
        const auto one = solve<dd_real>(matrix_of({{1, 1}, {1, 1 + distance}}), {1, 0});
        CHECK(one.report.status == solve_status::converged);
        REQUIRE(one.report.rank.has_value());
        CHECK(one.report.rank->value == 2);
        CHECK(one.report.rank->proved);
        return one.report.rank->numerically_singular;
    };
    // Its kappa_1 is about 4 / distance.
    CHECK(numerically_singular(0x1p-52) == true);
    CHECK(numerically_singular(0x1p-44) == false);
}

TEST_CASE("an empty row is a proved lack of rank")
{
    const auto one = solve<dd_real>(matrix_of({{1, 2, 0}, {0, 0, 0}, {1, 2, 3}}), {1, 1, 1});
    CHECK(one.report.status == solve_status::singular);
    REQUIRE(one.report.rank.has_value());
    CHECK(one.report.rank->proved);
}

TEST_CASE("nearly singular is not singular")
{
    // The determinant is 2^-90.
    const auto one = solve<dd_real>(matrix_of({
                                        {1, 1},
                                        {1 + 0x1p-45, 1 + 0x1p-45},
                                    }),
                                    {1, 1});
    CHECK(one.report.status == solve_status::singular);
    const auto two = solve<dd_real>(matrix_of({{1 + 0x1p-45, 1}, {1, 1 - 0x1p-45}}), {1, 0});
    CHECK(two.report.status == solve_status::converged);
    REQUIRE(two.report.rank.has_value());
    CHECK(two.report.rank->proved);
    CHECK(two.x[1].hi == std::ldexp(1.0, 90));
}
