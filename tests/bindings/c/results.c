/* What C calls compute; bits_test.cpp compares it with the same calls in C++.  Compiled as C. */
#include "results.h"

#include <ddla.h>

#include <math.h>
#include <stddef.h>
#include <string.h>

#define TRY(call)                                                                                  \
    do {                                                                                           \
        if ((call) != DDLA_OK) return __LINE__;                                                    \
    } while (0)
#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition)) return __LINE__;                                                         \
    } while (0)

enum { N = 494 };

typedef struct {
    give_words words;
    give_hash hash;
    void* to;
} results;

static int give_vector(const results* r, const char* name, const ddla_vector* x)
{
    uint64_t hash;
    TRY(ddla_hash(x, &hash));
    r->hash(r->to, name, hash);
    return 0;
}

static int give_solve(const results* r, const char* name, ddla_report* report, const ddla_vector* x)
{
    ddla_solve_summary summary;
    const char* json = NULL;
    uint64_t hash;
    summary.size = sizeof summary;
    TRY(ddla_report_summary(report, &summary));
    TRY(ddla_hash(x, &hash));
    MUST(summary.solution_hash == hash);
    TRY(ddla_report_json(report, &json));
    MUST(strstr(json, "\"solves\"") != NULL);
    r->words(r->to, name, summary.true_relative_residual, (double)summary.iterations);
    r->hash(r->to, name, hash);
    ddla_report_destroy(report);
    return 0;
}

/* y = A x of the matrix [4 -1; 1 3], by the caller's code. */
static int two_by_two(void* calls, int64_t x_size, const double* x_hi, const double* x_lo,
                      int64_t y_size, double* y_hi, double* y_lo)
{
    int i;
    if (x_size != 2 || y_size != 2 || x_lo == NULL) return 1;
    for (i = 0; i < 2; ++i) {
        const ddla_dd x0 = {x_hi[0], x_lo[0]}, x1 = {x_hi[1], x_lo[1]};
        const ddla_dd four = {i == 0 ? 4 : 1, 0}, one = {i == 0 ? -1 : 3, 0};
        const ddla_dd y = ddla_dd_add(ddla_dd_multiply(four, x0), ddla_dd_multiply(one, x1));
        y_hi[i] = y.hi;
        y_lo[i] = y.lo;
    }
    ++*(int*)calls;
    return 0;
}

static int count_looks(void* looks, const ddla_progress* progress)
{
    if (progress->size < sizeof *progress || progress->stage == NULL) return 1;
    return ++*(int*)looks == 5; /* ends the solve at the fifth */
}

static int operations(const results* r, const ddla_matrix* a, ddla_vector* x, ddla_vector* y)
{
    const ddla_dd third = ddla_dd_divide((ddla_dd){1, 0}, (ddla_dd){3, 0}), one = {1, 0};
    ddla_dd found;
    TRY(ddla_dot(x, y, &found));
    r->words(r->to, "dot", found.hi, found.lo);
    TRY(ddla_nrm2(x, &found));
    r->words(r->to, "nrm2", found.hi, found.lo);
    TRY(ddla_asum(x, &found));
    r->words(r->to, "asum", found.hi, found.lo);
    TRY(ddla_axpy(third, x, y));
    MUST(give_vector(r, "axpy", y) == 0);
    TRY(ddla_xpay(x, third, y));
    TRY(ddla_scal(third, y));
    MUST(give_vector(r, "scal", y) == 0);
    TRY(ddla_spmv(third, a, x, one, y));
    MUST(give_vector(r, "spmv", y) == 0);
    TRY(ddla_spmv_transposed(one, a, x, third, y));
    MUST(give_vector(r, "spmv_transposed", y) == 0);
    return 0;
}

