/* Calls of ddla in C, printed: METHOD as an argument, or "other" for errors, factors and checks. */
#include <ddla.h>

#include <stdio.h>
#include <string.h>

static void print_status(const char* what, ddla_status status)
{
    printf("%s: %s\n", what, status == DDLA_OK ? "ok" : ddla_last_error());
}

static void print_report(const char* what, ddla_status status, ddla_report* report)
{
    const char* json = NULL;
    print_status(what, status);
    if (status != DDLA_OK) return;
    if (ddla_report_json(report, &json) == DDLA_OK) printf("%s\n", json);
    ddla_report_destroy(report);
}

static void solve(const char* file, ddla_method method, ddla_precision precision)
{
    ddla_matrix* a = NULL;
    ddla_vector *b = NULL, *x = NULL;
    ddla_report* report = NULL;
    ddla_solve_options options;
    int64_t rows, columns, nonzeros;
    ddla_solve_options_init(&options, sizeof options);
    options.method = method;
    options.max_iterations = 300;
    print_status("read", ddla_matrix_read(file, DDLA_DOUBLE, &a));
    print_status("shape", ddla_matrix_shape(a, &rows, &columns, &nonzeros));
    print_status("b", ddla_vector_create(precision, rows, DDLA_HOST, &b));
    print_status("x", ddla_vector_create(precision, columns, DDLA_HOST, &x));
    print_status("ones", ddla_vector_fill(b, (ddla_dd){1, 0}));
    print_report("solve", ddla_solve(a, NULL, b, x, &options, &report), report);
    ddla_vector_destroy(x);
    ddla_vector_destroy(b);
    ddla_matrix_destroy(a);
}

static void factor(const char* file)
{
    ddla_matrix* a = NULL;
    ddla_factors* f = NULL;
    ddla_factor_report about = {.size = sizeof about};
    print_status("read", ddla_matrix_read(file, DDLA_DOUBLE, &a));
    print_status("factors", ddla_factors_create(a, DDLA_DD, NULL, &f));
    if (f != NULL && ddla_factors_about(f, &about) == DDLA_OK)
        printf("n %d, rank %d, entries %d, operations %g, smallest pivot %g\n", (int)about.n,
               (int)about.rank, (int)about.entries, about.operations, about.smallest_pivot);
    ddla_factors_destroy(f);
    ddla_matrix_destroy(a);
}

static void check(const char* a_file, const char* x_file)
{
    ddla_matrix* a = NULL;
    ddla_vector *b = NULL, *x = NULL;
    ddla_report* report = NULL;
    print_status("A", ddla_matrix_read(a_file, DDLA_DOUBLE, &a));
    print_status("x", ddla_vector_read(x_file, DDLA_DD, &x));
    print_status("b", ddla_vector_create(DDLA_DD, 2, DDLA_HOST, &b));
    print_status("ones", ddla_vector_fill(b, (ddla_dd){1, 0}));
    print_report("check", ddla_check(a, b, x, NULL, &report), report);
    ddla_vector_destroy(x);
    ddla_vector_destroy(b);
    ddla_matrix_destroy(a);
}

int main(int count, char** arguments)
{
    const char* wanted = count > 1 ? arguments[1] : "other";
    const char* option = strcmp(wanted, "gmres") == 0 ? "fgmres" : wanted;
    ddla_method method;
    for (method = DDLA_AUTOMATIC; ddla_method_name(method) != NULL; ++method) {
        if (strcmp(ddla_method_name(method), option) != 0) continue;
        solve("grid.mtx", method, DDLA_DD);
        solve("oscil_dcop_24.mtx", method, DDLA_DOUBLE);
        return 0;
    }
    if (strcmp(wanted, "other") != 0) {
        printf("no method %s\n", wanted);
        return 1;
    }
    factor("grid.mtx");
    factor("singular.mtx");
    factor("missing.mtx");
    check("two.mtx", "right_x.mtx");
    check("two.mtx", "long_x.mtx");
    solve("fit.mtx", DDLA_AUTOMATIC, DDLA_DD);
    solve("singular.mtx", DDLA_AUTOMATIC, DDLA_DD);
    return 0;
}
