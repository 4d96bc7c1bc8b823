/* See misuse.h: operators, preconditioners, factors, solves, reports. */
#include "misuse.h"

#include <math.h>

static int fails(void* data, int64_t n, const double* x_hi, const double* x_lo, int64_t m,
                 double* y_hi, double* y_lo)
{
    (void)data, (void)n, (void)x_hi, (void)x_lo, (void)m, (void)y_hi, (void)y_lo;
    return 7;
}
static int on_stream(void* data, void* stream, int64_t n, const double* x_hi, const double* x_lo,
                     int64_t m, double* y_hi, double* y_lo)
{
    (void)stream;
    return fails(data, n, x_hi, x_lo, m, y_hi, y_lo);
}

static void maps(void)
{
    ddla_operator* f = NULL;
    ddla_preconditioner* k = NULL;
    ddla_factors* lu = NULL;
    ddla_factor_options o;
    ddla_factor_report about;
    ddla_build_report built;
    ddla_preconditioner_options p;
    const int64_t blocks[] = {0, 3};
    int32_t done;
    MISUSE(ddla_operator_create(DDLA_DD, 4, 4, NULL, NULL, &f));
    INPUT(ddla_operator_create(DDLA_DD, -4, 4, fails, NULL, &f));
    INPUT(ddla_operator_create_on_device(DDLA_DD, 4, 4, DDLA_HOST, on_stream, NULL, 0, &f));
    MISUSE(ddla_operator_create_on_device(DDLA_DD, 4, 4, 0, NULL, NULL, 0, &f));
    MISUSE(ddla_operator_create_matrix(wide, DDLA_DOUBLE, &f));
    OK(ddla_operator_create(DDLA_DD, 4, 4, fails, NULL, &f));
    GIVES(DDLA_CALLBACK, ddla_operator_apply(f, x, y));
    GIVES(DDLA_CALLBACK, ddla_solve_operator(f, NULL, x, y, NULL, NULL));
    MISUSE(ddla_solve_operator(NULL, NULL, x, y, NULL, NULL));
    MISUSE(ddla_operator_apply(f, d, d));
    MISUSE(ddla_preconditioner_create(DDLA_DD, NULL, 4, NULL, NULL, &k));
    INPUT(ddla_preconditioner_create(DDLA_DD, "mine", -4, fails, NULL, &k));
    INPUT(
        ddla_preconditioner_create_on_device(DDLA_DD, NULL, 4, DDLA_HOST, on_stream, NULL, 0, &k));
    MISUSE(ddla_preconditioner_create_none(0, &k));
    MISUSE(ddla_preconditioner_create_jacobi(NULL, DDLA_DD, &k));
    MISUSE(ddla_preconditioner_create_lu(NULL, DDLA_DD, DDLA_HOST, &k));
    MISUSE(ddla_preconditioner_options_init(&p, 1));
    OK(ddla_preconditioner_options_init(&p, sizeof p));
    MISUSE(ddla_preconditioner_create_matrix(NULL, DDLA_DD, DDLA_ILU, &p, &k));
    MISUSE(ddla_preconditioner_create_matrix(a, DDLA_DD, DDLA_LU, &p, &k));
    MISUSE(ddla_preconditioner_create_matrix(a, DDLA_DD, 8, &p, &k));
    MISUSE(ddla_preconditioner_create_matrix(lent, DDLA_DD, DDLA_ILU, &p, &k));
    p.blocks_length = 2;
    MISUSE(ddla_preconditioner_create_matrix(a, DDLA_DD, DDLA_BLOCK_JACOBI, &p, &k));
    p.blocks = blocks;
    INPUT(ddla_preconditioner_create_matrix(a, DDLA_DD, DDLA_BLOCK_JACOBI, &p, &k));
    p.blocks_length = 0;
    p.fill = -2;
    INPUT(ddla_preconditioner_create_matrix(a, DDLA_DD, DDLA_ILU, &p, &k));
    p.fill = DDLA_USUAL_FILL;
    p.pivots = 2;
    MISUSE(ddla_preconditioner_create_matrix(a, DDLA_DD, DDLA_ILU, &p, &k));
    MISUSE(ddla_preconditioner_apply(NULL, x, y));
    OK(ddla_preconditioner_create(DDLA_DD, "mine", 4, fails, NULL, &k));
    GIVES(DDLA_CALLBACK, ddla_preconditioner_apply(k, x, y));
    built.size = 0;
    MISUSE(ddla_preconditioner_set_symmetric_positive(NULL, 1));
    MISUSE(ddla_preconditioner_built(k, &built));
    MISUSE(ddla_factor_options_init(NULL, sizeof o));
    OK(ddla_factor_options_init(&o, sizeof o));
    o.ordering = -1;
    MISUSE(ddla_factors_create(a, DDLA_DOUBLE, &o, &lu));
    MISUSE(ddla_factors_create(a, 5, NULL, &lu));
    OK(ddla_factors_create(a, DDLA_DOUBLE, NULL, &lu));
    about.size = sizeof about - 1;
    MISUSE(ddla_factors_about(lu, &about));
    INPUT(ddla_factors_solve(lu, longer, longer));
    MISUSE(ddla_factors_solve(lu, x, d));
    MISUSE(ddla_factors_solve_transposed(NULL, x, y));
    MISUSE(ddla_factors_refactor(lu, a, NULL));
    MISUSE(ddla_factors_refactor(NULL, a, &done));
    MISUSE(ddla_solve_factors(a, NULL, x, y, NULL, NULL));
    MISUSE(ddla_solve_several(a, NULL, 2, NULL, NULL, NULL, NULL));
    MISUSE(ddla_solve_several(a, NULL, 0, NULL, NULL, NULL, NULL));
    ddla_operator_destroy(f);
    ddla_preconditioner_destroy(k);
    ddla_factors_destroy(lu);
}

