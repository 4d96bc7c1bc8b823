/* ddla in C: sparse linear systems in double and double-double (DD), with honest reports.
 *
 *     ddla_matrix* a = NULL;
 *     ddla_vector *b = NULL, *x = NULL;
 *     if (ddla_matrix_read("a.mtx", DDLA_DOUBLE, &a) != DDLA_OK) puts(ddla_last_error());
 *     ...
 *     ddla_solve(a, NULL, b, x, NULL, &report);
 *
 * docs/c.md has all names in tables, beside those of C++, whose headers say what each call does.
 *
 * - Each function that can fail returns a status, DDLA_OK or why not; ddla_last_error() has the
 *   sentence.  A call that fails changes nothing but what it was about to write.
 * - Results of a function are its last arguments.  After a call that failed, each handle that it
 *   should have made reads NULL: nothing is to be destroyed, whatever stood there.
 * - Who creates a handle destroys it; to destroy NULL does nothing.  A handle may be used by
 *   several threads at a time where it is const.
 * - Structs begin with their size.  Inputs: the _init function sets size and defaults.  Results:
 *   set `size` to sizeof before the call.  So a library with more fields serves older callers, and
 *   an older library tells who asks for a field that it does not know.
 * - Precision: the numbers of a vector are double or DD; DD in memory is two arrays of words, hi
 *   and lo, or one array of ddla_dd.  Nothing is converted silently: words that a precision has
 *   not must be NULL (arrays) or 0 (numbers).
 * - Not known, in results: NaN for a number, NULL for a text.
 */
