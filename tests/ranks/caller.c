/* A program of MPI in C: the hash of x on its ranks, and that of ddla_solve on rank 0. */
#include <ddla_mpi.h>

#include <stdio.h>

static void must(ddla_status status)
{
    if (status == DDLA_OK) return;
    fprintf(stderr, "ddla: %s\n", ddla_last_error());
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Rows `first` to `end` - 1 of n: -1, 2.5 + 1 / (i + 1), -1.25, counted from 1. */
static ddla_csr some_rows(int64_t n, int64_t first, int64_t end)
{
    const size_t rows = (size_t)(end - first);
    int64_t* const row_begin = malloc((rows + 1) * sizeof *row_begin);
    int64_t* const column = malloc(3 * (rows + 1) * sizeof *column);
    double* const hi = malloc(3 * (rows + 1) * sizeof *hi);
    ddla_csr from;
    int64_t k = 0;
    must(ddla_csr_init(&from, sizeof from));
    row_begin[0] = 1;
    for (int64_t i = first; i < end; ++i) {
        if (i > 0) column[k] = i, hi[k++] = -1;
        column[k] = i + 1, hi[k++] = 2.5 + 1.0 / (double)(i + 1);
        if (i + 1 < n) column[k] = i + 2, hi[k++] = -1.25;
        row_begin[i - first + 1] = k + 1;
    }
    from.rows = end - first;
    from.columns = n;
    from.nonzeros = k;
    from.row_begin = row_begin;
    from.column = column;
    from.row_begin_bits = from.column_bits = 64;
    from.index_base = 1;
    from.hi = hi;
    return from;
}

static void release(ddla_csr* rows)
{
    free((void*)rows->row_begin);
    free((void*)rows->column);
    free((void*)rows->hi);
}

static uint64_t hash_of(ddla_report* report)
{
    ddla_solve_summary about = {0};
    about.size = sizeof about;
    must(ddla_report_summary(report, &about));
    ddla_report_destroy(report);
    return about.solution_hash;
}

static uint64_t solve_alone(int64_t n, const ddla_solve_options* options)
{
    ddla_csr rows = some_rows(n, 0, n);
    ddla_matrix* a = NULL;
    ddla_vector *b = NULL, *x = NULL;
    ddla_report* report = NULL;
    must(ddla_matrix_create(&rows, DDLA_HOST, &a));
    must(ddla_vector_create(DDLA_DD, n, DDLA_HOST, &b));
    must(ddla_vector_create(DDLA_DD, n, DDLA_HOST, &x));
    must(ddla_vector_fill(b, (ddla_dd){1, 0}));
    must(ddla_solve(a, NULL, b, x, options, &report));
    ddla_matrix_destroy(a);
    ddla_vector_destroy(b);
    ddla_vector_destroy(x);
    release(&rows);
    return hash_of(report);
}

static uint64_t solve_on_ranks(int64_t n, const ddla_communicator* ranks,
                               const ddla_solve_options* options)
{
    const int64_t r = ranks->rank, size = ranks->ranks;
    ddla_csr rows = some_rows(n, n * r * r / (size * size), n * (r + 1) * (r + 1) / (size * size));
    ddla_distributed* a = NULL;
    ddla_vector *b = NULL, *x = NULL;
    ddla_report* report = NULL;
    must(ddla_distributed_create(ranks, &rows, n, 0, &a));
    must(ddla_vector_create(DDLA_DD, rows.rows, DDLA_HOST, &b));
    must(ddla_vector_create(DDLA_DD, rows.rows, DDLA_HOST, &x));
    must(ddla_vector_fill(b, (ddla_dd){1, 0}));
    must(ddla_distributed_solve(a, b, x, options, &report));
    ddla_distributed_destroy(a);
    ddla_vector_destroy(b);
    ddla_vector_destroy(x);
    release(&rows);
    return hash_of(report);
}

int main(int argc, char** argv)
{
    const int64_t n = 5000;
    ddla_mpi mpi;
    ddla_communicator ranks;
    ddla_solve_options options;
    MPI_Init(&argc, &argv);
    if (ddla_mpi_init(MPI_COMM_WORLD, &mpi, &ranks) != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, 1);
    must(ddla_solve_options_init(&options, sizeof options));
    options.method = DDLA_BICGSTAB;
    const uint64_t here = solve_on_ranks(n, &ranks, &options);
    if (ranks.rank == 0 && here == solve_alone(n, &options))
        printf("%016llx\n", (unsigned long long)here);
    ddla_mpi_free(&mpi);
    MPI_Finalize();
    return 0;
}
