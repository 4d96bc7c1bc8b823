// L L^T at a device: factors, solves with them, and whole solves, beside those of the host and of
// cuDSS, if it is there.
//
//     bench_device_factors [--threads N] [--plane N]… [--cube N]… [--elastic N]… [--dd]
//                          [--] [FILE.mtx…]
//
// A line a matrix and precision, in milliseconds: factors at the host and there, cuDSS's
// refactorisation with its own order; solves of 1 and of 8 right-hand sides; the whole solve of 12
// digits (its analysis and factors, what follows them), and cuDSS's analysis, first factorisation
// and solve; cuDSS's residual; whether factors and solves have the bits of the host.  Matrices that
// are not definite are left out.
#include "device/core/gpu.hpp"
#include "device/factors/factor_maker.cuh"
#include "engine/engine.hpp"
#include "engine/host_loops.hpp"
#include "factor/supernodal/definite.hpp"
#include "factor/supernodal/llt.hpp"
#include "factor/symmetric/lower_triangle.hpp"

#include "cudss_rival.hpp"
#include "ddla/ddla.hpp"
#include "ddla/host_threads.hpp"
#include "elasticity.hpp"
#include "support/processor_time.hpp"
#include "support/program.hpp"

#include <filesystem>

namespace {

using namespace ddla;

constexpr bench::repeats some{.least = 2, .most = 10, .seconds = 0.5};

struct outcome {
    double host = 0, device = HUGE_VAL, solve = 0, solve_8 = 0;
    bool same_bits = true;
};

place at_device(double)
{
    return device(0);
}

/// The numeric factorisation, which stays there.
template <scalar F>
double seconds_at_device(const factor::supernodes& s, const factor::sparse_columns<F>& lower)
{
    device_backend::queue& in = device_backend::gpu_at(0).own();
    const factor::llt_values<F> places(s);
    std::atomic<double> done = 0;
    double least = HUGE_VAL;
    for (int k = 0; k < 3; ++k) {
        device_backend::kept_numbers kept(in);
        device_backend::factor_maker<F> made(in, s, places, factor::triangles::definite, kept,
                                             done);
        const double start = bench::wall_seconds();
        made.make_definite(made.values(lower, true));
        least = std::min(least, bench::wall_seconds() - start);
    }
    return least;
}

/// Seconds of a solve of some systems; whether it has the bits of the host.
template <scalar F>
double seconds_of_solve(const factor::definite_factors<F>& here,
                        const factor::definite_factors<F>& there, index_t n, index_t systems,
                        bool& same_bits)
{
    vector<F> b(n * systems), x(b.size()), y(b.size());
    for (index_t i = 0; i < b.size(); ++i) b.set(i, F(1.0 / static_cast<double>(i % 97 + 1)));
    here.solve(std::as_const(b).view(), x.view());
    const double seconds = least_time(
        some, [&] { there.solve(std::as_const(b).view(), y.view()); }, bench::wall_seconds);
    same_bits = same_bits && hash_of(x) == hash_of(y);
    return seconds;
}

template <scalar F>
outcome measure_factors(const csr_matrix<double>& a, const factor::definite_factors<F>& here)
{
    const auto lower = factor::lower_triangle<F>(factor::columns_of(a.view()), here.parts().order,
                                                 here.exponent());
    const factor::supernodes& s = here.parts();
    outcome out;
    std::atomic<double> done = 0;
    factor::llt_values<F> values(s);
    values.allocate();
    const factor::chunk_runner run{host_threads(), run_on_host};
    out.host = least_time(
        some, [&] { factor::make_llt(s, lower, values, run, done); }, bench::wall_seconds);
    out.device = seconds_at_device(s, lower);
    const auto there = factor::definite_factors<F>::make(
        a.view(), {.run = run, .at = [](double) { return device_engine(0).factors(); }});
    out.solve = seconds_of_solve(here, there, a.rows(), 1, out.same_bits);
    out.solve_8 = seconds_of_solve(here, there, a.rows(), 8, out.same_bits);
    for (column_t q = 0; q < s.size(); ++q)
        for (column_t k = 0; k < s.below(q); k += 7) {
            const F x = here.entry(s.rows(q)[k], s.first[factor::as_size(q)]),
                    y = there.entry(s.rows(q)[k], s.first[factor::as_size(q)]);
            out.same_bits &= std::memcmp(&x, &y, sizeof x) == 0;
        }
    return out;
}

struct whole_solve {
    double all = HUGE_VAL, factor = 0, rest = 0;
    bool is_trusted = false;
};
/// From the matrix in memory to 12 digits; the device has been started.
whole_solve measure_solve(const csr_matrix<double>& a)
{
    whole_solve least;
    for (int k = 0; k < 2; ++k) {
        const vector<dd_real> b(a.rows(), dd_real(1));
        vector<dd_real> x(a.rows());
        const double start = bench::wall_seconds();
        const solve_report r =
            solve(a, b, x, {.factorisation = {.most_work = 100}, .place_of_factors = at_device});
        const double all = bench::wall_seconds() - start;
        if (all >= least.all) continue;
        least = {all, r.plan.front().seconds, 0, r.digits >= 12 && r.errors.componentwise_trusted};
        for (std::size_t i = 1; i < r.plan.size(); ++i) least.rest += r.plan[i].seconds;
    }
    return least;
}

template <scalar F>
void compare(const std::string& name, const csr_matrix<double>& a)
{
    const auto options = factor::definite_options{.run = {host_threads(), run_on_host}};
    const auto f = factor::definite_factors<F>::make(a.view(), options);
    if (f.about().end != factor::factor_end::complete) return;
    const outcome o = measure_factors<F>(a, f);
    const bench::cudss_seconds rival = bench::measure_cudss(a, words_of<F> == 2);
    std::printf("%-12s %2s %8lld %8.2g | %8.2f %8.2f %8.2f %6.3f %5.2f | %7.2f %7.2f %7.2f %7.2f",
                name.c_str(), words_of<F> == 1 ? "d" : "dd", static_cast<long long>(a.rows()),
                f.about().operations, 1e3 * o.host, 1e3 * o.device, 1e3 * rival.again,
                o.device / o.host, o.device / rival.again, 1e3 * o.solve, 1e3 * rival.solve,
                1e3 * o.solve_8, 1e3 * rival.solve_8);
    if (words_of<F> == 1) {
        const whole_solve w = measure_solve(a);
        std::printf(" | %7.1f %7.1f %7.1f %7.1f %5.2f %s", 1e3 * w.all, 1e3 * w.factor,
                    1e3 * w.rest, 1e3 * rival.whole(), w.all / rival.whole(),
                    w.is_trusted ? "trusted" : "DOUBTED");
    }
    std::printf(" | %7.1e %s\n", rival.residual, o.same_bits ? "same" : "OTHER");
    std::fflush(stdout);
}

struct asked {
    int threads = 1;
    bool in_dd = false;
    std::vector<index_t> planes, cubes, elastic;
    std::vector<std::string> files;
};

int measure(const asked& wanted)
{
    std::printf("%-12s %2s %8s %8s | %8s %8s %8s %6s %5s | %7s %7s %7s %7s | %7s %7s %7s %7s %5s | "
                "residual, bits\n",
                "matrix", "", "n", "madds", "host", "device", "cuDSS", "/host", "/it", "solve",
                "cuDSS", "of 8", "cuDSS", "all", "factor", "rest", "cuDSS", "/it");
    set_host_threads(wanted.threads);
    const auto in_both = [&](const std::string& name, const csr_matrix<double>& a) {
        compare<double>(name, a);
        if (wanted.in_dd) compare<dd_real>(name, a);
    };
    for (const index_t n : wanted.planes)
        in_both("plane " + std::to_string(n), generate::poisson2d(n, n));
    for (const index_t n : wanted.cubes)
        in_both("cube " + std::to_string(n), generate::poisson3d(n, n, n));
    for (const index_t n : wanted.elastic)
        in_both("elastic " + std::to_string(n), bench::elasticity(n));
    for (const std::string& file : wanted.files)
        in_both(std::filesystem::path(file).stem().string(), read_matrix<double>(file));
    return 0;
}

}  // namespace

int main(int argc, char** argv)
{
    asked wanted;
    CLI::App app("L L^T at a device");
    app.add_option("--threads", wanted.threads, "Threads of the host");
    app.add_flag("--dd", wanted.in_dd, "In double-double, too");
    app.add_option("--plane", wanted.planes, "5-point grids of N x N")->allow_extra_args(false);
    app.add_option("--cube", wanted.cubes, "7-point grids of N x N x N")->allow_extra_args(false);
    app.add_option("--elastic", wanted.elastic, "Elasticity on N x N x N vertices")
        ->allow_extra_args(false);
    app.add_option("files", wanted.files, "Matrix Market files");
    return bench::run_program("bench_device_factors", app, argc, argv,
                              [&] { return measure(wanted); });
}
