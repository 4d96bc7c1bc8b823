/* Reads a matrix, solves A x = 1 in double-double, and says how well that went. */
#include <ddla.h>

#include <stdio.h>

int main(int count, char** arguments)
{
    ddla_matrix* a = NULL;
    ddla_vector *b = NULL, *x = NULL;
    ddla_report* report = NULL;
    ddla_solve_options options;
    ddla_solve_summary how = {.size = sizeof how};
    int64_t rows, columns, nonzeros;
    int converged = 0;

    ddla_solve_options_init(&options, sizeof options);
    options.tolerance = 1e-20;
    if (count < 2 || ddla_matrix_read(arguments[1], DDLA_DOUBLE, &a) != DDLA_OK ||
        ddla_matrix_shape(a, &rows, &columns, &nonzeros) != DDLA_OK ||
        ddla_vector_create(DDLA_DD, rows, DDLA_HOST, &b) != DDLA_OK ||
        ddla_vector_create(DDLA_DD, rows, DDLA_HOST, &x) != DDLA_OK ||
        ddla_vector_fill(b, (ddla_dd){1, 0}) != DDLA_OK ||
        ddla_solve(a, NULL, b, x, &options, &report) != DDLA_OK ||
        ddla_report_summary(report, &how) != DDLA_OK) {
        fprintf(stderr, "%s\n", ddla_last_error());
    } else {
        converged = how.status == DDLA_CONVERGED;
        printf("%s after %d iterations, true residual %g\n", ddla_solve_status_name(how.status),
               (int)how.iterations, how.true_relative_residual);
    }
    ddla_report_destroy(report);
    ddla_vector_destroy(x);
    ddla_vector_destroy(b);
    ddla_matrix_destroy(a);
    return converged ? 0 : 1;
}
