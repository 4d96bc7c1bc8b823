// The rank of A and its null vectors in reports of the C interface.
#include "catch.hpp"

#include <ddla.h>

#include <cmath>
#include <string>
#include <vector>

namespace {

/// The report of A x = (1, 1) for a matrix of two rows.
struct reported {
    ddla_report* report = nullptr;
    ddla_rank rank = {};

    explicit reported(const std::vector<double>& values)
    {
        const std::int32_t begin[] = {0, 2, 4}, column[] = {0, 1, 0, 1};
        ddla_csr arrays;
        REQUIRE(ddla_csr_init(&arrays, sizeof arrays) == DDLA_OK);
        arrays.rows = arrays.columns = 2;
        arrays.nonzeros = 4;
        arrays.row_begin = begin;
        arrays.column = column;
        arrays.hi = values.data();
        ddla_matrix* a = nullptr;
        ddla_vector *b = nullptr, *x = nullptr;
        REQUIRE(ddla_matrix_create(&arrays, DDLA_HOST, &a) == DDLA_OK);
        REQUIRE(ddla_vector_create(DDLA_DD, 2, DDLA_HOST, &b) == DDLA_OK);
        REQUIRE(ddla_vector_create(DDLA_DD, 2, DDLA_HOST, &x) == DDLA_OK);
        REQUIRE(ddla_vector_fill(b, ddla_dd{1, 0}) == DDLA_OK);
        REQUIRE(ddla_solve(a, nullptr, b, x, nullptr, &report) == DDLA_OK);
        ddla_vector_destroy(x);
        ddla_vector_destroy(b);
        ddla_matrix_destroy(a);
        rank.size = sizeof rank;
        REQUIRE(ddla_report_rank(report, &rank) == DDLA_OK);
    }
    ~reported() { ddla_report_destroy(report); }
    reported(const reported&) = delete;
    reported& operator=(const reported&) = delete;
};

}  // namespace

TEST_CASE("a singular matrix has its null vectors in C")
{
    const reported r({1, 2, 2, 4});
    CHECK(r.rank.known == 1);
    CHECK(r.rank.value == 1);
    CHECK(r.rank.consistent == 0);
    CHECK(r.rank.numerically_singular == 1);
    // The part of (1, 1) along (2, -1).
    CHECK(std::fabs(r.rank.distance_of_b - std::sqrt(0.1)) < 1e-15);
    REQUIRE(r.rank.combined_rows_count == 2);
    REQUIRE(r.rank.row_weights != nullptr);
    CHECK(r.rank.row_weights[0] == -2 * r.rank.row_weights[1]);
    CHECK(std::fabs(r.rank.row_weights[0]) == 0.5);
    REQUIRE(r.rank.combined_columns_count == 2);
    REQUIRE(r.rank.column_weights != nullptr);
    CHECK(r.rank.column_weights[0] == -2 * r.rank.column_weights[1]);
}

TEST_CASE("a matrix of full rank has no null vectors in C")
{
    const reported looked_at({1, 1, 1, 1 + 0x1p-44});
    CHECK(looked_at.rank.known == 1);
    CHECK(looked_at.rank.value == 2);
    CHECK(looked_at.rank.row_weights == nullptr);
    CHECK(looked_at.rank.column_weights == nullptr);
    CHECK(looked_at.rank.numerically_singular == 0);
    CHECK(reported({1, 1, 1, 1 + 0x1p-52}).rank.numerically_singular == 1);

    const reported plain({2, 1, 1, 2});
    CHECK(plain.rank.known == 0);
    CHECK(plain.rank.numerically_singular == -1);
}

