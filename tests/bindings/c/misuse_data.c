/* See misuse.h: numbers, vectors, matrices, formats, operations. */
#include "misuse.h"

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
    int64_t lost = 0;
    MISUSE(ddla_last_read(NULL, &lost, &lost));
    MISUSE(ddla_last_read(&lost, NULL, &lost));
    MISUSE(ddla_last_read(&lost, &lost, NULL));
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
    const int32_t falling[] = {0, 2, 1, 3, 4}, from_one[] = {1, 2, 3, 4, 5},
                  outside[] = {0, 1, 2, 4};
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
    TRUE(strcmp(ddla_last_error(), "index_base must be 0 or 1, not 2") == 0);
    from.index_base = 1;
    INPUT(ddla_matrix_create(&from, DDLA_HOST, &m));
    TRUE(strcmp(ddla_last_error(),
                "index 0 is below index_base, which is 1 (0 and 1 are allowed)") == 0);
    from = four_by_four();
    from.row_begin = from_one;
    INPUT(ddla_matrix_create(&from, DDLA_HOST, &m));
    TRUE(strstr(ddla_last_error(), "index_base is 0, but row_begin counts from 1") != NULL);
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
    TRUE(strcmp(ddla_last_error(), "index_base of a borrowed matrix must be 0, not 1") == 0);
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
    MISUSE(ddla_matrix_tune(a, DDLA_DD, &report));
    MISUSE(ddla_matrix_tune(NULL, DDLA_DD, NULL));
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

void misuse_data(void)
{
    general();
    vectors();
    matrices();
    generated_and_formats();
    operations();
}
