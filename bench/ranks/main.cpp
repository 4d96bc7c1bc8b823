// Time of an iteration on ranks with a device each: strong and weak scaling on 7-point grids.
//
//     bench_ranks --side 200 --ranks 2
//
// Each line is the mean of 200 iterations, from solves of 50 and of 250; of three pairs the least.
#include "grid_rows.hpp"
#include "support/program.hpp"
#include "textbook_cg.hpp"

#include "ddla/distributed.hpp"
#include "ddla/nccl.hpp"

#include <cstdio>
#include <mutex>

namespace {

using bench::grid;
using ddla::index_t;
using ddla::vector;

struct asked {
    index_t side = 200;
    int ranks = 2;
    bool rival = true;
} options;

struct measured {
    double seconds = 0;  ///< of an iteration
    std::uint64_t hash = 0;
    ddla::rank_traffic traffic;
};

ddla::distributed_matrix<double> matrix_of(const grid& of,
                                           const std::shared_ptr<ddla::communicator>& ranks)
{
    const index_t r = ranks->rank(), count = ranks->size();
    bench::compressed_rows rows =
        bench::rows_of_grid(of, of.points() * r / count, of.points() * (r + 1) / count);
    return ddla::distributed_matrix<double>(ranks, of.points(), of.points(),
                                            std::move(rows.row_begin), std::move(rows.column),
                                            vector<double>(rows.value))
        .to(ddla::device(ranks->rank()));
}

template <class T>
ddla::solve_report solved(const ddla::distributed_matrix<double>& a, ddla::method m, int iterations)
{
    const vector<T> b(a.local_rows(), T(1), a.where());
    vector<T> x(a.local_columns(), a.where());
    return ddla::solve(a, b, x, {.method = m, .tolerance = 1e-300, .max_iterations = iterations});
}

template <class T>
measured iteration(const ddla::distributed_matrix<double>& a, ddla::method m)
{
    measured found{1e300, 0, {}};
    solved<T>(a, m, 10);
    for (int times = 0; times < 3; ++times) {
        const double few = solved<T>(a, m, 50).seconds;
        const ddla::solve_report many = solved<T>(a, m, 250);
        found.seconds = std::min(found.seconds, (many.seconds - few) / 200);
        found.hash = many.solution_hash;
    }
    const ddla::rank_traffic before = a.traffic();
    solved<T>(a, m, 100);
    const ddla::rank_traffic now = a.traffic();
    found.traffic = {now.sums - before.sums, now.numbers - before.numbers,
                     now.products - before.products, now.messages - before.messages,
                     now.bytes - before.bytes};
    return found;
}

void print(const grid& of, const char* route, int ranks, const char* what, const measured& m)
{
    std::printf(
        "%lld x %lld x %lld, %d %s, %-16s %9.1f us an iteration, hash %016llx; 100 iterations: "
        "%llu sums of %llu numbers, %llu messages of %llu bytes\n",
        static_cast<long long>(of.nx), static_cast<long long>(of.ny), static_cast<long long>(of.nz),
        ranks, route, what, m.seconds * 1e6, static_cast<unsigned long long>(m.hash),
        static_cast<unsigned long long>(m.traffic.sums),
        static_cast<unsigned long long>(m.traffic.numbers),
        static_cast<unsigned long long>(m.traffic.messages),
        static_cast<unsigned long long>(m.traffic.bytes));
    std::fflush(stdout);
}

void measure_on(const grid& of, int ranks, bool by_nccl)
{
    ddla::run_ranks(ranks, [&](auto threads) {
        const int me = threads->rank();
        const auto among = by_nccl ? ddla::with_nccl(threads, me) : threads;
        const char* const route = by_nccl ? "NCCL" : "host";
        const auto a = matrix_of(of, among);
        const auto line = [&](const char* what, const measured& m) {
            if (me == 0) print(of, route, ranks, what, m);
        };
        line("CG double", iteration<double>(a, ddla::method::cg));
        line("CG DD", iteration<ddla::dd_real>(a, ddla::method::cg));
        line("BiCGStab double", iteration<double>(a, ddla::method::bicgstab));
        line("BiCGStab DD", iteration<ddla::dd_real>(a, ddla::method::bicgstab));
    });
}

void measure_rival(const grid& of, int ranks)
{
    ddla::run_ranks(ranks, [&](auto threads) {
        const double seconds = bench::seconds_of_textbook_cg(of, *threads, threads->rank());
        if (threads->rank() == 0) print(of, "textbook", ranks, "CG double", {seconds, 0, {}});
    });
}

int measure()
{
    const index_t n = options.side;
    const grid strong{n, n, n}, weak{n, n, n * options.ranks};
    if (options.rival) measure_rival(strong, 1);
    measure_on(strong, 1, false);
    for (const grid& of : {strong, weak}) {
        if (options.rival) measure_rival(of, options.ranks);
        measure_on(of, options.ranks, false);
        measure_on(of, options.ranks, true);
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv)
{
    CLI::App app("Ranks with a device each");
    app.add_option("--side", options.side, "points along each side of the grid of one device");
    app.add_option("--ranks", options.ranks, "ranks, and devices");
    app.add_flag("!--no-rival", options.rival, "leave the textbook out");
    return bench::run_program("bench_ranks", app, argc, argv, measure);
}
