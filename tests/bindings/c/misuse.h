/* What callers get wrong: a status and a sentence, never a crash.  ./names sees that each function
 * of ddla.h that returns a status is in one of the files misuse*.c.  Compiled as C. */
#ifndef MISUSE_H
#define MISUSE_H

#include <ddla.h>

#include <stdio.h>
#include <string.h>

/* Counts a failure unless `got` is wanted, with a sentence if it is not DDLA_OK. */
void expect(const char* file, int line, const char* call, ddla_status wanted, ddla_status got);
#define GIVES(status, call) expect(__FILE__, __LINE__, #call, status, call)
#define MISUSE(call) GIVES(DDLA_MISUSE, call)
#define INPUT(call) GIVES(DDLA_INPUT, call)
#define OK(call) GIVES(DDLA_OK, call)
#define TRUE(condition)                                                                            \
    expect(__FILE__, __LINE__, #condition, DDLA_OK, (condition) ? DDLA_OK : DDLA_INTERNAL)

extern ddla_matrix *a, *wide, *lent;        /* 4 x 4 in double, in DD, borrowed */
extern ddla_vector *x, *y, *z, *d, *longer; /* DD, DD, DD, double, of 5 elements */
extern const ddla_dd one;
extern const double values[4];
ddla_csr four_by_four(void);

void misuse_data(void); /* numbers, vectors, matrices, formats, operations */
void misuse_complex(void);
void misuse_solves(void); /* operators, preconditioners, factors, solves, reports */
void misuse_streams(void);
void misuse_ranks(void);

#endif
