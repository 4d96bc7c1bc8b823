// Each allocation behind a call of C fails once: a status, its sentence, and nothing left behind.
#include "catch.hpp"
#include "support/failing.hpp"

#include <ddla.h>

#include <array>
#include <cstring>
#include <new>
#include <vector>

namespace {

/// A status that a call that ran out of memory may not have, or a sentence that does not say so.
bool wrong = false;

/// What C says goes on as the exception that it was.
void run(ddla_status status)
{
    if (status == DDLA_OK) return;
    wrong = wrong || status != DDLA_RESOURCE || !std::strstr(ddla_last_error(), "memory");
    throw std::bad_alloc();
}

template <class Handle, void (*Destroy)(Handle*)>
struct owned {
    Handle* p = nullptr;

    owned() = default;
    owned(const owned&) = delete;
    owned& operator=(const owned&) = delete;
    ~owned() { Destroy(p); }
    operator Handle*() const { return p; }
    Handle** to() { return &p; }
};
using vector = owned<ddla_vector, ddla_vector_destroy>;
using matrix = owned<ddla_matrix, ddla_matrix_destroy>;
using factors = owned<ddla_factors, ddla_factors_destroy>;
using preconditioner = owned<ddla_preconditioner, ddla_preconditioner_destroy>;
using linear_operator = owned<ddla_operator, ddla_operator_destroy>;
using report = owned<ddla_report, ddla_report_destroy>;
using stream = owned<ddla_stream, ddla_stream_destroy>;

void fail_each(const char* what, const test::call& compute)
{
    wrong = false;
    test::fail_each_allocation(what, compute);
    CHECK_FALSE(wrong);
}

constexpr std::int64_t n = 5 * 4 * 4;

void make(matrix& a)
{
    run(ddla_generate_convection_diffusion(5, 4, 4, 0.3, 0.05, a.to()));
}
void make(vector& x, double value)
{
    run(ddla_vector_create(DDLA_DD, n, DDLA_HOST, x.to()));
    run(ddla_vector_fill(x, {value, 0}));
}
std::uint64_t hash_of(const vector& x)
{
    std::uint64_t hash = 0;
    run(ddla_hash(x, &hash));
    return hash;
}

}  // namespace

TEST_CASE("each allocation of vectors and matrices in C fails once")
{
    fail_each("vectors", [] {
        vector x, copy, form, real, imag;
        make(x, 0.3);
        run(ddla_vector_copy_to(x, DDLA_HOST, copy.to()));
        run(ddla_vector_real_form(x, copy, form.to()));
        run(ddla_vector_complex_form(form, real.to(), imag.to()));
        ddla_dd sum;
        run(ddla_nrm2(x, &sum));
        run(ddla_axpy(sum, x, copy));
        return hash_of(copy) + hash_of(imag);
    });
    fail_each("matrices", [] {
        matrix a, in_dd, turned, form, copy;
        make(a);
        run(ddla_matrix_widen(a, in_dd.to()));
        run(ddla_matrix_transpose(in_dd, turned.to()));
        run(ddla_matrix_copy_to(a, DDLA_HOST, copy.to()));
        run(ddla_matrix_real_form(a, copy, form.to()));
        ddla_format_options options;
        run(ddla_format_options_init(&options, sizeof options));
        options.format = DDLA_FORMAT_SLICES;
        run(ddla_matrix_set_format(turned, DDLA_DD, &options, nullptr));
        ddla_matrix_info info;
        info.size = sizeof info;
        run(ddla_matrix_inspect(form, &info));
        vector x, y, d;
        make(x, 0.3);
        make(y, 1);
        run(ddla_spmv({2, 0}, turned, x, {1, 0}, y));
        run(ddla_spmv_transposed({2, 0}, a, y, {1, 0}, x));
        run(ddla_matrix_diagonal(a, d.to()));
        return hash_of(x) + hash_of(d) + static_cast<std::uint64_t>(info.nonzeros);
    });
}

TEST_CASE("each allocation of arrays in C fails once")
{
    const std::array<std::int32_t, 4> row{0, 1, 1, 0}, column{0, 1, 0, 1};
    const std::array<std::int64_t, 3> begin{1, 3, 5};
    const std::array<std::int64_t, 4> wide_column{1, 2, 1, 2};
    const std::array<double, 4> value{4, 3, 1, -1};
    fail_each("coordinates and rows", [&] {
        ddla_coordinates entries;
        run(ddla_coordinates_init(&entries, sizeof entries));
        entries.rows = entries.columns = 2;
        entries.nonzeros = 4;
        entries.row = row.data();
        entries.column = column.data();
        entries.hi = value.data();
        ddla_csr rows;
        run(ddla_csr_init(&rows, sizeof rows));
        rows.rows = rows.columns = 2;
        rows.nonzeros = 4;
        rows.row_begin = begin.data();
        rows.column = wide_column.data();
        rows.row_begin_bits = rows.column_bits = 64;
        rows.index_base = 1;
        rows.hi = value.data();
        matrix a, b;
        run(ddla_matrix_assemble(&entries, DDLA_HOST, a.to()));
        run(ddla_matrix_create(&rows, DDLA_HOST, b.to()));
        vector d;
        run(ddla_matrix_diagonal(b, d.to()));
        return hash_of(d);
    });
}

