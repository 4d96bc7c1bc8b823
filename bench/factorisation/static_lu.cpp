// LU, and L D L^T of symmetric matrices, with static pivots beside UMFPACK and MUMPS: seconds of
// analysis and factorisation, by the clock on the wall.
//
//     OPENBLAS_NUM_THREADS=1 bench_static_lu [--threads N] [--cube N]… [--] [FILE.mtx…]
//
// A line a matrix: ours in double, with the order that is chosen; UMFPACK with AMD or COLAMD and
// with METIS, MUMPS with AMD and with METIS, MKL PARDISO, if it is there (pardiso.hpp), of each the
// better one; the ratio to the best of these programs; double-double over double; the true residual
// of a solve in double; pivots that were replaced.  Cubes are convection and diffusion.  Of a
// symmetric matrix MUMPS makes L D L^T, too.  Threads are ours; those of the others are
// OPENBLAS_NUM_THREADS, OMP_NUM_THREADS and MKL_NUM_THREADS.
#include "engine/host_loops.hpp"
#include "factor/supernodal/definite.hpp"
#include "factor/supernodal/symmetric.hpp"

#include "ddla/ddla.hpp"
#include "ddla/host_threads.hpp"
#include "pardiso.hpp"
#include "support/processor_time.hpp"
#include "support/program.hpp"
#include "support/ratio_mean.hpp"

#include <dmumps_c.h>
#include <mpi.h>
#include <umfpack.h>

#include <filesystem>

namespace {

using namespace ddla;

constexpr bench::repeats some{.least = 1, .most = 10, .seconds = 0.33};

struct outcome {
    double seconds = 0;  ///< of analysis and factorisation
    std::int64_t entries = 0, replaced = 0;
    double residual = -1;
};

template <class Make>
outcome timed(const csr_matrix<double>& a, const Make& make)
{
    outcome out;
    std::optional<decltype(make())> f;
    out.seconds = least_time(
        some, [&] { f.emplace(make()); }, bench::wall_seconds);
    out.entries = f->about().entries;
    out.replaced = f->about().replaced;
    if (f->about().end != factor::factor_end::complete) return out;
    const vector<double> b(a.rows(), 1.0);
    vector<double> x(a.rows());
    f->template solve<double>(b.view(), x.view());
    out.residual = true_residual(a, x, b).relative;
    return out;
}

template <class F>
outcome run_ddla(const csr_matrix<double>& a, bool is_symmetric)
{
    const factor::chunk_runner run{host_threads(), run_on_host};
    if (is_symmetric)
        return timed(a, [&] { return factor::symmetric_factors<F>::make(a.view(), {.run = run}); });
    factor::static_options options;
    options.common.run = run;
    return timed(a, [&] { return factor::static_factors<F>::make(a.view(), options); });
}

/// Rows as columns: the transpose, whose factors take the same work.
struct by_columns {
    std::vector<int> begin, row, column;
    std::vector<double> value;

