// What C says of a solve, a check and factors is what C++ says.
#include "catch.hpp"

#include "ddla.h"
#include "ddla/ddla.hpp"

#include <string>

namespace {

/// A grid, b of ones, and x of zeros, in C.
struct system_in_c {
    ddla_matrix* a = nullptr;
    ddla_vector *b = nullptr, *x = nullptr;
    ddla_report* report = nullptr;

    system_in_c()
    {
        REQUIRE(ddla_generate_poisson2d(20, 20, &a) == DDLA_OK);
        REQUIRE(ddla_vector_create(DDLA_DD, 400, DDLA_HOST, &b) == DDLA_OK);
        REQUIRE(ddla_vector_create(DDLA_DD, 400, DDLA_HOST, &x) == DDLA_OK);
        REQUIRE(ddla_vector_fill(b, {1, 0}) == DDLA_OK);
    }
    system_in_c(const system_in_c&) = delete;
    system_in_c& operator=(const system_in_c&) = delete;
    ~system_in_c()
    {
        ddla_report_destroy(report);
        ddla_vector_destroy(x);
        ddla_vector_destroy(b);
        ddla_matrix_destroy(a);
    }
};

template <class S>
S sized()
{
    S s = {};
    s.size = sizeof s;
    return s;
}

}  // namespace

TEST_CASE("stages and limits of a solve are in C")
{
    system_in_c c;
    ddla_factor_options f;
    ddla_solve_options o;
    REQUIRE(ddla_factor_options_init(&f, sizeof f) == DDLA_OK);
    REQUIRE(ddla_solve_options_init(&o, sizeof o) == DDLA_OK);
    f.most_work = 1e-8;
    o.factorisation = &f;
    REQUIRE(ddla_solve(c.a, nullptr, c.b, c.x, &o, &c.report) == DDLA_OK);
    auto summary = sized<ddla_solve_summary>();
    REQUIRE(ddla_report_summary(c.report, &summary) == DDLA_OK);

    const ddla::vector<ddla::dd_real> b(400, 1.0);
    ddla::vector<ddla::dd_real> x(400);
    const ddla::solve_report r = ddla::solve(ddla::generate::poisson2d(20, 20), b, x,
                                             {.factorisation = {.most_work = 1e-8}});
    REQUIRE(summary.limit != nullptr);
    CHECK(summary.limit == r.limit);
    CHECK(summary.solution_hash == r.solution_hash);
    REQUIRE(summary.stages == static_cast<int>(r.plan.size()));
    REQUIRE(r.plan.front().passed == ddla::limit_kind::work);
    for (int k = 0; k < summary.stages; ++k) {
        auto stage = sized<ddla_stage>();
        REQUIRE(ddla_report_stage(c.report, k, &stage) == DDLA_OK);
        CHECK(stage.name == r.plan[static_cast<std::size_t>(k)].name);
        CHECK(stage.iterations == r.plan[static_cast<std::size_t>(k)].iterations);
        CHECK(stage.passed == (k == 0 ? DDLA_MOST_WORK : DDLA_NO_LIMIT));
    }
    CHECK(r.plan.back().iterations == summary.iterations);
}

TEST_CASE("reports of factors in C have all fields")
{
    system_in_c c;
    ddla_factors* f = nullptr;
    auto report = sized<ddla_factor_report>();
    REQUIRE(ddla_factors_create(c.a, DDLA_DOUBLE, nullptr, &f) == DDLA_OK);
    REQUIRE(ddla_factors_about(f, &report) == DDLA_OK);
    ddla_factors_destroy(f);
    const ddla::factorisation_report r =
        ddla::lu_factors<double>(ddla::generate::poisson2d(20, 20)).about();
    CHECK(report.n == 400);
    CHECK(report.rank == 400);
    CHECK(report.nonzeros == 1920);  // 5 a row, less 4 sides of 20
    CHECK(report.entries == r.entries);
    CHECK(report.operations == r.operations);
    CHECK(report.bytes == r.bytes);
    CHECK(report.smallest_pivot == r.smallest_pivot);
    CHECK(report.smallest_pivot_row == r.smallest_pivot_row);
    CHECK(report.smallest_pivot_column == r.smallest_pivot_column);
    CHECK(report.growth == r.growth);
    CHECK(report.ordering == DDLA_ORDERING_AMD);
}