TEST_CASE("a matrix that is not square is solved for least squares in C")
{
    // A line through (0, 1), (1, 3), (2, 4), (3, 4): 3/2 + x.
    const std::int32_t begin[] = {0, 1, 3, 5, 7}, column[] = {0, 0, 1, 0, 1, 0, 1};
    const double values[] = {1, 1, 1, 1, 2, 1, 3}, right[] = {1, 3, 4, 4};
    ddla_csr arrays;
    REQUIRE(ddla_csr_init(&arrays, sizeof arrays) == DDLA_OK);
    arrays.rows = 4;
    arrays.columns = 2;
    arrays.nonzeros = 7;
    arrays.row_begin = begin;
    arrays.column = column;
    arrays.hi = values;
    ddla_matrix* a = nullptr;
    ddla_vector *b = nullptr, *x = nullptr;
    ddla_report* report = nullptr;
    REQUIRE(ddla_matrix_create(&arrays, DDLA_HOST, &a) == DDLA_OK);
    REQUIRE(ddla_vector_create(DDLA_DOUBLE, 4, DDLA_HOST, &b) == DDLA_OK);
    REQUIRE(ddla_vector_create(DDLA_DOUBLE, 2, DDLA_HOST, &x) == DDLA_OK);
    REQUIRE(ddla_vector_set_words(b, 4, right, nullptr) == DDLA_OK);
    REQUIRE(ddla_solve(a, nullptr, b, x, nullptr, &report) == DDLA_OK);
    ddla_solve_summary found;
    found.size = sizeof found;
    REQUIRE(ddla_report_summary(report, &found) == DDLA_OK);
    CHECK(found.status == DDLA_CONVERGED);
    CHECK(found.normal_residual < 1e-14);
    CHECK(found.digits > 15);
    double answer[2] = {};
    REQUIRE(ddla_vector_get_words(x, 2, answer, nullptr) == DDLA_OK);
    CHECK(answer[0] == 1.5);
    CHECK(answer[1] == 1);
    ddla_report_destroy(report);
    ddla_vector_destroy(x);
    ddla_vector_destroy(b);
    ddla_matrix_destroy(a);
}

TEST_CASE("digits that are asked for are judged or refused in C")
{
    const std::int32_t begin[] = {0, 2, 4}, column[] = {0, 1, 0, 1};
    const double values[] = {1, 2, 2, 4}, right[] = {3, 6};
    ddla_csr arrays;
    REQUIRE(ddla_csr_init(&arrays, sizeof arrays) == DDLA_OK);
    arrays.rows = arrays.columns = 2;
    arrays.nonzeros = 4;
    arrays.row_begin = begin;
    arrays.column = column;
    arrays.hi = values;
    ddla_matrix* a = nullptr;
    ddla_vector *b = nullptr, *x = nullptr;
    REQUIRE(ddla_matrix_create(&arrays, DDLA_HOST, &a) == DDLA_OK);
    REQUIRE(ddla_vector_create(DDLA_DOUBLE, 2, DDLA_HOST, &b) == DDLA_OK);
    REQUIRE(ddla_vector_create(DDLA_DOUBLE, 2, DDLA_HOST, &x) == DDLA_OK);
    REQUIRE(ddla_vector_set_words(b, 2, right, nullptr) == DDLA_OK);
    ddla_solve_options options;
    REQUIRE(ddla_solve_options_init(&options, sizeof options) == DDLA_OK);
    CHECK(options.digits == DDLA_USUAL_DIGITS);
    const auto found = [&] {
        ddla_report* report = nullptr;
        REQUIRE(ddla_solve(a, nullptr, b, x, &options, &report) == DDLA_OK);
        ddla_solve_summary summary;
        summary.size = sizeof summary;
        CHECK(ddla_report_summary(report, &summary) == DDLA_OK);
        ddla_error_estimates errors;
        errors.size = sizeof errors;
        CHECK(ddla_report_errors(report, &errors) == DDLA_OK);
        CHECK(errors.unsettled == 0);
        CHECK(errors.first_unsettled == -1);
        CHECK(errors.unsettled_because == nullptr);
        ddla_report_destroy(report);
        CHECK(summary.digits_proved == 0);
        return summary;
    };
    CHECK(found().status == DDLA_CONVERGED);
    options.digits = 12;
    CHECK(found().status == DDLA_RESIDUAL_ONLY);
    CHECK(std::string(ddla_solve_status_name(DDLA_RESIDUAL_ONLY)) == "residual_only");
    options.digits = DDLA_USUAL_DIGITS;
    options.normwise = 1;
    CHECK(found().status == DDLA_RESIDUAL_ONLY);
    options.normwise = 0;
    options.digits = 12;
    options.method = DDLA_LSMR;
    ddla_report* report = nullptr;
    CHECK(ddla_solve(a, nullptr, b, x, &options, &report) == DDLA_INPUT);
    CHECK(std::string(ddla_last_error()).find("12 digits were asked for") != std::string::npos);
    options.digits = DDLA_USUAL_DIGITS;
    options.normwise = 1;
    CHECK(ddla_solve(a, nullptr, b, x, &options, &report) == DDLA_INPUT);
    CHECK(std::string(ddla_last_error()).find("normwise digits were asked for") !=
          std::string::npos);
    options.normwise = 0;
    CHECK(found().status == DDLA_CONVERGED);
    ddla_vector_destroy(x);
    ddla_vector_destroy(b);
    ddla_matrix_destroy(a);
}