static int on_a_stream(const results* r, const ddla_matrix* a, ddla_vector* x, ddla_vector* y)
{
    ddla_stream* on = NULL;
    ddla_view of_x, of_y;
    ddla_scalar third = {{0, 0}, NULL}, zero = {{0, 0}, NULL};
    ddla_dd found;
    third.value = ddla_dd_divide((ddla_dd){1, 0}, (ddla_dd){3, 0});
    of_x.n = of_y.n = N;
    TRY(ddla_vector_words(x, &of_x.hi, &of_x.lo));
    TRY(ddla_vector_words(y, &of_y.hi, &of_y.lo));
    TRY(ddla_stream_create(DDLA_HOST, NULL, &on));
    TRY(ddla_stream_spmv(on, third, a, of_x, zero, of_y));
    TRY(ddla_stream_dot(on, of_x, of_y, &found));
    TRY(ddla_stream_wait(on));
    r->words(r->to, "stream dot", found.hi, found.lo);
    ddla_stream_destroy(on);
    return 0;
}

/* No bound is there where none was asked for. */
static int not_certified(ddla_report* report)
{
    ddla_solve_summary s;
    s.size = sizeof s;
    TRY(ddla_report_summary(report, &s));
    MUST(!s.certified && isnan(s.bound_normwise) && s.not_certified_because == NULL);
    return 0;
}

static int solves(const results* r, const ddla_matrix* a, ddla_vector* b, ddla_vector* x)
{
    const ddla_dd zero = {0, 0};
    ddla_solve_options o;
    ddla_report* report = NULL;
    ddla_preconditioner* k = NULL;
    ddla_factors* f = NULL;
    ddla_solve_summary summary;
    int looks = 0;
    TRY(ddla_solve(a, NULL, b, x, NULL, &report));
    MUST(not_certified(report) == 0);
    MUST(give_solve(r, "auto", report, x) == 0);

    TRY(ddla_solve_options_init(&o, sizeof o));
    o.method = DDLA_CG;
    o.tolerance = 1e-20;
    o.record_history = 1;
    TRY(ddla_preconditioner_create_jacobi(a, DDLA_DD, &k));
    TRY(ddla_vector_fill(x, zero));
    TRY(ddla_solve(a, k, b, x, &o, &report));
    MUST(give_solve(r, "cg, jacobi", report, x) == 0);

    TRY(ddla_factors_create(a, DDLA_DOUBLE, NULL, &f));
    TRY(ddla_vector_fill(x, zero));
    TRY(ddla_solve_factors(a, f, b, x, NULL, &report));
    MUST(give_solve(r, "factors", report, x) == 0);
    TRY(ddla_factors_solve(f, b, x));
    MUST(give_vector(r, "factors as they are", x) == 0);

    o.watch = count_looks;
    o.watch_data = &looks;
    TRY(ddla_vector_fill(x, zero));
    TRY(ddla_solve(a, NULL, b, x, &o, &report));
    summary.size = sizeof summary;
    TRY(ddla_report_summary(report, &summary));
    MUST(looks == 5 && summary.interrupted && summary.history_length > 0);
    MUST(isfinite(summary.history[summary.history_length - 1]));
    MUST(strcmp(ddla_solve_status_name(summary.status), "iteration_limit") == 0);
    ddla_report_destroy(report);
    ddla_preconditioner_destroy(k);
    ddla_factors_destroy(f);
    return 0;
}

/* Preconditioners by their number: by a handle, and within the options of a solve. */
static int preconditioners(const results* r, const ddla_matrix* a, ddla_vector* b, ddla_vector* x)
{
    const int64_t blocks[] = {0, 100, 300, N};
    const char* name = NULL;
    ddla_preconditioner_options p;
    ddla_build_report built;
    ddla_preconditioner* k = NULL;
    ddla_matrix* gone = NULL;
    ddla_solve_options o;
    ddla_report* report = NULL;
    TRY(ddla_preconditioner_options_init(&p, sizeof p));
    TRY(ddla_solve_options_init(&o, sizeof o));
    o.method = DDLA_FGMRES;
    o.tolerance = 1e-20;
    p.fill = 5;
    p.drop = 1e-4;
    p.ordering = DDLA_ORDERING_RCM;
    TRY(ddla_preconditioner_create_matrix(a, DDLA_DD, DDLA_ILUT, &p, &k));
    built.size = sizeof built;
    TRY(ddla_preconditioner_built(k, &built));
    r->words(r->to, "ilut", built.fill, built.operations);
    TRY(ddla_vector_fill(x, (ddla_dd){0, 0}));
    TRY(ddla_solve(a, k, b, x, &o, &report));
    MUST(give_solve(r, "fgmres, ilut", report, x) == 0);
    ddla_preconditioner_destroy(k);

    p.degree = 3;
    TRY(ddla_matrix_copy_to(a, DDLA_HOST, &gone));
    TRY(ddla_preconditioner_create_matrix(gone, DDLA_DD, DDLA_POLYNOMIAL, &p, &k));
    ddla_matrix_destroy(gone);
    TRY(ddla_preconditioner_apply(k, b, x));
    MUST(give_vector(r, "polynomial", x) == 0);
    ddla_preconditioner_destroy(k);

    o.precond = DDLA_BLOCK_JACOBI;
    o.preconditioner = &p;
    p.blocks = blocks;
    p.blocks_length = 4;
    TRY(ddla_vector_fill(x, (ddla_dd){0, 0}));
    TRY(ddla_solve(a, NULL, b, x, &o, &report));
    TRY(ddla_report_preconditioner(report, &name, &built));
    MUST(strcmp(name, "block_jacobi") == 0 && built.seconds > 0 && built.bytes > 0);
    MUST(built.shifts == 0 && built.bad_row == -1);
    r->words(r->to, "block_jacobi", built.smallest_pivot, (double)built.smallest_pivot_row);
    return give_solve(r, "fgmres, block_jacobi", report, x);
}

