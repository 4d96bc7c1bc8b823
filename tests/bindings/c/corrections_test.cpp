// A preconditioner of the caller that is symmetric positive definite has corrections by CG.
#include "catch.hpp"

#include "ddla.h"

#include <cstring>
#include <string>

namespace {

/// y = x / 4, about the inverse of the Laplacian.
int quarter(void*, std::int64_t n, const double* x, const double*, std::int64_t, double* y, double*)
{
    for (std::int64_t i = 0; i < n; ++i) y[i] = x[i] / 4;
    return 0;
}

/// The last stage of a refinement with k.
std::string refined_by(const ddla_matrix* a, const ddla_preconditioner* k)
{
    ddla_vector *b = nullptr, *x = nullptr;
    ddla_report* report = nullptr;
    ddla_solve_options o;
    REQUIRE(ddla_solve_options_init(&o, sizeof o) == DDLA_OK);
    o.method = DDLA_REFINEMENT;
    REQUIRE(ddla_vector_create(DDLA_DOUBLE, 400, DDLA_HOST, &b) == DDLA_OK);
    REQUIRE(ddla_vector_create(DDLA_DOUBLE, 400, DDLA_HOST, &x) == DDLA_OK);
    REQUIRE(ddla_vector_fill(b, {1, 0}) == DDLA_OK);
    REQUIRE(ddla_solve(a, k, b, x, &o, &report) == DDLA_OK);
    ddla_solve_summary summary;
    summary.size = sizeof summary;
    REQUIRE(ddla_report_summary(report, &summary) == DDLA_OK);
    CHECK(summary.status == DDLA_CONVERGED);
    ddla_stage stage;
    stage.size = sizeof stage;
    REQUIRE(ddla_report_stage(report, summary.stages - 1, &stage) == DDLA_OK);
    const std::string name = stage.name;
    ddla_report_destroy(report);
    ddla_vector_destroy(x);
    ddla_vector_destroy(b);
    return name;
}

}  // namespace

TEST_CASE("who knows that a preconditioner is positive definite says so")
{
    ddla_matrix* a = nullptr;
    ddla_preconditioner* k = nullptr;
    REQUIRE(ddla_generate_poisson2d(20, 20, &a) == DDLA_OK);
    REQUIRE(ddla_preconditioner_create(DDLA_DOUBLE, "a quarter", 400, quarter, nullptr, &k) ==
            DDLA_OK);
    CHECK(refined_by(a, k) == "bicgstab in double");
    CHECK(ddla_preconditioner_set_symmetric_positive(k, 1) == DDLA_OK);
    CHECK(refined_by(a, k) == "cg in double");
    CHECK(ddla_preconditioner_set_symmetric_positive(k, 0) == DDLA_OK);
    CHECK(refined_by(a, k) == "bicgstab in double");
    ddla_preconditioner_destroy(k);
    ddla_matrix_destroy(a);
}