    explicit by_columns(const csr_matrix<double>& a) : begin{0}
    {
        const auto rows = a.view();
        for (index_t i = 0; i < a.rows(); ++i) {
            for (index_t e = rows.row_begin[i]; e < rows.row_begin[i + 1]; ++e) {
                row.push_back(rows.column[e]);
                column.push_back(static_cast<int>(i));
                value.push_back(rows.value.get(e));
            }
            begin.push_back(static_cast<int>(row.size()));
        }
    }
    int size() const { return static_cast<int>(begin.size()) - 1; }
    /// Of entries; `begin` is as before.
    void leave_lower_triangle()
    {
        std::size_t kept = 0;
        for (std::size_t e = 0; e < row.size(); ++e) {
            if (row[e] < column[e]) continue;
            row[kept] = row[e];
            column[kept] = column[e];
            value[kept++] = value[e];
        }
        row.resize(kept);
        column.resize(kept);
        value.resize(kept);
    }
};

double run_umfpack(const by_columns& a, double ordering)
{
    double control[UMFPACK_CONTROL];
    umfpack_di_defaults(control);
    control[UMFPACK_ORDERING] = ordering;
    return least_time(
        some,
        [&] {
            void *symbolic = nullptr, *numeric = nullptr;
            umfpack_di_symbolic(a.size(), a.size(), a.begin.data(), a.row.data(), a.value.data(),
                                &symbolic, control, nullptr);
            umfpack_di_numeric(a.begin.data(), a.row.data(), a.value.data(), symbolic, &numeric,
                               control, nullptr);
            umfpack_di_free_numeric(&numeric);
            umfpack_di_free_symbolic(&symbolic);
        },
        bench::wall_seconds);
}

/// Seconds, or infinity where it fails.
double run_mumps(by_columns a, int ordering, bool is_symmetric)
{
    if (is_symmetric) a.leave_lower_triangle();
    DMUMPS_STRUC_C id{};
    id.comm_fortran = -987654;  // all processes: this one
    id.par = 1;
    id.sym = is_symmetric ? 2 : 0;
    id.job = -1;
    dmumps_c(&id);
    for (auto& x : a.row) ++x;
    for (auto& x : a.column) ++x;
    id.n = a.size();
    id.nnz = static_cast<MUMPS_INT8>(a.value.size());
    id.irn = a.row.data();
    id.jcn = a.column.data();
    id.a = a.value.data();
    for (const int silent : {0, 1, 2, 3}) id.icntl[silent] = silent == 3 ? 0 : -1;
    id.icntl[6] = ordering;
    id.icntl[13] = 50;  // memory for pivots that move, in percent
    bool failed = false;
    const double seconds = least_time(
        some,
        [&] {
            id.job = 4;
            dmumps_c(&id);
            failed = failed || id.info[0] < 0;
        },
        bench::wall_seconds);
    id.job = -2;
    dmumps_c(&id);
    return failed ? HUGE_VAL : seconds;
}

struct means {
    bench::ratio_mean seconds, in_dd;
    double worst = 0;
};

void compare(const std::string& name, const csr_matrix<double>& a, bool pardiso_alone, means& all)
{
    const bool is_symmetric = factor::is_symmetric(a.view());
    const outcome ours = run_ddla<double>(a, is_symmetric);
    if (ours.residual < 0) return;
    const by_columns theirs(a);
    double umfpack = HUGE_VAL, mumps = HUGE_VAL;
    if (!pardiso_alone) {
        umfpack = std::min(run_umfpack(theirs, UMFPACK_ORDERING_AMD),
                           run_umfpack(theirs, UMFPACK_ORDERING_METIS));
        mumps = std::min(run_mumps(theirs, 0, is_symmetric), run_mumps(theirs, 5, is_symmetric));
    }
    const double pardiso = bench::pardiso_seconds(
        a, is_symmetric ? bench::pardiso_kind::symmetric : bench::pardiso_kind::unsymmetric);
    const outcome in_dd = run_ddla<dd_real>(a, is_symmetric);
    const double ratio = ours.seconds / std::min({umfpack, mumps, pardiso});
    all.seconds.add(ratio);
    all.in_dd.add(in_dd.seconds / ours.seconds);
    all.worst = std::max(all.worst, ratio);
    std::printf("%-20s %8lld %10lld | %9.2f %9.2f %9.2f %9.2f | %6.2f %6.2f | %8.1e %5lld\n",
                name.c_str(), static_cast<long long>(a.rows()),
                static_cast<long long>(ours.entries), 1e3 * ours.seconds, 1e3 * umfpack,
                1e3 * mumps, 1e3 * pardiso, ratio, in_dd.seconds / ours.seconds, ours.residual,
                static_cast<long long>(ours.replaced));
}

struct asked {
    int threads = 1;
    bool pardiso_alone = false;
    std::vector<index_t> cubes;
    std::vector<std::string> files;
};

int measure(const asked& wanted)
{
    std::printf("%-20s %8s %10s | %9s %9s %9s %9s | %6s %6s | %8s %5s\n", "matrix", "n", "entries",
                "ddla ms", "UMFPACK", "MUMPS", "PARDISO", "ratio", "dd", "residual", "repl.");
    means all;
    set_host_threads(wanted.threads);
    for (const index_t n : wanted.cubes)
        compare("cube " + std::to_string(n), generate::convection_diffusion(n, n, n),
                wanted.pardiso_alone, all);
    for (const std::string& file : wanted.files)
        compare(std::filesystem::path(file).stem().string(), read_matrix<double>(file),
                wanted.pardiso_alone, all);
    std::printf("geometric means of %d: %.3f of the best one, worst %.2f; double-double over "
                "double %.2f\n",
                all.seconds.count, all.seconds.mean(), all.worst, all.in_dd.mean());
    return 0;
}

}  // namespace

int main(int argc, char** argv)
{
    asked wanted;
    CLI::App app("LU with static pivots beside UMFPACK and MUMPS");
    app.add_option("--threads", wanted.threads, "Threads of ddla");
    app.add_flag("--pardiso-alone", wanted.pardiso_alone, "UMFPACK and MUMPS are left out");
    app.add_option("--cube", wanted.cubes, "Convection and diffusion on N x N x N points")
        ->allow_extra_args(false);
    app.add_option("files", wanted.files, "Matrix Market files");
    MPI_Init(&argc, &argv);
    const int status =
        bench::run_program("bench_static_lu", app, argc, argv, [&] { return measure(wanted); });
    MPI_Finalize();
    return status;
}
