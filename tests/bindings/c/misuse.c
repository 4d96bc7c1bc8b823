/* What callers get wrong: a status and a sentence, never a crash.  ./names sees that each function
 * of ddla.h that returns a status is here.  Compiled as C. */
#include <ddla.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static int failures = 0;
static const ddla_dd one = {1, 0};

static void expect(int line, const char* call, ddla_status wanted, ddla_status got)
{
    if (got == wanted && (got == DDLA_OK || *ddla_last_error() != '\0')) return;
    printf("misuse.c:%d: %s: %s, not %s (%s)\n", line, call, ddla_status_name(got),
           ddla_status_name(wanted), ddla_last_error());
    ++failures;
}
#define GIVES(status, call) expect(__LINE__, #call, status, call)
#define MISUSE(call) GIVES(DDLA_MISUSE, call)
#define INPUT(call) GIVES(DDLA_INPUT, call)
#define OK(call) GIVES(DDLA_OK, call)
#define TRUE(condition) expect(__LINE__, #condition, DDLA_OK, (condition) ? DDLA_OK : DDLA_INTERNAL)

static ddla_matrix *a, *wide, *lent;        /* 4 x 4 in double, in DD, borrowed */
static ddla_vector *x, *y, *z, *d, *longer; /* DD, DD, DD, double, of 5 elements */
static const int32_t row_begin[] = {0, 1, 2, 3, 4}, column[] = {0, 1, 2, 3};
static const double values[] = {1, 2, 3, 4};

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

static ddla_csr four_by_four(void)
{
    ddla_csr from;
    OK(ddla_csr_init(&from, sizeof from));
    from.rows = from.columns = from.nonzeros = 4;
    from.row_begin = row_begin;
    from.column = column;
    from.hi = values;
    return from;
}

static void set_up(void)
{
    const ddla_csr from = four_by_four();
    OK(ddla_matrix_create(&from, DDLA_HOST, &a));
    OK(ddla_matrix_widen(a, &wide));
    OK(ddla_matrix_borrow(&from, DDLA_HOST, &lent));
    OK(ddla_vector_create(DDLA_DD, 4, DDLA_HOST, &x));
    OK(ddla_vector_create(DDLA_DD, 4, DDLA_HOST, &y));
    OK(ddla_vector_create(DDLA_DD, 4, DDLA_HOST, &z));
    OK(ddla_vector_create(DDLA_DOUBLE, 4, DDLA_HOST, &d));
    OK(ddla_vector_create(DDLA_DD, 5, DDLA_HOST, &longer));
    OK(ddla_vector_fill(x, one));
    OK(ddla_vector_fill(d, one));
}

/* The byte behind a text needs room, too. */
static void text_that_just_fits(void)
{
    const ddla_dd third = {1 / 3.0, 0};
    char whole[99], text[99];
    size_t length;
    OK(ddla_dd_format(third, 20, whole, sizeof whole));
    length = strlen(whole);
    memset(text, '#', sizeof text);
    MISUSE(ddla_dd_format(third, 20, text, length));
    TRUE(*text == '\0' && text[length] == '#');
    OK(ddla_dd_format(third, 20, text, length + 1));
    TRUE(strcmp(text, whole) == 0 && text[length + 1] == '#');
}

static void general(void)
{
    char text[4];
    int32_t n;
    ddla_dd number;
    ddla_device device;
    MISUSE(ddla_host_threads(NULL));
    INPUT(ddla_set_host_threads(0));
    MISUSE(ddla_dd_parse(NULL, &number));
    MISUSE(ddla_dd_parse("1", NULL));
    INPUT(ddla_dd_parse("one", &number));
    MISUSE(ddla_dd_format(one, 0, NULL, 9));
    MISUSE(ddla_dd_format(one, 0, text, 0));
    MISUSE(ddla_dd_format(one, 20, text, sizeof text));
    INPUT(ddla_dd_format(one, -1, text, sizeof text));
    text_that_just_fits();
    MISUSE(ddla_device_count(NULL));
    OK(ddla_device_count(&n));
    device.size = sizeof device;
    INPUT(ddla_device_state(-1, &device));
    INPUT(ddla_device_state(n, &device));
    GIVES(DDLA_RESOURCE, ddla_release_kept_memory(1000));
    MISUSE(ddla_why_no_device(NULL, 9));
    MISUSE(ddla_place_of_memory(text, NULL));
    MISUSE(ddla_cuda_versions(NULL, text, sizeof text));
    TRUE(ddla_status_name(99) == NULL && ddla_method_name(99) == NULL);
    TRUE(ddla_solve_status_name(-1) == NULL && strcmp(ddla_method_name(DDLA_CG), "cg") == 0);
}

