/* The floating-point mode of the caller changes no bit, and is there again behind each call, also
 * behind one that fails, and behind functions of the caller that leave another mode.
 *
 *     mode           first in the usual mode, then in each other one
 *     mode BITS      first so, with the threads that are started then; then in the usual mode
 */
#include "ddla.h"

#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SSE2__)
#include <xmmintrin.h>
/* Flush to zero, the rounding, denormals are zeros. */
static const unsigned modes[] = {0x8000, 0x0040, 0x8040, 0x2000, 0x4000, 0x6000, 0xe040};
static unsigned mode_now(void)
{
    return _mm_getcsr() & 0xe040u;
}
static void set_mode(unsigned bits)
{
    _mm_setcsr((_mm_getcsr() & ~0xe040u) | bits);
}
#else
static const unsigned modes[] = {FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
static unsigned mode_now(void)
{
    return (unsigned)fegetround();
}
static void set_mode(unsigned bits)
{
    fesetround((int)bits);
}
#endif

enum { count_of_modes = sizeof modes / sizeof modes[0], side = 60, n = side * side, most = 40 };

static unsigned mode = 0; /* of the caller */
static int failed = 0;
static double tiny;  /* 2^-1030, a subnormal number */
static double third; /* of 1 */

static void require(int holds, const char* what)
{
    if (holds) return;
    printf("in mode %#x: %s; last error: %s\n", mode, what, ddla_last_error());
    failed = 1;
}
static void expect(ddla_status wanted, ddla_status got, const char* what)
{
    require(got == wanted, what);
    require(mode_now() == mode, what);
    set_mode(mode);
}
#define OK(call) expect(DDLA_OK, call, #call)
#define FAILS(status, call) expect(status, call, #call)

/* What was computed, in an order. */
static uint64_t found[most];
static const char* names[most];
static int count = 0;

static void keep(const char* name, const void* number)
{
    names[count] = name;
    memcpy(&found[count++], number, sizeof(uint64_t));
}
static void keep_pair(const char* name, ddla_dd x)
{
    require(mode_now() == mode, name);
    keep(name, &x.hi);
    keep(name, &x.lo);
}
static void keep_vector(const char* name, const ddla_vector* x)
{
    uint64_t hash = 0;
    OK(ddla_hash(x, &hash));
    keep(name, &hash);
}

static int spoils_mode = 0;
static int called_in_wrong_mode = 0, calls = 0;

/* What each function of the caller does at last. */
static void spoil(void)
{
    ++calls;
    called_in_wrong_mode |= mode_now() != 0;
    if (spoils_mode) set_mode(modes[count_of_modes - 1]);
}
/* y = x / 3. */
static int apply_third(void* data, int64_t size, const double* x, const double* x_lo, int64_t m,
                       double* y, double* y_lo)
{
    (void)data, (void)m;
    for (int64_t i = 0; i < size; ++i) {
        y[i] = x[i] / 3;
        if (y_lo) y_lo[i] = x_lo[i] / 3;
    }
    spoil();
    return 0;
}
static int apply_nothing(void* data, int64_t size, const double* x, const double* x_lo, int64_t m,
                         double* y, double* y_lo)
{
    (void)data, (void)size, (void)x, (void)x_lo, (void)m, (void)y, (void)y_lo;
    spoil();
    return 7;
}
static int watch(void* data, const ddla_progress* progress)
{
    (void)data, (void)progress;
    spoil();
    return 0;
}

static ddla_matrix* a;
static ddla_vector *b, *x, *low, *in_double, *of_double;

static ddla_solve_options options_of(ddla_method method, ddla_preconditioning precond)
{
    ddla_solve_options o;
    OK(ddla_solve_options_init(&o, sizeof o));
    o.method = method;
    o.precond = precond;
    o.watch = watch;
    if (method > DDLA_REFINEMENT) o.tolerance = 1e-25, o.check_every = 4;
    return o;
}
/* x = 0, which ddla_solve begins with. */
static void begin(ddla_vector* from)
{
    const ddla_dd zero = {0, 0};
    OK(ddla_vector_fill(from, zero));
}

static void numbers(void)
{
    const ddla_dd u = {third, 0x1p-60}, v = {3, 0x1p-55}, w = {tiny, 0}, two = {2, 0};
    ddla_dd parsed = {0, 0};
    char text[64];
    keep_pair("sum", ddla_dd_add(u, v));
    keep_pair("difference", ddla_dd_subtract(u, v));
    keep_pair("product", ddla_dd_multiply(u, v));
    keep_pair("quotient", ddla_dd_divide(u, v));
    keep_pair("square root", ddla_dd_sqrt(u));
    keep_pair("sum of subnormal numbers", ddla_dd_add(w, w));
    keep_pair("product of a subnormal number", ddla_dd_multiply(w, two));
    require(ddla_dd_less(ddla_dd_multiply(w, two), w) == 0, "2 w < w");
    require(ddla_dd_less(w, ddla_dd_multiply(w, two)) == 1, "w < 2 w");
    OK(ddla_dd_parse("1e-310", &parsed));
    keep_pair("a subnormal number as text", parsed);
    OK(ddla_dd_format(parsed, 17, text, sizeof text));
    require(strcmp(text, "9.9999999999999694e-311") == 0, text);
}

static void solves(void)
{
    ddla_solve_options o = options_of(DDLA_AUTOMATIC, DDLA_NONE);
    ddla_factors* f = NULL;
    ddla_preconditioner* k = NULL;
    ddla_preconditioner* mine = NULL;
    ddla_operator* map = NULL;
    ddla_report* report = NULL;
    begin(x);
    OK(ddla_solve(a, NULL, b, x, &o, NULL));
    keep_vector("x by factors", x);
    begin(x);
    OK(ddla_solve_four_words(a, b, x, low, &o, NULL));
    keep_vector("x in four words", x);
    keep_vector("the rest of it", low);
    OK(ddla_factors_create(a, DDLA_DOUBLE, NULL, &f));
    OK(ddla_factors_solve(f, of_double, in_double));
    keep_vector("x in double by factors alone", in_double);
    begin(x);
    OK(ddla_solve_factors(a, f, b, x, &o, NULL));
    keep_vector("x by the caller's factors", x);
    o = options_of(DDLA_REFINEMENT, DDLA_ILU);
    o.tolerance = 1e-25;
    begin(x);
    OK(ddla_solve(a, NULL, b, x, &o, NULL));
    keep_vector("x refined with ILU", x);
    OK(ddla_preconditioner_create_matrix(a, DDLA_DD, DDLA_IC, NULL, &k));
    OK(ddla_preconditioner_apply(k, b, x));
    keep_vector("IC applied", x);
    o = options_of(DDLA_CG, DDLA_NONE);
    begin(x);
    OK(ddla_solve(a, k, b, x, &o, NULL));
    keep_vector("x by CG with IC", x);
    OK(ddla_preconditioner_create(DDLA_DD, "mine", n, apply_third, NULL, &mine));
    begin(x);
    OK(ddla_solve(a, mine, b, x, &o, NULL));
    keep_vector("x by CG with a function", x);
    OK(ddla_operator_create(DDLA_DD, n, n, apply_third, NULL, &map));
    begin(x);
    OK(ddla_solve_operator(map, NULL, b, x, &o, NULL));
    keep_vector("x of a function", x);
    OK(ddla_check(a, b, x, NULL, &report));
    ddla_report_destroy(report);
    ddla_operator_destroy(map);
    ddla_preconditioner_destroy(mine);
    ddla_preconditioner_destroy(k);
    ddla_factors_destroy(f);
    require(mode_now() == mode, "destroying");
}

static void failures(void)
{
    ddla_preconditioner* k = NULL;
    ddla_matrix* none = NULL;
    ddla_dd parsed;
    const ddla_solve_options o = options_of(DDLA_CG, DDLA_NONE);
    FAILS(DDLA_MISUSE, ddla_solve(NULL, NULL, b, x, NULL, NULL));
    FAILS(DDLA_MISUSE, ddla_solve(a, NULL, b, in_double, NULL, NULL));
    FAILS(DDLA_INPUT, ddla_dd_parse("one", &parsed));
    FAILS(DDLA_INPUT, ddla_matrix_read("/there/is/no/such/file.mtx", DDLA_DOUBLE, &none));
    OK(ddla_preconditioner_create(DDLA_DD, "mine", n, apply_nothing, NULL, &k));
    FAILS(DDLA_CALLBACK, ddla_preconditioner_apply(k, b, x));
    begin(x);
    FAILS(DDLA_CALLBACK, ddla_solve(a, k, b, x, &o, NULL));
    ddla_preconditioner_destroy(k);
}

/* All of it in a mode. */
static void run(unsigned bits, int spoils)
{
    double* ends = malloc(2 * n * sizeof *ends);
    if (!ends) exit(1);
    mode = 0;
    for (int i = 0; i < n; ++i) ends[i] = i % 7 == 0 ? tiny : third, ends[n + i] = 0;
    count = calls = 0;
    spoils_mode = spoils;
    mode = bits;
    set_mode(bits);
    OK(ddla_generate_poisson2d(side, side, &a));
    OK(ddla_vector_create(DDLA_DD, n, DDLA_HOST, &b));
    OK(ddla_vector_create(DDLA_DD, n, DDLA_HOST, &x));
    OK(ddla_vector_create(DDLA_DD, n, DDLA_HOST, &low));
    OK(ddla_vector_create(DDLA_DOUBLE, n, DDLA_HOST, &in_double));
    OK(ddla_vector_create(DDLA_DOUBLE, n, DDLA_HOST, &of_double));
    OK(ddla_vector_set_words(b, n, ends, ends + n));
    OK(ddla_vector_set_words(of_double, n, ends, NULL));
    numbers();
    solves();
    failures();
    require(calls > 50, "functions of the caller");
    ddla_vector_destroy(of_double);
    ddla_vector_destroy(in_double);
    ddla_vector_destroy(low);
    ddla_vector_destroy(x);
    ddla_vector_destroy(b);
    ddla_matrix_destroy(a);
    set_mode(0);
    free(ends);
}

int main(int argc, char** argv)
{
    uint64_t wanted[most];
    const unsigned first = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 16) : 0;
    tiny = strtod("0x1p-1030", NULL);
    third = strtod("0x1.5555555555555p-2", NULL);
    mode = first;
    set_mode(first);
    OK(ddla_set_host_threads(4));
    run(first, 0);
    memcpy(wanted, found, sizeof wanted);
    const int numbers_of_each = count;
    for (int k = argc > 1 ? -1 : 0; k < count_of_modes; ++k) {
        run(k < 0 ? 0 : modes[k], 1);
        require(count == numbers_of_each, "another number of results");
        for (int i = 0; i < count; ++i) require(found[i] == wanted[i], names[i]);
    }
    mode = 0;
    require(!called_in_wrong_mode, "functions of the caller run in another mode than ddla's");
    printf("%d results in %d modes\n", numbers_of_each, count_of_modes + 1);
    return failed;
}
