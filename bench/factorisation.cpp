// Sparse LU beside KLU and UMFPACK: seconds of analysis and factorisation, entries, true residuals.
//
//     OPENBLAS_NUM_THREADS=1 bench_factorisation [--match] [--most-work OPERATIONS] FILE.mtx…
//
// A line a matrix; "residual" is the true one of one solve in double-double with b = ones, -1 where
// the rank is less than n; geometric means of the ratios at the end.  KLU and UMFPACK keep their
// defaults.
#include "factor/lu/factors.hpp"

#include "ddla/ddla.hpp"
#include "ddla/host_threads.hpp"
#include "support/processor_time.hpp"
#include "support/program.hpp"
#include "support/ratio_mean.hpp"

#include <klu.h>
#include <umfpack.h>

#include <filesystem>

namespace {

using namespace ddla;

constexpr bench::repeats some{.least = 1, .most = 20, .seconds = 0.33};

struct outcome {
    double seconds = 0, operations = 0, solve_seconds = 0;
    std::int64_t entries = 0;
    double residual = -1;  ///< negative: no solution
};

struct int_columns {
    std::vector<int> begin, row;
    std::vector<double> value;
};

template <class T>
double residual_of(const csr_matrix<double>& a, const vector<T>& x)
{
    const vector<T> b(a.rows(), T(1));
    return true_residual(a, x, b).relative;
}

template <class F>
outcome run_ddla(const csr_matrix<double>& a, const factor::options& o)
{
    outcome out;
    std::optional<factor::factors<F>> f;
    out.seconds = least_time(some, [&] { f.emplace(factor::factors<F>::make(a.view(), o)); });
    out.operations = f->about().operations;
    out.entries = f->about().entries;
    if (f->about().end != factor::factor_end::complete || f->about().rank < a.rows()) return out;
    const vector<F> b(a.rows(), F(1));
    vector<F> x(a.rows());
    out.solve_seconds = least_time(some, [&] { f->template solve<F>(b.view(), x.view()); });
    out.residual = residual_of(a, x);
    return out;
}

outcome run_klu(const csr_matrix<double>& a, int_columns& c)
{
    outcome out;
    klu_common common;
    klu_defaults(&common);
    const int n = static_cast<int>(a.rows());
    klu_symbolic* symbolic = nullptr;
    klu_numeric* numeric = nullptr;
    const auto release = [&] {
        klu_free_numeric(&numeric, &common);
        klu_free_symbolic(&symbolic, &common);
    };
    out.seconds = least_time(some, [&] {
        release();
        symbolic = klu_analyze(n, c.begin.data(), c.row.data(), &common);
        if (symbolic)
            numeric = klu_factor(c.begin.data(), c.row.data(), c.value.data(), symbolic, &common);
    });
    if (numeric) {
        out.entries = numeric->lnz + numeric->unz - n;
        vector<double> x(n);
        out.solve_seconds = least_time(some, [&] {
            x = vector<double>(n, 1.0);
            klu_solve(symbolic, numeric, n, 1, &x[0], &common);
        });
        out.residual = residual_of(a, x);
    }
    release();
    return out;
}

outcome run_umfpack(const csr_matrix<double>& a, int_columns& c)
{
    outcome out;
    const int n = static_cast<int>(a.rows());
    void *symbolic = nullptr, *numeric = nullptr;
    double info[UMFPACK_INFO];
    int status = 0;
    const auto release = [&] {
        umfpack_di_free_numeric(&numeric);
        umfpack_di_free_symbolic(&symbolic);
    };
    out.seconds = least_time(some, [&] {
        release();
        status = umfpack_di_symbolic(n, n, c.begin.data(), c.row.data(), c.value.data(), &symbolic,
                                     nullptr, info);
        if (status >= 0)
            status = umfpack_di_numeric(c.begin.data(), c.row.data(), c.value.data(), symbolic,
                                        &numeric, nullptr, info);
    });
    if (status == UMFPACK_OK) {
        out.entries = static_cast<std::int64_t>(info[UMFPACK_LNZ] + info[UMFPACK_UNZ]) - n;
        vector<double> x(n), b(n, 1.0);
        double control[UMFPACK_CONTROL];
        umfpack_di_defaults(control);
        control[UMFPACK_IRSTEP] = 0;
        out.solve_seconds = least_time(some, [&] {
            umfpack_di_solve(UMFPACK_A, c.begin.data(), c.row.data(), c.value.data(), &x[0], &b[0],
                             numeric, control, info);
        });
        out.residual = residual_of(a, x);
    }
    release();
    return out;
}

int_columns columns_of(const csr_matrix<double>& a)
{
    const factor::sparse_columns<double> c = factor::columns_of(a.view());
    int_columns out{{c.begin.begin(), c.begin.end()}, {c.row.begin(), c.row.end()}, {}};
    for (index_t k = 0; k < c.entries(); ++k) out.value.push_back(c.value.get(k));
    return out;
}

struct means {
    bench::ratio_mean to_klu, to_umfpack, dd_to_double;
};

void compare(const std::string& file, const factor::options& o, means& all)
{
    const auto a = read_matrix<double>(file);
    if (a.rows() != a.columns() || a.rows() == 0) return;
    int_columns c = columns_of(a);
    const outcome d = run_ddla<double>(a, o), dd = run_ddla<dd_real>(a, o), klu = run_klu(a, c),
                  umf = run_umfpack(a, c);
    const auto f = factor::factors<double>::make(a.view(), o);
    std::printf(
        "%-22s %6lld %8lld | %9.3f %9.3f %9lld %8.1e %7s | %9.3f %8.3f %8.1e | %9.3f %9lld | "
        "%9.3f %9lld %9.3f\n",
        std::filesystem::path(file).stem().c_str(), (long long)a.rows(), (long long)a.nonzeros(),
        d.seconds * 1e3, d.solve_seconds * 1e3, (long long)d.entries, d.operations,
        name_of(f.about().ordering).data(), dd.seconds * 1e3, dd.solve_seconds * 1e3, dd.residual,
        klu.seconds * 1e3, (long long)klu.entries, umf.seconds * 1e3, (long long)umf.entries,
        umf.solve_seconds * 1e3);
    if (f.about().end != factor::factor_end::complete) return;
    if (klu.residual >= 0) all.to_klu.add(d.seconds / klu.seconds);
    if (umf.residual >= 0) all.to_umfpack.add(d.seconds / umf.seconds);
    all.dd_to_double.add(dd.seconds / d.seconds);
}

int measure(const std::vector<std::string>& files, const factor::options& o)
{
    set_host_threads(1);
    std::printf("%-22s %6s %8s | %9s %9s %9s %8s %7s | %9s %8s %8s | %9s %9s | %9s %9s %9s\n",
                "matrix", "n", "entries", "ddla ms", "solve ms", "factors", "work", "order",
                "dd ms", "solve ms", "residual", "KLU ms", "factors", "UMF ms", "factors",
                "solve ms");
    means all;
    for (const std::string& file : files) compare(file, o, all);
    std::printf(
        "geometric means: %.3f of KLU's time (%d), %.3f of UMFPACK's (%d), DD %.2f of double's\n",
        all.to_klu.mean(), all.to_klu.count, all.to_umfpack.mean(), all.to_umfpack.count,
        all.dd_to_double.mean());
    return 0;
}

}  // namespace

int main(int argc, char** argv)
{
    factor::options o;
    std::vector<std::string> files;
    CLI::App app("Sparse LU beside KLU and UMFPACK");
    app.add_flag_callback(
        "--match", [&] { o.match = factor::match_rows::always; }, "match rows in any case");
    app.add_option("--most-work", o.most_operations, "operations of a factorisation at most");
    app.add_option("files", files, "Matrix Market files")->required();
    return bench::run_program("bench_factorisation", app, argc, argv,
                              [&] { return measure(files, o); });
}
