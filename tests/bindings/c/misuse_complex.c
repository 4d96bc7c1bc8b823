/* See misuse.h: complex systems. */
#include "misuse.h"

void misuse_complex(void)
{
    ddla_csr from = four_by_four();
    ddla_matrix* m = a;
    ddla_vector *re = x, *im = x;
    int32_t is_complex;
    MISUSE(ddla_matrix_real_form(NULL, NULL, &m));
    TRUE(m == NULL);
    MISUSE(ddla_matrix_real_form(a, a, NULL));
    MISUSE(ddla_matrix_real_form(lent, NULL, &m));
    MISUSE(ddla_matrix_real_form(a, wide, &m));
    from.hi = NULL;
    MISUSE(ddla_matrix_create_complex(&from, DDLA_HOST, &m));
    MISUSE(ddla_matrix_create_complex(NULL, DDLA_HOST, &m));
    MISUSE(ddla_vector_real_form(x, d, &re));
    INPUT(ddla_vector_real_form(x, longer, &re));
    INPUT(ddla_vector_complex_form(longer, &re, &im));
    MISUSE(ddla_vector_complex_form(x, &re, NULL));
    MISUSE(ddla_vector_complex_form(x, &re, &re));
    MISUSE(ddla_matrix_read_any("a.mtx", DDLA_DD, &m, NULL));
    INPUT(ddla_matrix_read_any("/no/such/file", DDLA_DD, &m, &is_complex));
    MISUSE(ddla_vector_read_any(NULL, DDLA_DD, &re, &is_complex));
    INPUT(ddla_vector_read_any("/no/such/file", DDLA_DD, &re, &is_complex));
    MISUSE(ddla_vector_write_complex(x, NULL, NULL));
    INPUT(ddla_vector_write_complex(longer, "x.mtx", NULL));
    TRUE(m == NULL && re == NULL);
}