#ifndef DDLA_H
#define DDLA_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif
#ifdef __cplusplus
extern "C" {
#endif

/* ---- Status, numbers, places --------------------------------------------------------------- */

typedef int32_t ddla_status;
enum {
    DDLA_OK = 0,
    DDLA_MISUSE = 1,   /* NULL, a size field, a number of no enumerator, precisions that differ */
    DDLA_INPUT = 2,    /* the data are wrong: shapes, indices, values, a malformed file */
    DDLA_RESOURCE = 3, /* the machine cannot: memory, disk, no such device */
    DDLA_INTERNAL = 4, /* ddla itself is wrong */
    DDLA_CALLBACK = 5  /* a function of the caller returned another value than 0, or threw */
};
/* Of the last call that failed on this thread, until the next that fails; "" before the first. */
const char* ddla_last_error(void);
/* The option of factors or preconditioners whose limit that call would have passed. */
typedef int32_t ddla_limit;
enum {
    DDLA_NO_LIMIT = 0, /* it failed for another reason */
    DDLA_MOST_WORK = 1,
    DDLA_MOST_MEMORY = 2,
    DDLA_MOST_FILL = 3
};
ddla_limit ddla_last_limit(void);
const char* ddla_status_name(ddla_status status);
const char* ddla_version(void);

ddla_status ddla_host_threads(int32_t* threads);
ddla_status ddla_set_host_threads(int32_t threads);

typedef int32_t ddla_precision;
enum { DDLA_DOUBLE = 1, DDLA_DD = 2 };

typedef struct {
    double hi, lo; /* |lo| is at most half an ulp of hi */
} ddla_dd;
ddla_dd ddla_dd_add(ddla_dd x, ddla_dd y);
ddla_dd ddla_dd_subtract(ddla_dd x, ddla_dd y);
ddla_dd ddla_dd_multiply(ddla_dd x, ddla_dd y);
ddla_dd ddla_dd_divide(ddla_dd x, ddla_dd y);
ddla_dd ddla_dd_sqrt(ddla_dd x);
ddla_dd ddla_dd_abs(ddla_dd x);
int32_t ddla_dd_less(ddla_dd x, ddla_dd y);
ddla_status ddla_dd_parse(const char* text, ddla_dd* x);
/* As many digits, 0 for the fewest that read back; at most `room` bytes with the final zero. */
ddla_status ddla_dd_format(ddla_dd x, int32_t digits, char* text, size_t room);

typedef int32_t ddla_place; /* DDLA_HOST, or k = 0, 1, ... for device k */
enum { DDLA_HOST = -1 };
typedef struct {
    size_t size;
    char name[128];
    int32_t architecture; /* 90 for sm_90 */
    int32_t multiprocessors;
    uint64_t bytes, free_bytes; /* of memory */
    int32_t usable;
    char problem[256]; /* why not */
} ddla_device;
ddla_status ddla_device_count(int32_t* count);
ddla_status ddla_device_state(int32_t k, ddla_device* device);
ddla_status ddla_release_kept_memory(int32_t k);
/* Where memory of others is; of the host, pinned: device 0 if there is one, else DDLA_HOST. */
ddla_status ddla_place_of_memory(const void* data, ddla_place* at);
ddla_status ddla_why_no_device(char* text, size_t room);
ddla_status ddla_cuda_versions(char* driver, char* runtime, size_t room_of_each);

/* ---- Vectors ------------------------------------------------------------------------------- */

typedef struct ddla_vector ddla_vector;
ddla_status ddla_vector_create(ddla_precision precision, int64_t n, ddla_place at,
                               ddla_vector** x); /* zeros */
ddla_status ddla_vector_copy_to(const ddla_vector* x, ddla_place at, ddla_vector** copy);
/* Of a file that holds a matrix and its right-hand side: the right-hand side. */
ddla_status ddla_vector_read(const char* file, ddla_precision precision, ddla_vector** x);
/* Of the last file that this thread has read: values that became 0, that are so small that they
   keep fewer digits, and, of a vector in double, that have more digits in the file. */
ddla_status ddla_last_read(int64_t* underflowed, int64_t* subnormal, int64_t* rounded);
ddla_status ddla_vector_write(const ddla_vector* x, const char* file, const char* comment);
void ddla_vector_destroy(ddla_vector* x);
ddla_status ddla_vector_size(const ddla_vector* x, int64_t* n);
ddla_status ddla_vector_precision(const ddla_vector* x, ddla_precision* precision);
ddla_status ddla_vector_place(const ddla_vector* x, ddla_place* at);
/* From and to arrays of the caller on the host, of all n elements. */
ddla_status ddla_vector_set_words(ddla_vector* x, int64_t n, const double* hi, const double* lo);
ddla_status ddla_vector_get_words(const ddla_vector* x, int64_t n, double* hi, double* lo);
ddla_status ddla_vector_set_pairs(ddla_vector* x, int64_t n, const ddla_dd* pairs);
ddla_status ddla_vector_get_pairs(const ddla_vector* x, int64_t n, ddla_dd* pairs);
ddla_status ddla_vector_fill(ddla_vector* x, ddla_dd value);
/* The memory of x itself, at its place, until x is destroyed; lo of a double vector is NULL. */
ddla_status ddla_vector_words(ddla_vector* x, double** hi, double** lo);

/* ---- Matrices ------------------------------------------------------------------------------ */

typedef struct ddla_matrix ddla_matrix;

/* Compressed rows: row i has the entries row_begin[i] ... row_begin[i + 1] - 1. */
typedef struct {
    size_t size;
    int64_t rows, columns, nonzeros;
    const void* row_begin;               /* rows + 1 */
    const void* column;                  /* nonzeros */
    int32_t row_begin_bits, column_bits; /* 32 (default) or 64 */
    int64_t index_base;                  /* 0 (default) or 1, of both */
    const double* hi;                    /* nonzeros */
    const double* lo;                    /* likewise, or NULL: values in double */
    const ddla_dd* pairs;                /* in place of hi and lo */
} ddla_csr;
ddla_status ddla_csr_init(ddla_csr* arrays, size_t size);
/* A copy, from arrays on the host, which are checked. */
ddla_status ddla_matrix_create(const ddla_csr* arrays, ddla_place at, ddla_matrix** a);
/* A view of arrays at a place, which must outlive it, for calls on a stream only.  32-bit columns,
 * no pairs, base 0.  The structure is not checked: wrong numbers read or write other memory. */
ddla_status ddla_matrix_borrow(const ddla_csr* arrays, ddla_place at, ddla_matrix** a);

/* Entries in any order, those at one place summed. */
typedef struct {
    size_t size;
    int64_t rows, columns, nonzeros;
    const void *row, *column;
    int32_t index_bits; /* 32 (default) or 64 */
    int32_t index_base; /* 0 (default) or 1 */
    const double* hi;
    const double* lo;
    const ddla_dd* pairs;
} ddla_coordinates;
ddla_status ddla_coordinates_init(ddla_coordinates* entries, size_t size);
ddla_status ddla_matrix_assemble(const ddla_coordinates* entries, ddla_place at, ddla_matrix** a);

ddla_status ddla_matrix_read(const char* file, ddla_precision values, ddla_matrix** a);
ddla_status ddla_matrix_write(const ddla_matrix* a, const char* file, const char* comment);
ddla_status ddla_matrix_copy_to(const ddla_matrix* a, ddla_place at, ddla_matrix** copy);
ddla_status ddla_matrix_transpose(const ddla_matrix* a, ddla_matrix** transposed);
ddla_status ddla_matrix_widen(const ddla_matrix* a, ddla_matrix** in_dd);
void ddla_matrix_destroy(ddla_matrix* a);
ddla_status ddla_matrix_shape(const ddla_matrix* a, int64_t* rows, int64_t* columns,
                              int64_t* nonzeros);
ddla_status ddla_matrix_precision(const ddla_matrix* a, ddla_precision* values);
ddla_status ddla_matrix_place(const ddla_matrix* a, ddla_place* at);
ddla_status ddla_matrix_diagonal(const ddla_matrix* a, ddla_vector** diagonal);

ddla_status ddla_generate_poisson2d(int64_t nx, int64_t ny, ddla_matrix** a);
ddla_status ddla_generate_poisson3d(int64_t nx, int64_t ny, int64_t nz, ddla_matrix** a);
ddla_status ddla_generate_convection_diffusion(int64_t nx, int64_t ny, int64_t nz,
                                               double convection, double shift, ddla_matrix** a);
ddla_status ddla_generate_toeplitz(int64_t n, double gamma, ddla_matrix** a);
ddla_status ddla_generate_hilbert_like(int64_t n, int64_t bandwidth, ddla_precision values,
                                       ddla_matrix** a);
ddla_status ddla_generate_random(int64_t n, int64_t per_row, double dominance, uint64_t seed,
                                 ddla_matrix** a);
ddla_status ddla_generate_skewed(int64_t n, int64_t per_row, double exponent, uint64_t seed,
                                 ddla_matrix** a);

/* Complex systems are solved as real ones of twice the size, their real form (docs/complex.md):
 * components 2 k and 2 k + 1 are the real and the imaginary part of component k.  So an array of
 * `double complex` is the hi words of a real form: ddla_vector_set_words takes it.
 * imag NULL: zero. */
ddla_status ddla_matrix_real_form(const ddla_matrix* real, const ddla_matrix* imag,
                                  ddla_matrix** form);
/* As ddla_matrix_create, with 2 * nonzeros numbers in hi (and lo, or pairs): the real and the
 * imaginary part of each value, as `double complex` has them.  Rows, columns, nonzeros: complex. */
ddla_status ddla_matrix_create_complex(const ddla_csr* arrays, ddla_place at, ddla_matrix** form);
ddla_status ddla_vector_real_form(const ddla_vector* real, const ddla_vector* imag,
                                  ddla_vector** form);
ddla_status ddla_vector_complex_form(const ddla_vector* form, ddla_vector** real,
                                     ddla_vector** imag);
/* Files, real or complex; of a complex one the real form. */
ddla_status ddla_matrix_read_any(const char* file, ddla_precision values, ddla_matrix** a,
                                 int32_t* is_complex);
ddla_status ddla_vector_read_any(const char* file, ddla_precision precision, ddla_vector** x,
                                 int32_t* is_complex);
ddla_status ddla_vector_write_complex(const ddla_vector* form, const char* file,
                                      const char* comment);

typedef struct {
    size_t size;
    int64_t rows, columns, nonzeros, explicit_zeros;
    int32_t symmetric_pattern, symmetric, skew_symmetric, finite;
    int64_t shortest_row, longest_row, empty_rows, empty_columns;
    int64_t missing_diagonal, negative_diagonal, dominant_rows, lower_bandwidth, upper_bandwidth;
    double mean_row, smallest_magnitude, largest_magnitude;
} ddla_matrix_info;
ddla_status ddla_matrix_inspect(const ddla_matrix* a, ddla_matrix_info* info);

typedef int32_t ddla_format;
enum {
    DDLA_FORMAT_AUTOMATIC = 0,
    DDLA_FORMAT_CSR = 1,
    DDLA_FORMAT_CRS_SCALAR = 2,
    DDLA_FORMAT_CRS_VECTOR = 3,
    DDLA_FORMAT_CRS_T = 4,
    DDLA_FORMAT_EVC_HYB = 5,
    DDLA_FORMAT_SLICES = 6,
    DDLA_FORMAT_TILES = 7,
    DDLA_FORMAT_PATTERNS = 8
};
typedef struct {
    size_t size;
    ddla_format format;
    int32_t threads_per_row;
    uint64_t memory_limit;
} ddla_format_options;
typedef struct {
    size_t size;
    ddla_format format;
    int32_t threads_per_row;
    double seconds;
    int64_t slots;
    uint64_t extra_bytes, product_bytes;
    char reason[512];
} ddla_format_report;
ddla_status ddla_format_options_init(ddla_format_options* options, size_t size);
/* Formats change no bit.  No other thread may use the matrix meanwhile.  report may be NULL.
   Threads a row of DDLA_FORMAT_CRS_T are measured once for each precision, and kept with a. */
ddla_status ddla_matrix_set_format(ddla_matrix* a, ddla_precision vectors,
                                   const ddla_format_options* options, ddla_format_report* report);
ddla_status ddla_matrix_format(const ddla_matrix* a, ddla_format_report* report);
/* Leaves a in the fastest format, measured; the report has what ddla_matrix_set_format() needs for
   another matrix like it. */
ddla_status ddla_matrix_tune(ddla_matrix* a, ddla_precision vectors, ddla_format_report* report);

/* ---- Operations ---------------------------------------------------------------------------- */

ddla_status ddla_dot(const ddla_vector* x, const ddla_vector* y, ddla_dd* result);
ddla_status ddla_nrm2(const ddla_vector* x, ddla_dd* result);
ddla_status ddla_asum(const ddla_vector* x, ddla_dd* result);
ddla_status ddla_axpy(ddla_dd a, const ddla_vector* x, ddla_vector* y);
ddla_status ddla_axpyz(ddla_dd a, const ddla_vector* x, const ddla_vector* y, ddla_vector* z);
ddla_status ddla_xpay(const ddla_vector* x, ddla_dd a, ddla_vector* y);
ddla_status ddla_scal(ddla_dd a, ddla_vector* x);
ddla_status ddla_copy(const ddla_vector* x, ddla_vector* y);
ddla_status ddla_spmv(ddla_dd alpha, const ddla_matrix* a, const ddla_vector* x, ddla_dd beta,
                      ddla_vector* y);
/* y[j] = alpha A x[j] + beta y[j] for `count` vectors, each with the bits of ddla_spmv: on the host
 * A is read once for eight.  No y is an x, and none is there twice. */
ddla_status ddla_spmv_several(ddla_dd alpha, const ddla_matrix* a, int64_t count,
                              const ddla_vector* const* x, ddla_dd beta, ddla_vector* const* y);
ddla_status ddla_spmv_transposed(ddla_dd alpha, const ddla_matrix* a, const ddla_vector* x,
                                 ddla_dd beta, ddla_vector* y);
ddla_status ddla_residual(const ddla_matrix* a, const ddla_vector* x, const ddla_vector* b,
                          ddla_vector* r);
ddla_status ddla_true_residual(const ddla_matrix* a, const ddla_vector* x, const ddla_vector* b,
                               ddla_dd* residual, ddla_dd* norm_of_b, double* relative);
ddla_status ddla_hash(const ddla_vector* x, uint64_t* hash);

/* ---- Operators, preconditioners, factors --------------------------------------------------- */

/* Writes y = A x (or y = K^-1 x); lo is NULL in double.  Anything but 0 ends the call with
 * DDLA_CALLBACK.  `data` is what was given with the function and must outlive what uses it. */
typedef int (*ddla_apply)(void* data, int64_t x_size, const double* x_hi, const double* x_lo,
                          int64_t y_size, double* y_hi, double* y_lo);
/* At a device: enqueues the work on `stream`, a cudaStream_t. */
typedef int (*ddla_apply_on_stream)(void* data, void* stream, int64_t x_size, const double* x_hi,
                                    const double* x_lo, int64_t y_size, double* y_hi, double* y_lo);

typedef struct ddla_operator ddla_operator;
ddla_status ddla_operator_create(ddla_precision precision, int64_t rows, int64_t columns,
                                 ddla_apply apply, void* data, ddla_operator** a);
/* may_record: the function only enqueues, always the same work for the same arguments. */
ddla_status ddla_operator_create_on_device(ddla_precision precision, int64_t rows, int64_t columns,
                                           ddla_place at, ddla_apply_on_stream apply, void* data,
                                           int32_t may_record, ddla_operator** a);
ddla_status ddla_operator_create_matrix(const ddla_matrix* matrix, ddla_precision precision,
                                        ddla_operator** a); /* keeps the matrix alive */
ddla_status ddla_operator_apply(const ddla_operator* a, const ddla_vector* x, ddla_vector* y);
void ddla_operator_destroy(ddla_operator* a);

typedef int32_t ddla_factor_precision;
enum { DDLA_FACTORS_AUTOMATIC = 0, DDLA_FACTORS_IN_DOUBLE = 1, DDLA_FACTORS_IN_DD = 2 };
typedef int32_t ddla_ordering;
enum {
    DDLA_ORDERING_AUTOMATIC = 0,
    DDLA_ORDERING_NATURAL = 1,
    DDLA_ORDERING_AMD = 2,
    DDLA_ORDERING_COLAMD = 3,
    DDLA_ORDERING_RCM = 4,
    DDLA_ORDERING_MULTICOLOUR = 5,
    DDLA_ORDERING_DISSECTION = 6
};
typedef struct {
    size_t size;
    ddla_factor_precision factors;
    ddla_ordering ordering;
    int32_t scale, match; /* 1 */
    double most_work;     /* 4, in 10^9 multiplications */
    int64_t most_memory;  /* 8 GiB */
} ddla_factor_options;
ddla_status ddla_factor_options_init(ddla_factor_options* options, size_t size);
typedef struct {
    size_t size;
    int64_t n, rank, entries, bytes, smallest_pivot_row, smallest_pivot_column;
    double operations, smallest_pivot, growth, seconds;
    ddla_ordering ordering;
    int32_t reserved;
    int64_t nonzeros; /* of the matrix */
} ddla_factor_report;

typedef struct ddla_factors ddla_factors;
ddla_status ddla_factors_create(const ddla_matrix* a, ddla_precision factors,
                                const ddla_factor_options* options, ddla_factors** f);
ddla_status ddla_factors_about(const ddla_factors* f, ddla_factor_report* report);
ddla_status ddla_factors_solve(const ddla_factors* f, const ddla_vector* b, ddla_vector* x);
ddla_status ddla_factors_solve_transposed(const ddla_factors* f, const ddla_vector* b,
                                          ddla_vector* x);
/* done = 0: the new values ask for another analysis; f is as it was. */
ddla_status ddla_factors_refactor(ddla_factors* f, const ddla_matrix* a, int32_t* done);
void ddla_factors_destroy(ddla_factors* f);

typedef int32_t ddla_preconditioning;
enum {
    DDLA_NONE = 0,
    DDLA_JACOBI = 1,
    DDLA_LU = 2,
    DDLA_ILU = 3,
    DDLA_ILUT = 4,
    DDLA_IC = 5,
    DDLA_BLOCK_JACOBI = 6,
    DDLA_POLYNOMIAL = 7
};
typedef int32_t ddla_bad_pivot; /* what is done with one */
enum { DDLA_SHIFT = 0, DDLA_REFUSE = 1 };
typedef int32_t ddla_polynomial_kind;
enum { DDLA_NEUMANN = 0, DDLA_CHEBYSHEV = 1 };
#define DDLA_USUAL_FILL (-1)
typedef struct {
    size_t size;
    int32_t fill;          /* DDLA_USUAL_FILL: 0 levels of ILU, 10 entries of ILUT */
    int32_t degree;        /* 4 */
    double drop;           /* 1e-3 */
    int64_t block_rows;    /* 256 */
    const int64_t* blocks; /* NULL, or where each block begins, and at last the size of A */
    int64_t blocks_length; /* 0, or how many numbers those are */
    ddla_factor_precision factors;
    ddla_ordering ordering;
    int32_t scale, match; /* 1 */
    ddla_bad_pivot pivots;
    ddla_polynomial_kind polynomial;
    double eigenvalue_ratio; /* 30 */
    double most_fill;        /* infinity */
    double most_work;        /* 4, in 10^9 multiplications */
    int64_t most_memory;     /* 8 GiB */
} ddla_preconditioner_options;
ddla_status ddla_preconditioner_options_init(ddla_preconditioner_options* options, size_t size);

typedef struct {
    size_t size;
    double seconds, fill, smallest_pivot;
    uint64_t bytes;
    int64_t smallest_pivot_row, shifts, bad_row; /* rows from 0; -1: not known, or none */
    double operations;
} ddla_build_report;
typedef struct ddla_preconditioner ddla_preconditioner;
ddla_status ddla_preconditioner_create(ddla_precision precision, const char* name, int64_t n,
                                       ddla_apply apply, void* data, ddla_preconditioner** k);
ddla_status ddla_preconditioner_create_on_device(ddla_precision precision, const char* name,
                                                 int64_t n, ddla_place at,
                                                 ddla_apply_on_stream apply, void* data,
                                                 int32_t may_record, ddla_preconditioner** k);
ddla_status ddla_preconditioner_create_none(ddla_precision precision, ddla_preconditioner** k);
ddla_status ddla_preconditioner_create_jacobi(const ddla_matrix* a, ddla_precision precision,
                                              ddla_preconditioner** k);
ddla_status ddla_preconditioner_create_lu(const ddla_factors* f, ddla_precision precision,
                                          ddla_place at, ddla_preconditioner** k);
/* Of any kind but DDLA_LU; options NULL: defaults.  A polynomial keeps the matrix alive. */
ddla_status ddla_preconditioner_create_matrix(const ddla_matrix* matrix, ddla_precision precision,
                                              ddla_preconditioning kind,
                                              const ddla_preconditioner_options* options,
                                              ddla_preconditioner** k);
ddla_status ddla_preconditioner_apply(const ddla_preconditioner* k, const ddla_vector* r,
                                      ddla_vector* z);
/* Of k and an A that are symmetric positive definite, as k of DDLA_IC is known to be: corrections
 * of DDLA_REFINEMENT are then by CG, else by BiCGStab. */
ddla_status ddla_preconditioner_set_symmetric_positive(ddla_preconditioner* k, int32_t is);
ddla_status ddla_preconditioner_built(const ddla_preconditioner* k, ddla_build_report* report);
void ddla_preconditioner_destroy(ddla_preconditioner* k);

/* ---- Solves -------------------------------------------------------------------------------- */

typedef int32_t ddla_method; /* a number never changes (scripts/write-methods) */
enum {
    DDLA_AUTOMATIC = 0,
    DDLA_REFINEMENT = 1,
    DDLA_BICGSTAB = 2,
    DDLA_CG = 3,
    DDLA_FGMRES = 4,
    DDLA_BICGSTABL = 5,
    DDLA_MINRES = 6,
    DDLA_IDR = 7,
    DDLA_LSMR = 8
};
const char* ddla_method_name(ddla_method method); /* NULL: there is none */
typedef int32_t ddla_solve_status;
enum {
    DDLA_CONVERGED = 0,
    DDLA_ITERATION_LIMIT = 1,
    DDLA_BREAKDOWN = 2,
    DDLA_STAGNATED = 3,
    DDLA_NOT_FINITE = 4,
    DDLA_SINGULAR = 5,
    DDLA_AT_FLOOR = 6,
    DDLA_RESIDUAL_ONLY = 7 /* meets the tolerance, but digits were asked for and not judged */
};
const char* ddla_solve_status_name(ddla_solve_status status);
typedef int32_t ddla_goal;
enum { DDLA_GOAL_RESIDUAL = 0, DDLA_GOAL_DIGITS = 1, DDLA_GOAL_LEAST_SQUARES = 2 };

typedef struct {
    size_t size;
    int64_t iterations;
    double relative_residual;
    double done; /* of the stage, 0 to 1; negative: not known */
    const char* stage;
} ddla_progress;
typedef int (*ddla_watch)(void* data, const ddla_progress* progress); /* not 0: ends the solve */

#define DDLA_NOT_GIVEN (-1.0)
#define DDLA_USUAL_DIGITS 0
typedef struct {
    size_t size;
    ddla_method method;
    ddla_preconditioning precond;
    double tolerance; /* DDLA_NOT_GIVEN: 1e-12, or no demand where digits are the goal */
    int32_t digits;   /* DDLA_USUAL_DIGITS: 12, or no demand where only a residual is judged */
    int32_t normwise, record_history;
    int32_t iterations_on; /* k + 1: automatic iterates at device k where factors are too large */
    int64_t max_iterations, restart, check_every;      /* 10000, 50, 0 */
    int64_t l, s;                                      /* of BiCGStab(l), 2, and IDR(s), 4 */
    const ddla_factor_options* factorisation;          /* NULL: defaults */
    const ddla_preconditioner_options* preconditioner; /* likewise */
    int32_t certify, reserved;                         /* 1: prove a bound of the error of x */
    ddla_watch watch;
    void* watch_data;
} ddla_solve_options;
ddla_status ddla_solve_options_init(ddla_solve_options* options, size_t size);

/* Of a solve or of a check. */
typedef struct ddla_report ddla_report;

/* DDLA_OK also if the solve did not converge: the report says how it ended.  NULL: no
 * preconditioner, default options, no report. */
ddla_status ddla_solve(const ddla_matrix* a, const ddla_preconditioner* k, const ddla_vector* b,
                       ddla_vector* x, const ddla_solve_options* options, ddla_report** report);
/* `count` systems with one A, from the guesses in x: each has the bits and the end of ddla_solve. A
 * is factored, a preconditioner built, once; b is copied.  No x is a b, and none is there twice.
 * reports: NULL, or `count` handles (a count below 1 leaves them as they are). */
ddla_status ddla_solve_several(const ddla_matrix* a, const ddla_preconditioner* k, int64_t count,
                               const ddla_vector* const* b, ddla_vector* const* x,
                               const ddla_solve_options* options, ddla_report** reports);
ddla_status ddla_solve_operator(const ddla_operator* a, const ddla_preconditioner* k,
                                const ddla_vector* b, ddla_vector* x,
                                const ddla_solve_options* options, ddla_report** report);
/* With factors of a, or of a matrix near a, refined. */
ddla_status ddla_solve_factors(const ddla_matrix* a, const ddla_factors* f, const ddla_vector* b,
                               ddla_vector* x, const ddla_solve_options* options,
                               ddla_report** report);

/* With x in four words, x + x_low: up to 60 digits can be asked for. */
ddla_status ddla_solve_four_words(const ddla_matrix* a, const ddla_vector* b, ddla_vector* x,
                                  ddla_vector* x_low, const ddla_solve_options* options,
                                  ddla_report** report);

typedef struct {
    size_t size;
    int32_t digits; /* 6 */
    int32_t normwise;
    const ddla_factor_options* factorisation;
    int32_t certify, reserved;
    ddla_watch watch;
    void* watch_data;
} ddla_check_options;
ddla_status ddla_check_options_init(ddla_check_options* options, size_t size);
/* How many digits of x are right, whoever computed it. */
ddla_status ddla_check(const ddla_matrix* a, const ddla_vector* b, const ddla_vector* x,
                       const ddla_check_options* options, ddla_report** report);
ddla_status ddla_check_four_words(const ddla_matrix* a, const ddla_vector* b, const ddla_vector* x,
                                  const ddla_vector* x_low, const ddla_check_options* options,
                                  ddla_report** report);

/* ---- Plans: what a solve will do; pointers in results live as long as the plan ----------------
 */

typedef struct ddla_plan ddla_plan;
typedef struct {
    size_t size;
    const char *name, *does, *follows; /* follows: its condition */
    const char *starts_from, *judged;  /* NULL: it does nothing to x */
    double work, bytes; /* as in C++: infinite without a limit, NaN where A is a function */
    int32_t work_is_at_most, bytes_are_at_most; /* 0: counted before any work */
    int64_t most_iterations;                    /* 0: it does not iterate */
    int32_t is_reported, reserved;              /* a stage of reports may have this name */
    int64_t entries;   /* of factors that are counted; 0: not known before */
    const char* limit; /* that these would pass; NULL: none is known */
} ddla_planned_stage;
/* Of the solve with the same arguments: they refuse what that refuses, and change nothing. */
ddla_status ddla_plan_solve(const ddla_matrix* a, const ddla_preconditioner* k,
                            const ddla_vector* b, const ddla_vector* x,
                            const ddla_solve_options* options, ddla_plan** plan);
ddla_status ddla_plan_solve_operator(const ddla_operator* a, const ddla_preconditioner* k,
                                     const ddla_vector* b, const ddla_vector* x,
                                     const ddla_solve_options* options, ddla_plan** plan);
ddla_status ddla_plan_solve_four_words(const ddla_matrix* a, const ddla_vector* b,
                                       const ddla_vector* x, const ddla_vector* x_low,
                                       const ddla_solve_options* options, ddla_plan** plan);
ddla_status ddla_plan_length(const ddla_plan* plan, int32_t* stages);
ddla_status ddla_plan_stage(const ddla_plan* plan, int32_t k, ddla_planned_stage* stage);
/* What `ddla solve --dry-run --json` prints. */
ddla_status ddla_plan_json(const ddla_plan* plan, const char** json);
void ddla_plan_destroy(ddla_plan* plan);

/* ---- Reports: pointers in results live as long as the report ------------------------------- */

typedef struct {
    size_t size;
    ddla_solve_status status;
    int32_t interrupted;
    int64_t iterations;
    double relative_residual, true_relative_residual; /* of the recurrence; recomputed */
    double digits;                                    /* estimated */
    double seconds, iteration_seconds;
    uint64_t bytes_per_iteration, peak_bytes, solution_hash;
    int32_t threads;
    ddla_place where;
    ddla_goal goal;
    int32_t stages;
    const char* breakdown;
    const double* history; /* after 0, 1, ... iterations */
    int64_t history_length;
    double normal_residual; /* of LSMR, and where A is not square */
    int32_t solution_words;
    int32_t certified; /* 0 also where no bound was asked for; then not_certified_because is NULL */
    double bound_normwise, bound_componentwise, scaled_inverse_norm; /* proved */
    const char* not_certified_because;
    double normwise_digits; /* of the largest component, whatever was asked for */
    int32_t digits_proved;  /* digits follow from the bound, not from an estimate */
    int32_t reserved;
    const char* limit; /* why it iterates where it would have factored, or judges the residual */
} ddla_solve_summary;
typedef struct {
    size_t size;
    int32_t passed, interrupted;
    double worst, median, normwise, true_relative_residual, seconds; /* the first three: digits */
    int64_t histogram[65]; /* components by whole right digits; the last used one has the rest */
    int32_t components, stages;
    const char *verdict, *why;
    int32_t certified, reserved; /* as in ddla_solve_summary */
    double bound_normwise, bound_componentwise, scaled_inverse_norm;
    const char* not_certified_because;
    double normal_residual; /* where A is not square */
} ddla_check_summary;
typedef struct {
    size_t size;
    const char* name;
    double seconds, true_relative_residual, digits;
    int64_t iterations; /* of the whole solve, when the stage ended */
    ddla_limit passed;  /* that ended it, if it made factors */
    int32_t reserved;
} ddla_stage;
typedef struct {
    size_t size;
    double backward_error, componentwise_backward_error, omega1, omega2;
    double condition, condition_1;
    int32_t condition_at_least, condition_1_at_least;
    double normwise, componentwise;
    int32_t trusted, componentwise_trusted;
    int64_t certain_zeros;
    double pivot_growth, data_digits;
    int64_t proved_zeros;
    int64_t unsettled, first_unsettled; /* components without a claim; the first from 0, or -1 */
    const char* unsettled_because;      /* ... and what stands in its way */
} ddla_error_estimates;
typedef struct { /* numbers from 0 */
    size_t size;
    int32_t known, proved, consistent, reserved;
    int64_t value, dependent, combined_rows_count, combined_columns_count;
    const int64_t *dependent_rows, *dependent_columns, *combined_rows, *combined_columns;
    /* The null vectors there; NULL if not known. */
    const double *row_weights, *column_weights;
    int32_t numerically_singular; /* in double: 1, 0, or -1 if not known */
    int32_t reserved_1;
    double distance_of_b; /* from the range, over b, where not consistent; NaN if not known */
} ddla_rank;
typedef struct { /* of a solve on ranks: what they have sent, and their memory */
    size_t size;
    int64_t count; /* of ranks; 0: the solve was not on ranks */
    int64_t sums, numbers, products, messages, bytes, resident_bytes;
} ddla_traffic;
typedef struct {
    size_t size;
    int64_t index;
    double digits;
    ddla_dd x, better, x_low, better_low; /* the low ones of an x in four words */
} ddla_component;
ddla_status ddla_report_summary(const ddla_report* report, ddla_solve_summary* summary);
ddla_status ddla_report_check(const ddla_report* report, ddla_check_summary* summary);
ddla_status ddla_report_stage(const ddla_report* report, int32_t k, ddla_stage* stage);
ddla_status ddla_report_errors(const ddla_report* report, ddla_error_estimates* errors);
ddla_status ddla_report_rank(const ddla_report* report, ddla_rank* rank);
ddla_status ddla_report_traffic(const ddla_report* report, ddla_traffic* traffic);
/* Of the preconditioner of iterations; name NULL, and *built all 0 but its size, if there was none
 * or DDLA_JACOBI, which is a part of the sweeps. */
ddla_status ddla_report_preconditioner(const ddla_report* report, const char** name,
                                       ddla_build_report* built);
ddla_status ddla_report_component(const ddla_report* report, int32_t k, ddla_component* component);
ddla_status ddla_report_json(const ddla_report* report, const char** json);
void ddla_report_destroy(ddla_report* report);

/* ---- On memory of the caller, in the order of a stream ------------------------------------- */

typedef struct ddla_stream ddla_stream;
typedef struct {
    double *hi, *lo; /* lo NULL: double.  Written only where a call says so. */
    int64_t n;
} ddla_view;
typedef struct {
    ddla_dd value;
    const double* at; /* not NULL: read there, at the place, when the work is done: hi, then lo */
} ddla_scalar;
/* native: a cudaStream_t, or NULL. */
ddla_status ddla_stream_create(ddla_place at, void* native, ddla_stream** on);
ddla_status ddla_stream_wait(ddla_stream* on);
void ddla_stream_destroy(ddla_stream* on);
/* These wait. */
ddla_status ddla_stream_dot(ddla_stream* on, ddla_view x, ddla_view y, ddla_dd* result);
ddla_status ddla_stream_nrm2(ddla_stream* on, ddla_view x, ddla_dd* result);
ddla_status ddla_stream_asum(ddla_stream* on, ddla_view x, ddla_dd* result);
ddla_status ddla_stream_solve(ddla_stream* on, const ddla_matrix* a, ddla_view b, ddla_view x,
                              const ddla_solve_options* options, ddla_report** report);
/* These enqueue; `result` is at the place, hi and then lo. */
ddla_status ddla_stream_dot_at(ddla_stream* on, ddla_view x, ddla_view y, double* result);
ddla_status ddla_stream_nrm2_at(ddla_stream* on, ddla_view x, double* result);
ddla_status ddla_stream_asum_at(ddla_stream* on, ddla_view x, double* result);
ddla_status ddla_stream_axpy(ddla_stream* on, ddla_scalar a, ddla_view x, ddla_view y);
ddla_status ddla_stream_axpyz(ddla_stream* on, ddla_scalar a, ddla_view x, ddla_view y,
                              ddla_view z);
ddla_status ddla_stream_xpay(ddla_stream* on, ddla_view x, ddla_scalar a, ddla_view y);
ddla_status ddla_stream_scal(ddla_stream* on, ddla_scalar a, ddla_view x);
ddla_status ddla_stream_copy(ddla_stream* on, ddla_view x, ddla_view y);
/* pairs: at the place, aligned to 16 bytes. */
ddla_status ddla_stream_interleave(ddla_stream* on, ddla_view x, ddla_dd* pairs);
ddla_status ddla_stream_split(ddla_stream* on, const ddla_dd* pairs, ddla_view x);
ddla_status ddla_stream_spmv(ddla_stream* on, ddla_scalar alpha, const ddla_matrix* a, ddla_view x,
                             ddla_scalar beta, ddla_view y);
ddla_status ddla_stream_residual(ddla_stream* on, const ddla_matrix* a, ddla_view x, ddla_view b,
                                 ddla_view r);

/* ---- Ranks --------------------------------------------------------------------------------- */

/* Bytes to or from another rank. */
typedef struct {
    void* memory; /* of a message that is sent: only read */
    size_t bytes;
    int32_t rank;
} ddla_message;

/* What moves bytes between ranks: ddla_mpi.h makes one of a communicator of MPI.  The functions
 * return 0, or the call fails with DDLA_CALLBACK.  They never add. */
typedef struct {
    size_t size;
    int32_t rank, ranks; /* this one, from 0, and how many there are */
    void* data;          /* handed to the functions; must outlive the matrices */
    /* all: what each rank has as `mine`, in the order of ranks, bytes[r] of rank r. */
    int (*all_gather)(void* data, const void* mine, void* all, const size_t* bytes);
    /* The memory of messages stays until finish_exchange, which waits for them.  Several messages
     * between two ranks arrive in the order of the lists. */
    int (*start_exchange)(void* data, size_t sends, const ddla_message* sent, size_t receives,
                          const ddla_message* received);
    int (*finish_exchange)(void* data);
    void (*fail)(void* data, const char* why); /* or NULL: ends the other ranks, or all */
} ddla_communicator;

/* A matrix whose rows are shared among ranks.  Every rank makes the same calls; vectors are the
 * parts of this rank, on the host.  docs/ranks.md */
typedef struct ddla_distributed ddla_distributed;

/* own_rows: the rows of this rank, those after the rows of the ranks before it; `columns` and the
 * numbers of columns are those of the whole matrix.  all_rows: of all ranks.  alignment: 0, or a
 * multiple of 256 that blocks of preconditioners divide. */
ddla_status ddla_distributed_create(const ddla_communicator* ranks, const ddla_csr* own_rows,
                                    int64_t all_rows, int64_t alignment, ddla_distributed** a);
void ddla_distributed_destroy(ddla_distributed* a);

typedef struct {
    size_t size;
    int64_t rows, columns, nonzeros;   /* of all ranks */
    int64_t first_row, own_rows;       /* of this rank: b has own_rows elements, */
    int64_t first_column, own_columns; /* x has own_columns */
} ddla_distributed_size;
ddla_status ddla_distributed_shape(const ddla_distributed* a, ddla_distributed_size* size);

/* y = A x, y = A^T x. */
ddla_status ddla_distributed_multiply(const ddla_distributed* a, const ddla_vector* x,
                                      ddla_vector* y);
ddla_status ddla_distributed_multiply_transposed(const ddla_distributed* a, const ddla_vector* x,
                                                 ddla_vector* y);
/* Over all ranks, of vectors with own_rows elements. */
ddla_status ddla_distributed_dot(const ddla_distributed* a, const ddla_vector* x,
                                 const ddla_vector* y, ddla_dd* result);
ddla_status ddla_distributed_nrm2(const ddla_distributed* a, const ddla_vector* x, ddla_dd* result);
/* As ddla_solve; the report is that of this rank, with the hash of all of x. */
ddla_status ddla_distributed_solve(const ddla_distributed* a, const ddla_vector* b, ddla_vector* x,
                                   const ddla_solve_options* options, ddla_report** report);

#ifdef __cplusplus
}
#endif
#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#endif