TEST_CASE("each allocation of factors and preconditioners in C fails once")
{
    fail_each("factors", [] {
        matrix a;
        vector b, x;
        make(a);
        make(b, 1);
        make(x, 0);
        factors f;
        preconditioner k;
        std::int32_t done = 0;
        run(ddla_factors_create(a, DDLA_DOUBLE, nullptr, f.to()));
        run(ddla_factors_refactor(f, a, &done));
        run(ddla_factors_solve_transposed(f, b, x));
        run(ddla_preconditioner_create_lu(f, DDLA_DD, DDLA_HOST, k.to()));
        run(ddla_preconditioner_apply(k, x, b));
        report r;
        run(ddla_solve_factors(a, f, b, x, nullptr, r.to()));
        return hash_of(x);
    });
    for (const ddla_preconditioning kind :
         {DDLA_JACOBI, DDLA_ILU, DDLA_ILUT, DDLA_BLOCK_JACOBI, DDLA_POLYNOMIAL})
        fail_each("preconditioner", [=] {
            matrix a;
            vector b, x;
            make(a);
            make(b, 1);
            make(x, 0);
            preconditioner k;
            run(ddla_preconditioner_create_matrix(a, DDLA_DD, kind, nullptr, k.to()));
            run(ddla_preconditioner_apply(k, b, x));
            return hash_of(x);
        });
}

TEST_CASE("each allocation of solves and checks in C fails once")
{
    fail_each("solve, check and their reports", [] {
        matrix a;
        vector b, x;
        make(a);
        make(b, 1);
        make(x, 0);
        report solved, checked;
        const char* json = nullptr;
        run(ddla_solve(a, nullptr, b, x, nullptr, solved.to()));
        run(ddla_report_json(solved, &json));
        ddla_solve_summary summary;
        summary.size = sizeof summary;
        run(ddla_report_summary(solved, &summary));
        run(ddla_check(a, b, x, nullptr, checked.to()));
        run(ddla_report_json(checked, &json));
        return summary.solution_hash;
    });
    fail_each("several systems", [] {
        matrix a;
        vector b, x, other_b, other_x;
        make(a);
        make(b, 1);
        make(x, 0);
        make(other_b, 2);
        make(other_x, 0);
        ddla_solve_options options;
        run(ddla_solve_options_init(&options, sizeof options));
        options.method = DDLA_BICGSTAB;
        options.max_iterations = 4;
        std::array<report, 2> reports;
        std::array<ddla_report*, 2> made{};
        const std::array<const ddla_vector*, 2> all_b{b, other_b};
        const std::array<ddla_vector*, 2> all_x{x, other_x};
        const ddla_status status =
            ddla_solve_several(a, nullptr, 2, all_b.data(), all_x.data(), &options, made.data());
        for (std::size_t j = 0; j < 2; ++j) *reports[j].to() = made[j];
        run(status);
        return hash_of(x) + 3 * hash_of(other_x);
    });
    fail_each("an operator", [] {
        linear_operator a;
        vector b, x;
        make(b, 1);
        make(x, 0);
        run(ddla_operator_create(
            DDLA_DD, n, n,
            [](void*, std::int64_t size, const double* hi, const double* lo, std::int64_t,
               double* y_hi, double* y_lo) {
                for (std::int64_t i = 0; i < size; ++i) y_hi[i] = 2 * hi[i], y_lo[i] = 2 * lo[i];
                return 0;
            },
            nullptr, a.to()));
        ddla_solve_options options;
        run(ddla_solve_options_init(&options, sizeof options));
        options.watch = [](void*, const ddla_progress*) { return 0; };
        run(ddla_solve_operator(a, nullptr, b, x, &options, nullptr));
        return hash_of(x);
    });
}

TEST_CASE("each allocation of a stream in C fails once")
{
    fail_each("stream", [] {
        stream on;
        matrix a;
        make(a);
        run(ddla_stream_create(DDLA_HOST, nullptr, on.to()));
        std::vector<double> hi(n, 1), lo(n), x_hi(n), x_lo(n);
        const ddla_view b{hi.data(), lo.data(), n}, x{x_hi.data(), x_lo.data(), n};
        run(ddla_stream_spmv(on, {{1, 0}, nullptr}, a, b, {{0, 0}, nullptr}, x));
        ddla_dd norm;
        run(ddla_stream_nrm2(on, x, &norm));
        ddla_solve_options options;
        run(ddla_solve_options_init(&options, sizeof options));
        options.method = DDLA_IDR;
        options.max_iterations = 3;
        report r;
        run(ddla_stream_solve(on, a, b, x, &options, r.to()));
        ddla_solve_summary summary;
        summary.size = sizeof summary;
        run(ddla_report_summary(r, &summary));
        return summary.solution_hash;
    });
}