TEST_CASE("checks of least squares in C have their residual")
{
    const int64_t row[] = {0, 1, 2}, column[] = {0, 0, 0};
    const double one[] = {1, 1, 1}, right[] = {1, 2, 6}, mean[] = {3};
    ddla_coordinates entries;
    REQUIRE(ddla_coordinates_init(&entries, sizeof entries) == DDLA_OK);
    entries.rows = 3, entries.columns = 1, entries.nonzeros = 3;
    entries.row = row, entries.column = column, entries.index_bits = 64, entries.hi = one;
    system_in_c c;
    ddla_matrix* a = nullptr;
    ddla_vector *b = nullptr, *x = nullptr;
    REQUIRE(ddla_matrix_assemble(&entries, DDLA_HOST, &a) == DDLA_OK);
    REQUIRE(ddla_vector_create(DDLA_DOUBLE, 3, DDLA_HOST, &b) == DDLA_OK);
    REQUIRE(ddla_vector_create(DDLA_DOUBLE, 1, DDLA_HOST, &x) == DDLA_OK);
    REQUIRE(ddla_vector_set_words(b, 3, right, nullptr) == DDLA_OK);
    REQUIRE(ddla_vector_set_words(x, 1, mean, nullptr) == DDLA_OK);
    REQUIRE(ddla_check(a, b, x, nullptr, &c.report) == DDLA_OK);
    auto summary = sized<ddla_check_summary>();
    REQUIRE(ddla_report_check(c.report, &summary) == DDLA_OK);
    CHECK(summary.passed == 1);
    CHECK(summary.normal_residual == 0);  // of the mean of 1, 2, 6
    ddla_vector_destroy(x);
    ddla_vector_destroy(b);
    ddla_matrix_destroy(a);
}

TEST_CASE("what a matrix looks like is in C")
{
    system_in_c c;
    auto info = sized<ddla_matrix_info>();
    REQUIRE(ddla_matrix_inspect(c.a, &info) == DDLA_OK);
    // Five points on a grid of 20 x 20: 4 on the diagonal, -1 for each of 4 * 20 * 19 neighbours.
    CHECK(info.rows == 400);
    CHECK(info.columns == 400);
    CHECK(info.nonzeros == 400 + 4 * 20 * 19);
    CHECK(info.explicit_zeros == 0);
    CHECK(info.symmetric_pattern == 1);
    CHECK(info.symmetric == 1);
    CHECK(info.skew_symmetric == 0);
    CHECK(info.finite == 1);
    CHECK(info.shortest_row == 3);
    CHECK(info.longest_row == 5);
    CHECK(info.mean_row == 4.8);
    CHECK(info.empty_rows == 0);
    CHECK(info.empty_columns == 0);
    CHECK(info.missing_diagonal == 0);
    CHECK(info.negative_diagonal == 0);
    CHECK(info.dominant_rows == 400);
    CHECK(info.lower_bandwidth == 20);
    CHECK(info.upper_bandwidth == 20);
    CHECK(info.smallest_magnitude == 1);
    CHECK(info.largest_magnitude == 4);
}

TEST_CASE("the report of a format is in C")
{
    system_in_c c;
    const ddla_format_options o = {sizeof o, DDLA_FORMAT_CRS_VECTOR, 4, 0};
    auto report = sized<ddla_format_report>();
    REQUIRE(ddla_matrix_set_format(c.a, DDLA_DD, &o, &report) == DDLA_OK);
    auto a = ddla::generate::poisson2d(20, 20);
    const ddla::format_report expected = ddla::set_format<ddla::dd_real>(
        a, {.format = ddla::sparse_format::crs_vector, .threads_per_row = 4});
    CHECK(report.format == DDLA_FORMAT_CRS_VECTOR);
    CHECK(report.threads_per_row == 4);
    CHECK(report.slots == expected.slots);
    CHECK(report.slots >= 1920);
    CHECK(report.extra_bytes == expected.extra_bytes);
    CHECK(report.product_bytes == expected.product_bytes);
    CHECK(report.product_bytes >= 1920 * (sizeof(double) + sizeof(std::int32_t)));
    CHECK(report.seconds >= 0);
    CHECK(report.reason == expected.reason);
    CHECK(!expected.reason.empty());
}
