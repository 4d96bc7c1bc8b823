/* See misuse.h: what the calls share, and the program. */
#include "misuse.h"

static int failures = 0;
const ddla_dd one = {1, 0};
ddla_matrix *a, *wide, *lent;
ddla_vector *x, *y, *z, *d, *longer;
static const int32_t row_begin[] = {0, 1, 2, 3, 4}, column[] = {0, 1, 2, 3};
const double values[] = {1, 2, 3, 4};

void expect(const char* file, int line, const char* call, ddla_status wanted, ddla_status got)
{
    if (got == wanted && (got == DDLA_OK || *ddla_last_error() != '\0')) return;
    printf("%s:%d: %s: %s, not %s (%s)\n", file, line, call, ddla_status_name(got),
           ddla_status_name(wanted), ddla_last_error());
    ++failures;
}

ddla_csr four_by_four(void)
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

int main(void)
{
    TRUE(*ddla_last_error() == '\0');
    set_up();
    misuse_data();
    misuse_complex();
    misuse_solves();
    misuse_streams();
    misuse_ranks();
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