static int certified(const results* r, const ddla_matrix* a, ddla_vector* b, ddla_vector* x)
{
    ddla_solve_options o;
    ddla_check_options c;
    ddla_report* report = NULL;
    ddla_solve_summary solved;
    ddla_check_summary checked;
    solved.size = sizeof solved;
    checked.size = sizeof checked;
    TRY(ddla_solve_options_init(&o, sizeof o));
    TRY(ddla_check_options_init(&c, sizeof c));
    o.certify = c.certify = 1;
    TRY(ddla_vector_fill(x, (ddla_dd){0, 0}));
    TRY(ddla_solve(a, NULL, b, x, &o, &report));
    TRY(ddla_report_summary(report, &solved));
    MUST(solved.certified && solved.not_certified_because == NULL);
    r->words(r->to, "bounds", solved.bound_normwise, solved.bound_componentwise);
    ddla_report_destroy(report);
    TRY(ddla_check(a, b, x, &c, &report));
    TRY(ddla_report_check(report, &checked));
    MUST(checked.certified);
    r->words(r->to, "bounds of a check", checked.bound_normwise, checked.scaled_inverse_norm);
    ddla_report_destroy(report);
    return 0;
}

/* The same matrix from arrays with indices of 64 bits from 1, and of 32 bits from 0. */
static int arrays(const results* r)
{
    const int64_t wide_rows[] = {1, 3, 5}, wide_columns[] = {1, 2, 1, 2};
    const int32_t rows[] = {0, 2, 4}, columns[] = {0, 1, 0, 1};
    const double hi[] = {4, -1, 1, 3};
    const ddla_dd pairs[] = {{4, 0}, {-1, 0}, {1, 0}, {3, 0}}, b_pairs[] = {{1, 1e-20}, {2, 0}};
    ddla_csr from;
    ddla_matrix *a = NULL, *same = NULL;
    ddla_operator* by_code = NULL;
    ddla_vector *b = NULL, *x = NULL, *y = NULL;
    ddla_report* report = NULL;
    ddla_solve_options o;
    ddla_dd back[2];
    int calls = 0;
    TRY(ddla_csr_init(&from, sizeof from));
    from.rows = from.columns = 2;
    from.nonzeros = 4;
    from.row_begin = wide_rows;
    from.column = wide_columns;
    from.row_begin_bits = from.column_bits = 64;
    from.index_base = 1;
    from.pairs = pairs;
    TRY(ddla_matrix_create(&from, DDLA_HOST, &a));
    from.row_begin = rows;
    from.column = columns;
    from.row_begin_bits = from.column_bits = 32;
    from.index_base = 0;
    from.pairs = NULL;
    from.hi = hi;
    TRY(ddla_matrix_create(&from, DDLA_HOST, &same));
    TRY(ddla_vector_create(DDLA_DD, 2, DDLA_HOST, &b));
    TRY(ddla_vector_create(DDLA_DD, 2, DDLA_HOST, &x));
    TRY(ddla_vector_create(DDLA_DD, 2, DDLA_HOST, &y));
    TRY(ddla_vector_set_pairs(b, 2, b_pairs));
    TRY(ddla_vector_get_pairs(b, 2, back));
    MUST(memcmp(back, b_pairs, sizeof back) == 0);
    TRY(ddla_spmv((ddla_dd){1, 0}, a, b, (ddla_dd){0, 0}, x));
    TRY(ddla_spmv((ddla_dd){1, 0}, same, b, (ddla_dd){0, 0}, y));
    MUST(give_vector(r, "arrays", x) == 0);
    MUST(give_vector(r, "arrays again", y) == 0);

    TRY(ddla_operator_create(DDLA_DD, 2, 2, two_by_two, &calls, &by_code));
    TRY(ddla_solve_options_init(&o, sizeof o));
    o.method = DDLA_FGMRES;
    o.tolerance = 1e-25;
    TRY(ddla_vector_fill(x, (ddla_dd){0, 0}));
    TRY(ddla_solve_operator(by_code, NULL, b, x, &o, &report));
    MUST(calls > 0);
    MUST(give_solve(r, "operator", report, x) == 0);
    ddla_operator_destroy(by_code);
    ddla_matrix_destroy(a);
    ddla_matrix_destroy(same);
    ddla_vector_destroy(b);
    ddla_vector_destroy(x);
    ddla_vector_destroy(y);
    return 0;
}