static void vectors(void)
{
    ddla_vector* v = x;
    ddla_precision p;
    ddla_place at;
    int64_t n;
    uint64_t hash;
    double hi[4], lo[4], *of_hi, *of_lo;
    const ddla_dd low[4] = {{1, 1e-20}, {1, 0}, {1, 0}, {1, 0}};
    MISUSE(ddla_vector_create(DDLA_DD, 4, DDLA_HOST, NULL));
    MISUSE(ddla_vector_create(3, 4, DDLA_HOST, &v));
    TRUE(v == NULL);
    MISUSE(ddla_vector_create(DDLA_DD, 4, -2, &v));
    INPUT(ddla_vector_create(DDLA_DD, -1, DDLA_HOST, &v));
    GIVES(DDLA_RESOURCE, ddla_vector_create(DDLA_DD, INT64_MAX / 32, DDLA_HOST, &v));
    MISUSE(ddla_vector_copy_to(NULL, DDLA_HOST, &v));
    MISUSE(ddla_vector_copy_to(x, DDLA_HOST, NULL));
    MISUSE(ddla_vector_read(NULL, DDLA_DD, &v));
    INPUT(ddla_vector_read("/no/such/file", DDLA_DD, &v));
    MISUSE(ddla_vector_write(x, NULL, NULL));
    GIVES(DDLA_RESOURCE, ddla_vector_write(x, "/no/such/folder/x.mtx", NULL));
    MISUSE(ddla_vector_size(NULL, &n));
    MISUSE(ddla_vector_size(x, NULL));
    MISUSE(ddla_vector_precision(NULL, &p));
    MISUSE(ddla_vector_place(NULL, &at));
    MISUSE(ddla_vector_set_words(x, 4, NULL, lo));
    MISUSE(ddla_vector_set_words(x, 4, values, NULL));
    MISUSE(ddla_vector_set_words(d, 4, values, values));
    INPUT(ddla_vector_set_words(x, 3, values, values));
    MISUSE(ddla_vector_get_words(x, 4, hi, NULL));
    MISUSE(ddla_vector_get_words(d, 4, hi, lo));
    INPUT(ddla_vector_get_words(x, -1, hi, lo));
    MISUSE(ddla_vector_set_pairs(x, 4, NULL));
    MISUSE(ddla_vector_set_pairs(d, 4, low));
    MISUSE(ddla_vector_get_pairs(x, 4, NULL));
    MISUSE(ddla_vector_fill(NULL, one));
    MISUSE(ddla_vector_fill(d, low[0]));
    MISUSE(ddla_vector_words(x, NULL, &of_lo));
    MISUSE(ddla_vector_words(NULL, &of_hi, &of_lo));
    MISUSE(ddla_hash(NULL, &hash));
    MISUSE(ddla_hash(x, NULL));
    ddla_vector_destroy(NULL);
}

/* Memory that nobody has is a matter of resources, whoever of the library misses it. */
static void matrix_that_is_too_large(void)
{
#if defined(DDLA_SANITIZED)
    puts("skipped: a matrix that is too large (sanitizers end the process where new fails)");
#else
    const int64_t begin[] = {0, INT64_MAX / 8};
    ddla_csr from = four_by_four();
    ddla_matrix* m = a;
    from.rows = 1;
    from.row_begin = begin;
    from.row_begin_bits = 64;
    from.nonzeros = begin[1];
    GIVES(DDLA_RESOURCE, ddla_matrix_create(&from, DDLA_HOST, &m));
    TRUE(m == NULL && strcmp(ddla_last_error(), "out of memory") == 0);
#endif
}