/* A struct of a later version: its field counts only if this one knows it. */
static void later_options(void)
{
    struct {
        ddla_solve_options known;
        double unknown;
    } o;
    memset(&o, 0, sizeof o);
    OK(ddla_solve_options_init(&o.known, sizeof o));
    OK(ddla_solve(a, NULL, x, y, &o.known, NULL));
    o.unknown = 1;
    MISUSE(ddla_solve(a, NULL, x, y, &o.known, NULL));
}

static void solves(void)
{
    ddla_solve_options o;
    ddla_check_options c;
    ddla_report *report = NULL, *checked = NULL;
    ddla_solve_summary summary;
    ddla_check_summary found;
    ddla_stage stage;
    ddla_error_estimates errors;
    ddla_rank rank;
    ddla_traffic ranks = {0};
    ddla_build_report built;
    ddla_component component;
    const char* json;
    MISUSE(ddla_solve_options_init(&o, 0));
    OK(ddla_solve_options_init(&o, sizeof o));
    MISUSE(ddla_solve(NULL, NULL, x, y, &o, NULL));
    MISUSE(ddla_solve(a, NULL, x, NULL, &o, NULL));
    MISUSE(ddla_solve(a, NULL, x, d, &o, NULL));
    INPUT(ddla_solve(a, NULL, x, x, &o, NULL));
    INPUT(ddla_solve(a, NULL, longer, y, &o, NULL));
    o.method = 1000;
    MISUSE(ddla_solve(a, NULL, x, y, &o, NULL));
    o.method = DDLA_CG;
    o.certify = 1;
    INPUT(ddla_solve(a, NULL, x, y, &o, NULL));
    o.certify = 0;
    o.tolerance = -2;
    INPUT(ddla_solve(a, NULL, x, y, &o, NULL));
    o.tolerance = NAN;
    INPUT(ddla_solve(a, NULL, x, y, &o, NULL));
    o.size = 1;
    MISUSE(ddla_solve(a, NULL, x, y, &o, NULL));
    OK(ddla_solve(a, NULL, x, y, NULL, &report));
    MISUSE(ddla_check_options_init(NULL, sizeof c));
    OK(ddla_check_options_init(&c, sizeof c));
    MISUSE(ddla_check(a, x, y, &c, NULL));
    c.digits = 1000;
    INPUT(ddla_check(a, x, y, &c, &checked));
    MISUSE(ddla_check_four_words(a, x, y, NULL, NULL, &checked));
    MISUSE(ddla_solve_four_words(a, x, y, d, NULL, NULL));
    OK(ddla_solve_four_words(a, x, y, z, NULL, NULL));
    OK(ddla_check(a, x, y, NULL, &checked));
    summary.size = 0;
    MISUSE(ddla_report_summary(report, &summary));
    summary.size = sizeof summary;
    MISUSE(ddla_report_summary(checked, &summary));
    MISUSE(ddla_report_summary(NULL, &summary));
    found.size = sizeof found;
    MISUSE(ddla_report_check(report, &found));
    stage.size = sizeof stage;
    INPUT(ddla_report_stage(report, -1, &stage));
    INPUT(ddla_report_stage(report, 1000, &stage));
    errors.size = 7;
    MISUSE(ddla_report_errors(report, &errors));
    rank.size = (size_t)-1;
    MISUSE(ddla_report_rank(report, &rank));
    ranks.size = 3;
    MISUSE(ddla_report_traffic(report, &ranks));
    ranks.size = sizeof ranks;
    MISUSE(ddla_report_traffic(checked, &ranks));
    OK(ddla_report_traffic(report, &ranks));
    built.size = sizeof built;
    MISUSE(ddla_report_preconditioner(checked, &json, &built));
    MISUSE(ddla_report_preconditioner(report, NULL, &built));
    OK(ddla_report_preconditioner(report, &json, &built));
    component.size = sizeof component;
    MISUSE(ddla_report_component(report, 0, &component));
    INPUT(ddla_report_component(checked, -1, &component));
    MISUSE(ddla_report_json(report, NULL));
    MISUSE(ddla_report_json(NULL, &json));
    ddla_report_destroy(report);
    ddla_report_destroy(checked);
}

