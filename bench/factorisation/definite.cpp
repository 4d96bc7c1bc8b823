// L L^T of definite matrices beside CHOLMOD: seconds of analysis and factorisation, by the clock on
// the wall.
//
//     OPENBLAS_NUM_THREADS=1 bench_definite [--threads N] [--plane N]… [--cube N]… [--] [FILE.mtx…]
//
// A line a matrix: ours in double, with the order that is chosen; CHOLMOD with AMD and with METIS,
// and MKL PARDISO, if it is there (pardiso.hpp), of which the best one counts; the ratio to it;
// double-double over double; the true residual of a solve in double.  Matrices that are not
// definite are left out.  Threads are ours; those of CHOLMOD are OPENBLAS_NUM_THREADS, of PARDISO
// MKL_NUM_THREADS.
#include "factor/supernodal/definite.hpp"
#include "engine/host_loops.hpp"

#include "ddla/ddla.hpp"
#include "ddla/host_threads.hpp"
#include "pardiso.hpp"
#include "support/processor_time.hpp"
#include "support/program.hpp"
#include "support/ratio_mean.hpp"

#include <cholmod.h>

#include <filesystem>

namespace {

using namespace ddla;

constexpr bench::repeats some{.least = 1, .most = 20, .seconds = 0.33};

struct outcome {
    double seconds = 0;  ///< of analysis and factorisation
    std::int64_t entries = 0;
    double residual = -1;
};

template <class F>
outcome run_ddla(const csr_matrix<double>& a)
{
    outcome out;
    const factor::definite_options options{.run = {host_threads(), run_on_host}};
    std::optional<factor::definite_factors<F>> f;
    out.seconds = least_time(
        some, [&] { f.emplace(factor::definite_factors<F>::make(a.view(), options)); },
        bench::wall_seconds);
    out.entries = f->about().entries;
    if (f->about().end != factor::factor_end::complete) return out;
    const vector<double> b(a.rows(), 1.0);
    vector<double> x(a.rows());
    f->template solve<double>(b.view(), x.view());
    out.residual = true_residual(a, x, b).relative;
    return out;
}

/// The lower triangle of A as CHOLMOD takes it.
cholmod_sparse* lower_of(const csr_matrix<double>& a, cholmod_common& c)
{
    const auto n = static_cast<std::size_t>(a.rows());
    const auto rows = a.view();
    cholmod_triplet* t = cholmod_allocate_triplet(n, n, static_cast<std::size_t>(rows.nonzeros()),
                                                  -1, CHOLMOD_REAL, &c);
    for (index_t i = 0; i < a.rows(); ++i)
        for (index_t e = rows.row_begin[i]; e < rows.row_begin[i + 1]; ++e) {
            if (rows.column[e] > i) continue;
            static_cast<int*>(t->i)[t->nnz] = static_cast<int>(i);
            static_cast<int*>(t->j)[t->nnz] = rows.column[e];
            static_cast<double*>(t->x)[t->nnz++] = rows.value.get(e);
        }
    cholmod_sparse* s = cholmod_triplet_to_sparse(t, 0, &c);
    cholmod_free_triplet(&t, &c);
    return s;
}

outcome run_cholmod(const csr_matrix<double>& a, int ordering)
{
    outcome out;
    cholmod_common c;
    cholmod_start(&c);
    c.nmethods = 1;
    c.method[0].ordering = ordering;
    cholmod_sparse* lower = lower_of(a, c);
    cholmod_factor* f = nullptr;
    out.seconds = least_time(
        some,
        [&] {
            cholmod_free_factor(&f, &c);
            f = cholmod_analyze(lower, &c);
            cholmod_factorize(lower, f, &c);
        },
        bench::wall_seconds);
    out.entries = static_cast<std::int64_t>(c.lnz);
    cholmod_free_factor(&f, &c);
    cholmod_free_sparse(&lower, &c);
    cholmod_finish(&c);
    return out;
}

struct means {
    bench::ratio_mean seconds, in_dd;
    double worst = 0;
};

void compare(const std::string& name, const csr_matrix<double>& a, bool pardiso_alone, means& all)
{
    const outcome ours = run_ddla<double>(a);
    if (ours.residual < 0) return;
    const outcome none{.seconds = HUGE_VAL},
        amd = pardiso_alone ? none : run_cholmod(a, CHOLMOD_AMD),
        metis = pardiso_alone ? none : run_cholmod(a, CHOLMOD_METIS), in_dd = run_ddla<dd_real>(a);
    const double pardiso = bench::pardiso_seconds(a, bench::pardiso_kind::definite);
    const double ratio = ours.seconds / std::min({amd.seconds, metis.seconds, pardiso});
    all.seconds.add(ratio);
    all.in_dd.add(in_dd.seconds / ours.seconds);
    all.worst = std::max(all.worst, ratio);
    std::printf("%-20s %8lld %10lld | %9.2f %9.2f %9.2f %9.2f | %6.2f %6.2f | %8.1e\n",
                name.c_str(), static_cast<long long>(a.rows()),
                static_cast<long long>(ours.entries), 1e3 * ours.seconds, 1e3 * amd.seconds,
                1e3 * metis.seconds, 1e3 * pardiso, ratio, in_dd.seconds / ours.seconds,
                ours.residual);
}

struct asked {
    int threads = 1;
    bool pardiso_alone = false;
    std::vector<index_t> planes, cubes;
    std::vector<std::string> files;
};

int measure(const asked& wanted)
{
    std::printf("%-20s %8s %10s | %9s %9s %9s %9s | %6s %6s | %8s\n", "matrix", "n", "entries",
                "ddla ms", "AMD ms", "METIS ms", "PARDISO", "ratio", "dd", "residual");
    means all;
    set_host_threads(wanted.threads);
    for (const index_t n : wanted.planes)
        compare("plane " + std::to_string(n), generate::poisson2d(n, n), wanted.pardiso_alone, all);
    for (const index_t n : wanted.cubes)
        compare("cube " + std::to_string(n), generate::poisson3d(n, n, n), wanted.pardiso_alone,
                all);
    for (const std::string& file : wanted.files)
        compare(std::filesystem::path(file).stem().string(), read_matrix<double>(file),
                wanted.pardiso_alone, all);
    std::printf("geometric means of %d: %.3f of the best one, worst %.2f; double-double "
                "over double %.2f\n",
                all.seconds.count, all.seconds.mean(), all.worst, all.in_dd.mean());
    return 0;
}

}  // namespace

int main(int argc, char** argv)
{
    asked wanted;
    CLI::App app("L L^T beside CHOLMOD");
    app.add_option("--threads", wanted.threads, "Threads of ddla");
    app.add_flag("--pardiso-alone", wanted.pardiso_alone, "CHOLMOD is left out");
    app.add_option("--plane", wanted.planes, "5-point grids of N x N")->allow_extra_args(false);
    app.add_option("--cube", wanted.cubes, "7-point grids of N x N x N")->allow_extra_args(false);
    app.add_option("files", wanted.files, "Matrix Market files");
    return bench::run_program("bench_definite", app, argc, argv, [&] { return measure(wanted); });
}