static void matrices(void)
{
    const int32_t falling[] = {0, 2, 1, 3, 4}, outside[] = {0, 1, 2, 4};
    ddla_csr from = four_by_four();
    ddla_coordinates entries;
    ddla_matrix* m = a;
    ddla_vector* v;
    ddla_precision p;
    ddla_place at;
    int64_t n;
    MISUSE(ddla_csr_init(&from, 8));
    MISUSE(ddla_csr_init(NULL, sizeof from));
    MISUSE(ddla_matrix_create(NULL, DDLA_HOST, &m));
    TRUE(m == NULL);
    MISUSE(ddla_matrix_create(&from, DDLA_HOST, NULL));
    from.size = 3;
    MISUSE(ddla_matrix_create(&from, DDLA_HOST, &m));
    from.size = sizeof from + (size_t)1e6;
    MISUSE(ddla_matrix_create(&from, DDLA_HOST, &m));
    from.size = sizeof from;
    from.row_begin_bits = 16;
    MISUSE(ddla_matrix_create(&from, DDLA_HOST, &m));
    from = four_by_four();
    from.index_base = 2;
    MISUSE(ddla_matrix_create(&from, DDLA_HOST, &m));
    from.index_base = 1;
    INPUT(ddla_matrix_create(&from, DDLA_HOST, &m));
    from = four_by_four();
    from.pairs = &one;
    MISUSE(ddla_matrix_create(&from, DDLA_HOST, &m));
    from = four_by_four();
    from.hi = NULL;
    MISUSE(ddla_matrix_create(&from, DDLA_HOST, &m));
    from = four_by_four();
    from.row_begin = NULL;
    MISUSE(ddla_matrix_create(&from, DDLA_HOST, &m));
    from.row_begin = falling;
    INPUT(ddla_matrix_create(&from, DDLA_HOST, &m));
    from = four_by_four();
    from.column = outside;
    INPUT(ddla_matrix_create(&from, DDLA_HOST, &m));
    from.nonzeros = 3;
    INPUT(ddla_matrix_create(&from, DDLA_HOST, &m));
    from.rows = -1;
    INPUT(ddla_matrix_create(&from, DDLA_HOST, &m));
    from = four_by_four();
    from.index_base = 1;
    MISUSE(ddla_matrix_borrow(&from, DDLA_HOST, &m));
    matrix_that_is_too_large();
    MISUSE(ddla_coordinates_init(NULL, sizeof entries));
    OK(ddla_coordinates_init(&entries, sizeof entries));
    entries.rows = entries.columns = entries.nonzeros = 4;
    MISUSE(ddla_matrix_assemble(&entries, DDLA_HOST, &m));
    entries.row = entries.column = outside;
    entries.hi = values;
    INPUT(ddla_matrix_assemble(&entries, DDLA_HOST, &m));
    MISUSE(ddla_matrix_read(NULL, DDLA_DD, &m));
    MISUSE(ddla_matrix_read("a.mtx", 0, &m));
    INPUT(ddla_matrix_read("/no/such/file", DDLA_DD, &m));
    MISUSE(ddla_matrix_write(NULL, "a.mtx", NULL));
    MISUSE(ddla_matrix_write(lent, "a.mtx", NULL));
    MISUSE(ddla_matrix_copy_to(NULL, DDLA_HOST, &m));
    MISUSE(ddla_matrix_transpose(a, NULL));
    MISUSE(ddla_matrix_widen(NULL, &m));
    MISUSE(ddla_matrix_shape(a, &n, &n, NULL));
    MISUSE(ddla_matrix_precision(NULL, &p));
    MISUSE(ddla_matrix_place(NULL, &at));
    MISUSE(ddla_matrix_diagonal(NULL, &v));
    ddla_matrix_destroy(NULL);
}

static void generated_and_formats(void)
{
    ddla_matrix* m;
    ddla_matrix_info info;
    ddla_format_options o;
    ddla_format_report report;
    int32_t known;
    INPUT(ddla_generate_poisson2d(0, 1, &m));
    INPUT(ddla_generate_poisson3d(1, 0, 1, &m));
    INPUT(ddla_generate_convection_diffusion(1, 1, -1, 0, 0, &m));
    INPUT(ddla_generate_toeplitz(-1, 1, &m));
    MISUSE(ddla_generate_toeplitz(1, 1, NULL));
    MISUSE(ddla_generate_hilbert_like(3, 1, 9, &m));
    INPUT(ddla_generate_random(0, 1, 1, 1, &m));
    INPUT(ddla_generate_skewed(0, 1, 1, 1, &m));
    info.size = 0;
    MISUSE(ddla_matrix_inspect(a, &info));
    MISUSE(ddla_matrix_inspect(a, NULL));
    MISUSE(ddla_format_options_init(&o, 1));
    OK(ddla_format_options_init(&o, sizeof o));
    o.format = 77;
    MISUSE(ddla_matrix_set_format(a, DDLA_DD, &o, NULL));
    MISUSE(ddla_matrix_set_format(wide, DDLA_DOUBLE, NULL, NULL));
    report.size = 1;
    MISUSE(ddla_matrix_set_format(a, DDLA_DD, NULL, &report));
    MISUSE(ddla_matrix_format(a, &report));
    MISUSE(ddla_matrix_tune(a, DDLA_DD, 0, &report));
    MISUSE(ddla_matrix_tune(NULL, DDLA_DD, 0, NULL));
    MISUSE(ddla_matrix_recall_format(a, DDLA_DD, NULL, &known));
}

