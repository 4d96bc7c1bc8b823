/* Convection and diffusion on a periodic square, a step of time after the other, from C.
 *
 *     cc convection.c $(pkg-config --cflags --libs ddla_c) -lm && ./a.out 32 20
 *
 * Implicit Euler: (I + dt L) u_new = u_old.  A is factored once, in double; each step takes the
 * factors and refines u to double-double.  Halfway dt doubles: the factors are made anew on the
 * same pattern. The columns of A sum to 1, so the mass, the sum of u, never changes: what it does
 * change by is the error of all solves together. */
#include <ddla.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void must(ddla_status status)
{
    if (status == DDLA_OK) return;
    fprintf(stderr, "%s: %s\n", ddla_status_name(status), ddla_last_error());
    exit(1);
}

/* I + dt L on n x n points: diffusion dt / h^2 = d, convection to the right dt / 2h = c. */
static ddla_matrix* step_matrix(int n, double d, double c)
{
    const int rows = n * n;
    int32_t* const row_begin = malloc(sizeof *row_begin * ((size_t)rows + 1));
    int32_t* const column = malloc(sizeof *column * 5 * (size_t)rows);
    double* const value = malloc(sizeof *value * 5 * (size_t)rows);
    const double stencil[5] = {1 + 4 * d, -d - c, -d + c, -d, -d};
    ddla_csr a;
    ddla_matrix* made = NULL;
    int i, k;
    must(ddla_csr_init(&a, sizeof a));
    for (i = 0; i < rows; ++i) {
        const int x = i % n, y = i / n;
        const int neighbours[5] = {i, y * n + (x + n - 1) % n, y * n + (x + 1) % n,
                                   (y + n - 1) % n * n + x, (y + 1) % n * n + x};
        row_begin[i] = 5 * i;
        for (k = 0; k < 5; ++k) {
            column[5 * i + k] = neighbours[k];
            value[5 * i + k] = stencil[k];
        }
    }
    row_begin[rows] = 5 * rows;
    a.rows = a.columns = rows;
    a.nonzeros = 5 * (int64_t)rows;
    a.row_begin = row_begin;
    a.column = column;
    a.hi = value;
    must(ddla_matrix_create(&a, DDLA_HOST, &made)); /* copies */
    free(row_begin);
    free(column);
    free(value);
    return made;
}

/* A bump, in double; and its mass in double-double. */
static void set_bump(ddla_vector* u, int n)
{
    double* hi;
    double* lo;
    int i;
    must(ddla_vector_words(u, &hi, &lo));
    for (i = 0; i < n * n; ++i) {
        const double x = (double)(i % n) / n - 0.5, y = (double)(i / n) / n - 0.5;
        hi[i] = 1 / (1 + 64 * (x * x + y * y));
        lo[i] = 0;
    }
}

/* u = the solution of A u = old with factors of A; the digits of u that are right, by estimate. */
static double step(const ddla_matrix* a, const ddla_factors* f, const ddla_vector* old,
                   ddla_vector* u)
{
    ddla_report* report = NULL;
    ddla_solve_options options;
    ddla_solve_summary s;
    s.size = sizeof s;
    must(ddla_solve_options_init(&options, sizeof options));
    options.digits = 28;
    must(ddla_solve_factors(a, f, old, u, &options, &report));
    must(ddla_report_summary(report, &s));
    if (s.status != DDLA_CONVERGED) {
        fprintf(stderr, "the solve ended with %s\n", ddla_solve_status_name(s.status));
        exit(1);
    }
    ddla_report_destroy(report);
    return s.digits;
}

int main(int count, char** arguments)
{
    const int n = count > 1 ? atoi(arguments[1]) : 32, steps = count > 2 ? atoi(arguments[2]) : 20;
    ddla_matrix* a = step_matrix(n, 0.25, 0.125);
    ddla_factors* f = NULL;
    ddla_vector *u = NULL, *next = NULL;
    ddla_dd before, after, change;
    double fewest = INFINITY;
    char text[64];
    int k;
    must(ddla_factors_create(a, DDLA_DOUBLE, NULL, &f));
    must(ddla_vector_create(DDLA_DD, (int64_t)n * n, DDLA_HOST, &u));
    must(ddla_vector_create(DDLA_DD, (int64_t)n * n, DDLA_HOST, &next));
    set_bump(u, n);
    must(ddla_asum(u, &before)); /* u stays above 0 */
    for (k = 0; k < steps; ++k) {
        if (k == steps / 2) {
            int32_t done = 0;
            ddla_matrix_destroy(a);
            a = step_matrix(n, 0.5, 0.25);
            must(ddla_factors_refactor(f, a, &done));
            printf("step %d: dt doubles, factors made anew with %s pivots\n", k,
                   done ? "the same" : "other");
            if (!done) {
                ddla_factors_destroy(f);
                must(ddla_factors_create(a, DDLA_DOUBLE, NULL, &f));
            }
        }
        fewest = fmin(fewest, step(a, f, u, next));
        must(ddla_copy(next, u));
    }
    must(ddla_asum(u, &after));
    change = ddla_dd_abs(ddla_dd_divide(ddla_dd_subtract(after, before), before));
    must(ddla_dd_format(after, 32, text, sizeof text));
    printf("%d steps on %d x %d points, at least %.0f digits right in each\n", steps, n, n,
           floor(fewest));
    printf("mass %s, changed by %.0e of it\n", text, change.hi);
    ddla_vector_destroy(u);
    ddla_vector_destroy(next);
    ddla_factors_destroy(f);
    ddla_matrix_destroy(a);
    return change.hi < 1e-28 ? 0 : 1;
}