static int check(const results* r, const ddla_matrix* a, const ddla_vector* b, const ddla_vector* x)
{
    ddla_report* report = NULL;
    ddla_check_summary summary;
    ddla_error_estimates errors;
    ddla_stage stage;
    ddla_rank rank;
    TRY(ddla_check(a, b, x, NULL, &report));
    summary.size = sizeof summary;
    errors.size = sizeof errors;
    stage.size = sizeof stage;
    rank.size = sizeof rank;
    TRY(ddla_report_check(report, &summary));
    TRY(ddla_report_errors(report, &errors));
    TRY(ddla_report_stage(report, 0, &stage));
    TRY(ddla_report_rank(report, &rank));
    MUST(summary.passed && strncmp(summary.verdict, "PASS: ", 6) == 0 && stage.name != NULL);
    r->words(r->to, "check", summary.worst, errors.condition);
    ddla_report_destroy(report);
    return 0;
}

int c_results(const char* matrix, give_words words, give_hash hash, void* to)
{
    results r;
    ddla_matrix* a = NULL;
    ddla_vector *x = NULL, *y = NULL, *b = NULL;
    double hi[N], lo[N];
    int i, failed;
    r.words = words;
    r.hash = hash;
    r.to = to;
    TRY(ddla_matrix_read(matrix, DDLA_DOUBLE, &a));
    for (i = 0; i < N; ++i) {
        const ddla_dd part = ddla_dd_divide((ddla_dd){1, 0}, (ddla_dd){i + 1, 0});
        hi[i] = part.hi;
        lo[i] = part.lo;
    }
    TRY(ddla_vector_create(DDLA_DD, N, DDLA_HOST, &x));
    TRY(ddla_vector_set_words(x, N, hi, lo));
    TRY(ddla_vector_create(DDLA_DD, N, DDLA_HOST, &y));
    TRY(ddla_vector_fill(y, (ddla_dd){1, 0x1p-60}));
    TRY(ddla_vector_copy_to(x, DDLA_HOST, &b));
    if ((failed = operations(&r, a, x, y)) || (failed = on_a_stream(&r, a, x, y)) ||
        (failed = arrays(&r)))
        return failed;
    TRY(ddla_vector_fill(x, (ddla_dd){0, 0}));
    if ((failed = solves(&r, a, b, x)) || (failed = preconditioners(&r, a, b, x)) ||
        (failed = certified(&r, a, b, x)))
        return failed;
    TRY(ddla_vector_fill(x, (ddla_dd){0, 0}));
    TRY(ddla_solve(a, NULL, b, x, NULL, NULL));
    if ((failed = check(&r, a, b, x))) return failed;
    ddla_matrix_destroy(a);
    ddla_vector_destroy(x);
    ddla_vector_destroy(y);
    ddla_vector_destroy(b);
    return 0;
}