static void plans(void)
{
    ddla_plan* plan = NULL;
    ddla_operator* f = NULL;
    ddla_planned_stage stage;
    const char* json;
    int32_t stages;
    MISUSE(ddla_plan_solve(NULL, NULL, x, y, NULL, &plan));
    MISUSE(ddla_plan_solve(a, NULL, x, y, NULL, NULL));
    MISUSE(ddla_plan_solve(a, NULL, x, d, NULL, &plan));
    INPUT(ddla_plan_solve(a, NULL, longer, y, NULL, &plan));
    MISUSE(ddla_plan_solve_operator(NULL, NULL, x, y, NULL, &plan));
    OK(ddla_operator_create(DDLA_DD, 4, 4, fails, NULL, &f));
    OK(ddla_plan_solve_operator(f, NULL, x, y, NULL, &plan)); /* calls no function */
    ddla_plan_destroy(plan);
    MISUSE(ddla_plan_solve_four_words(a, x, y, d, NULL, &plan));
    OK(ddla_plan_solve(a, NULL, x, y, NULL, &plan));
    MISUSE(ddla_plan_length(plan, NULL));
    MISUSE(ddla_plan_length(NULL, &stages));
    stage.size = sizeof stage;
    INPUT(ddla_plan_stage(plan, -1, &stage));
    INPUT(ddla_plan_stage(plan, 1000, &stage));
    stage.size = 8;
    MISUSE(ddla_plan_stage(plan, 0, &stage));
    MISUSE(ddla_plan_json(plan, NULL));
    MISUSE(ddla_plan_json(NULL, &json));
    ddla_plan_destroy(plan);
    ddla_plan_destroy(NULL);
    ddla_operator_destroy(f);
}

void misuse_solves(void)
{
    maps();
    later_options();
    solves();
    plans();
}
