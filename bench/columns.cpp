// Products of A with eight vectors at once beside eight single products, and solves likewise, on
// one thread of the host or on device 0.
//
//     bench_columns [--device] [FILE.mtx…]
//
// A line for each matrix and for grids, each as compressed rows and in the format that `auto`
// takes: milliseconds of eight single products and of one of eight, and their ratio, in double and
// double-double; then the ratio of BiCGStab in double-double, 20 iterations.  On the host in
// processor time of the thread, on a device in the time until the work is done; there short work is
// repeated for some milliseconds, so that the wait for the device does not count.
#include "ddla/generate.hpp"
#include "ddla/matrix_market.hpp"
#include "ddla/solve.hpp"
#include "ddla/sparse_format.hpp"
#include "support/processor_time.hpp"
#include "support/program.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <string>

namespace {

constexpr std::size_t count = 8;

ddla::place where = ddla::host;

/// On the host of the processor, by this thread: other work on the machine does not count.
double seconds_now()
{
    if (!where.is_host()) {
        // A copy of a vector waits for all work on vectors there.
        static const ddla::vector<double> something(1, where);
        something.to(ddla::host);
        return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
            .count();
    }
    return bench::processor_seconds();
}

struct times {
    double alone = HUGE_VAL, together = HUGE_VAL;

    double ratio() const { return together / alone; }
};

template <class Work>
double seconds_of(const Work& work, int turns)
{
    const double begin = seconds_now();
    for (int k = 0; k < turns; ++k) work();
    return (seconds_now() - begin) / turns;
}

/// The shortest of each, by turns.
template <class Alone, class Together>
times best_times(const Alone& alone, const Together& together)
{
    int turns = 1;
    if (!where.is_host()) {
        alone();
        turns = std::clamp(static_cast<int>(4e-3 / seconds_of(alone, 3)), 1, 200);
    }
    times best;
    double total = 0;
    for (int k = 0; k < 30 && (k < 4 || total < 2); ++k) {
        const double one = seconds_of(alone, turns), other = seconds_of(together, turns);
        best.alone = std::min(best.alone, one);
        best.together = std::min(best.together, other);
        total += turns * (one + other);
    }
    return best;
}

template <class T>
std::vector<ddla::vector<T>> vectors(ddla::index_t n)
{
    std::vector<ddla::vector<T>> all;
    for (std::size_t j = 0; j < count; ++j) {
        ddla::vector<T> x(n);
        for (ddla::index_t i = 0; i < n; ++i)
            x.set(i, T(1) + T(static_cast<double>(i % 7 + ddla::index_t(j))) / T(3));
        all.push_back(x.to(where));
    }
    return all;
}

template <class T>
times products(const ddla::csr_matrix<double>& a)
{
    const auto x = vectors<T>(a.columns());
    std::vector<ddla::vector<T>> y(count, ddla::vector<T>(a.rows(), where));
    return best_times(
        [&] {
            for (std::size_t j = 0; j < count; ++j) ddla::spmv(T(1), a, x[j], T(0), y[j]);
        },
        [&] { ddla::spmv(T(1), a, x, T(0), y); });
}

times solves(const ddla::csr_matrix<double>& a)
{
    using T = ddla::dd_real;
    const auto b = vectors<T>(a.rows());
    const ddla::solve_options options{
        .method = ddla::method::bicgstab, .tolerance = 0.0, .max_iterations = 20};
    return best_times(
        [&] {
            for (const auto& one : b) {
                ddla::vector<T> x(a.columns(), where);
                ddla::solve(a, one, x, options);
            }
        },
        [&] {
            std::vector<ddla::vector<T>> x(count, ddla::vector<T>(a.columns(), where));
            ddla::solve(a, b, x, options);
        });
}

void line(const std::string& name, const ddla::csr_matrix<double>& a)
{
    const times in_double = products<double>(a), in_dd = products<ddla::dd_real>(a);
    std::printf("%-28s %9lld %10lld  %8.3f %8.3f %5.2f  %8.3f %8.3f %5.2f", name.c_str(),
                static_cast<long long>(a.rows()), static_cast<long long>(a.nonzeros()),
                1e3 * in_double.alone, 1e3 * in_double.together, in_double.ratio(),
                1e3 * in_dd.alone, 1e3 * in_dd.together, in_dd.ratio());
    if (a.rows() == a.columns()) std::printf("  %5.2f", solves(a).ratio());
    std::printf("\n");
}

void lines(const std::string& name, const ddla::csr_matrix<double>& here)
{
    ddla::csr_matrix<double> a = here.to(where);
    line(name, a);
    if (ddla::set_format<ddla::dd_real>(a).format != ddla::sparse_format::csr)
        line(name + " (auto)", a);
}

int measure(const std::vector<std::string>& files)
{
    ddla::set_host_threads(1);
    std::printf("%-28s %9s %10s  %8s %8s %5s  %8s %8s %5s  %5s\n", "matrix", "rows", "entries",
                "double:8", "together", "ratio", "dd:8", "together", "ratio", "solve");
    lines("grid 64^3", ddla::generate::poisson3d(64, 64, 64));
    lines("convection 100^3", ddla::generate::convection_diffusion(100, 100, 100));
    if (!where.is_host()) lines("grid 128^3", ddla::generate::poisson3d(128, 128, 128));
    for (const std::string& file : files)
        lines(std::filesystem::path(file).filename().string(), ddla::read_matrix<double>(file));
    return 0;
}

}  // namespace

int main(int argc, char** argv)
{
    std::vector<std::string> files;
    CLI::App app("Products of A with eight vectors at once beside eight single products");
    app.add_flag_callback(
        "--device", [] { where = ddla::device(0); }, "on device 0, not on one thread of the host");
    app.add_option("files", files, "Matrix Market files");
    return bench::run_program("bench_columns", app, argc, argv, [&] { return measure(files); });
}