static void operations(void)
{
    ddla_dd r, s, low = {1, 1e-20};
    double q;
    MISUSE(ddla_dot(NULL, y, &r));
    MISUSE(ddla_dot(x, d, &r));
    MISUSE(ddla_dot(x, y, NULL));
    INPUT(ddla_dot(x, longer, &r));
    MISUSE(ddla_nrm2(NULL, &r));
    MISUSE(ddla_asum(x, NULL));
    MISUSE(ddla_axpy(low, d, d));
    INPUT(ddla_axpy(one, x, longer));
    MISUSE(ddla_axpyz(one, x, y, NULL));
    MISUSE(ddla_xpay(x, one, NULL));
    MISUSE(ddla_scal(one, NULL));
    MISUSE(ddla_copy(x, d));
    MISUSE(ddla_spmv(one, NULL, x, one, y));
    MISUSE(ddla_spmv(one, lent, x, one, y));
    MISUSE(ddla_spmv(one, wide, d, one, d));
    INPUT(ddla_spmv(one, a, x, one, x));
    INPUT(ddla_spmv(one, a, x, one, longer));
    MISUSE(ddla_spmv_several(one, a, -1, NULL, one, NULL));
    MISUSE(ddla_spmv_several(one, a, 2, NULL, one, NULL));
    INPUT(ddla_spmv_transposed(one, a, longer, one, y));
    MISUSE(ddla_residual(a, x, NULL, z));
    MISUSE(ddla_true_residual(a, x, y, &r, &s, NULL));
    INPUT(ddla_true_residual(a, x, longer, &r, &s, &q));
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
    component.size = sizeof component;
    MISUSE(ddla_report_component(report, 0, &component));
    INPUT(ddla_report_component(checked, -1, &component));
    MISUSE(ddla_report_json(report, NULL));
    MISUSE(ddla_report_json(NULL, &json));
    ddla_report_destroy(report);
    ddla_report_destroy(checked);
}

static void streams(void)
{
    double hi[] = {1, 2, 3, 4}, lo[4] = {0}, other[4] = {0}, more[4] = {0}, sum[2];
    const ddla_view in_dd = {hi, lo, 4}, in_double = {other, NULL, 4}, negative = {hi, lo, -1};
    const ddla_view overlapping = {hi + 1, lo + 1, 3}, three = {other, more, 3};
    const ddla_view nowhere = {NULL, lo, 4}, apart = {other, more, 4};
    const ddla_scalar s = {{1, 0}, NULL}, low = {{1, 1e-20}, NULL};
    ddla_dd r, pairs[4];
    ddla_stream* on = NULL;
    MISUSE(ddla_stream_create(-5, NULL, &on));
    INPUT(ddla_stream_create(DDLA_HOST, &on, &on));
    MISUSE(ddla_stream_wait(NULL));
    OK(ddla_stream_create(DDLA_HOST, NULL, &on));
    MISUSE(ddla_stream_dot(on, in_dd, in_double, &r));
    MISUSE(ddla_stream_dot(on, in_dd, in_dd, NULL));
    INPUT(ddla_stream_dot(on, in_dd, three, &r));
    INPUT(ddla_stream_nrm2(on, negative, &r));
    INPUT(ddla_stream_asum(on, nowhere, &r));
    INPUT(ddla_stream_dot_at(on, in_dd, in_dd, NULL));
    INPUT(ddla_stream_nrm2_at(on, nowhere, sum));
    INPUT(ddla_stream_asum_at(on, in_dd, NULL));
    MISUSE(ddla_stream_axpy(on, low, in_double, in_double));
    INPUT(ddla_stream_axpy(on, s, three, overlapping.n == 3 ? in_dd : three));
    INPUT(ddla_stream_axpyz(on, s, in_dd, in_dd, three));
    MISUSE(ddla_stream_xpay(on, in_double, s, in_dd));
    MISUSE(ddla_stream_scal(NULL, s, in_dd));
    INPUT(ddla_stream_copy(on, in_dd, three));
    INPUT(ddla_stream_interleave(on, in_dd, NULL));
    MISUSE(ddla_stream_interleave(on, in_double, pairs));
    INPUT(ddla_stream_split(on, NULL, in_dd));
    INPUT(ddla_stream_spmv(on, s, a, in_dd, s, in_dd));
    MISUSE(ddla_stream_spmv(on, s, wide, in_double, s, in_double));
    INPUT(ddla_stream_residual(on, lent, in_dd, three, apart));
    MISUSE(ddla_stream_solve(on, NULL, in_dd, apart, NULL, NULL));
    INPUT(ddla_stream_solve(on, a, in_dd, in_dd, NULL, NULL));
    OK(ddla_stream_spmv(on, s, lent, in_dd, s, apart));
    TRUE(other[3] == 16);
    ddla_stream_destroy(on);
}

int main(void)
{
    TRUE(*ddla_last_error() == '\0');
    set_up();
    general();
    vectors();
    matrices();
    generated_and_formats();
    operations();
    maps();
    later_options();
    solves();
    streams();
    ddla_matrix_destroy(a);
    ddla_matrix_destroy(wide);
    ddla_matrix_destroy(lent);
    ddla_vector_destroy(x);
    ddla_vector_destroy(y);
    ddla_vector_destroy(z);
    ddla_vector_destroy(d);
    ddla_vector_destroy(longer);
    printf("%d failures\n", failures);
    return failures != 0;
}
