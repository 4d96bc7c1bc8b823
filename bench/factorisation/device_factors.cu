// L L^T at a device: seconds of the numeric factorisation, whose factors stay there, beside those
// of the host and of cuDSS, if it is there.
//
//     bench_device_factors [--threads N] [--plane N]… [--cube N]… [--dd] [--] [FILE.mtx…]
//
// A line a matrix and precision: milliseconds of the host, of the lists that a device takes, of
// factors there, of copying them back, of cuDSS (its refactorisation, with its own order); ratios;
// whether a solve has the same bits.  Matrices that are not definite are left out.
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
#include "support/processor_time.hpp"
#include "support/program.hpp"

#include <filesystem>

namespace {

using namespace ddla;

constexpr bench::repeats some{.least = 2, .most = 10, .seconds = 0.5};

struct outcome {
    double host = 0, lists = 0, device = 0, copy = 0;
    bool same_bits = false;
};

/// Both makers of one L, by turns.
template <scalar F>
outcome make_both(const factor::supernodes& s, const factor::sparse_columns<F>& lower)
{
    outcome out;
    std::atomic<double> done = 0;
    factor::llt_values<F> here(s), there(s);
    here.allocate();
    there.allocate();
    const factor::chunk_runner run{host_threads(), run_on_host};
    out.host = least_time(
        some, [&] { factor::make_llt(s, lower, here, run, done); }, bench::wall_seconds);
    device_backend::queue& in = device_backend::gpu_at(0).own();
    using maker = device_backend::factor_maker<F>;
    std::optional<maker> made;
    const auto begin = [&] {
        made.reset();
        made.emplace(in, s, there, factor::triangles::lower, done);
    };
    out.lists = least_time(some, begin, bench::wall_seconds);
    double* values = nullptr;
    out.device = HUGE_VAL;
    for (int k = 0; k < 3; ++k) {
        begin();
        const double start = bench::wall_seconds();
        values = made->values(lower, true);
        made->make_definite(values);
        out.device = std::min(out.device, bench::wall_seconds() - start);
    }
    out.copy = least_time(
        some, [&] { made->download(values, there); }, bench::wall_seconds);
    out.same_bits = true;
    for (column_t q = 0; q < s.size(); ++q)
        for (index_t j = 0; j < s.width(q); ++j)
            for (index_t i = j; i < s.width(q) + s.below(q); ++i) {
                const F x = here.get(s, q, i, j), y = there.get(s, q, i, j);
                out.same_bits &= std::memcmp(&x, &y, sizeof x) == 0;
            }
    return out;
}

template <scalar F>
void compare(const std::string& name, const csr_matrix<double>& a)
{
    const auto options = factor::definite_options{.run = {host_threads(), run_on_host}};
    const auto f = factor::definite_factors<F>::make(a.view(), options);
    if (f.about().end != factor::factor_end::complete) return;
    const auto lower =
        factor::lower_triangle<F>(factor::columns_of(a.view()), f.parts().order, f.exponent());
    const outcome o = make_both<F>(f.parts(), lower);
    const double rival = bench::cudss_seconds(a, words_of<F> == 2);
    std::printf("%-16s %2s %8lld %8.2g | %9.2f %7.2f %9.2f %7.1f %9.2f | %7.3f %6.2f | %s\n",
                name.c_str(), words_of<F> == 1 ? "d" : "dd", static_cast<long long>(a.rows()),
                f.about().operations, 1e3 * o.host, 1e3 * o.lists, 1e3 * o.device, 1e3 * o.copy,
                1e3 * rival, o.device / o.host, o.device / rival, o.same_bits ? "same" : "OTHER");
}

struct asked {
    int threads = 1;
    bool in_dd = false;
    std::vector<index_t> planes, cubes;
    std::vector<std::string> files;
};

int measure(const asked& wanted)
{
    std::printf("%-16s %2s %8s %8s | %9s %7s %9s %7s %9s | %7s %6s | bits\n", "matrix", "", "n",
                "madds", "host ms", "lists", "device ms", "copy", "cuDSS ms", "/ host", "/cuDSS");
    set_host_threads(wanted.threads);
    const auto in_both = [&](const std::string& name, const csr_matrix<double>& a) {
        compare<double>(name, a);
        if (wanted.in_dd) compare<dd_real>(name, a);
    };
    for (const index_t n : wanted.planes)
        in_both("plane " + std::to_string(n), generate::poisson2d(n, n));
    for (const index_t n : wanted.cubes)
        in_both("cube " + std::to_string(n), generate::poisson3d(n, n, n));
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
    app.add_option("files", wanted.files, "Matrix Market files");
    return bench::run_program("bench_device_factors", app, argc, argv,
                              [&] { return measure(wanted); });
}
