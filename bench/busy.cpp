// A small solve on a busy machine: time of a BiCGStab iteration, alone and with one spinning thread
// on every processor.  Medians over whole solves; the ratio is what matters: a fair scheduler
// leaves half of a processor, so about 2 to 3 is what a solver should lose.
#include "ddla/generate.hpp"
#include "ddla/solve.hpp"
#include "support/median.hpp"
#include "support/program.hpp"

#include <atomic>
#include <chrono>
#include <thread>

namespace {

double median_solve(const ddla::csr_matrix<double>& a, int solves)
{
    const ddla::vector<ddla::dd_real> b(a.rows(), 1.0);
    return bench::median(solves, [&] {
        ddla::vector<ddla::dd_real> x(a.rows());
        const auto report = ddla::solve(
            a, b, x,
            {.method = ddla::method::bicgstab, .tolerance = 1e-26, .max_iterations = 1000});
        return report.seconds / static_cast<double>(report.iterations);
    });
}

void report(const char* name, const ddla::csr_matrix<double>& a, int solves)
{
    const double alone = median_solve(a, solves);
    std::atomic<bool> stop{false};
    std::vector<std::thread> busy;
    for (unsigned i = 0; i < std::thread::hardware_concurrency(); ++i)
        busy.emplace_back([&] {
            while (!stop.load(std::memory_order_relaxed)) {
            }
        });
    const double beside = median_solve(a, solves);
    stop = true;
    for (auto& t : busy) t.join();
    std::printf("%-24s %9.2f us an iteration alone, %9.2f us beside busy threads: %.2f times\n",
                name, alone * 1e6, beside * 1e6, beside / alone);
}

int measure()
{
    std::printf("BiCGStab in double-double, %d threads allowed\n", ddla::host_threads());
    report("187 rows", ddla::generate::poisson2d(17, 11), 21);
    report("4,096 rows (7-point)", ddla::generate::poisson3d(16, 16, 16), 5);
    report("32,768 rows (7-point)", ddla::generate::poisson3d(32, 32, 32), 3);
    return 0;
}

}  // namespace

int main(int argc, char** argv)
{
    CLI::App app("A small solve on a busy machine");
    return bench::run_program("bench_busy", app, argc, argv, measure);
}
