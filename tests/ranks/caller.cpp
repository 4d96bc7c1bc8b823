// A program of MPI that calls ddla with rows of its own: prints the hash of x on rank 0.
//
//     caller N    convection on a grid of N^3; ranks have ranges of rows that begin anywhere
#include "ddla/distributed.hpp"
#include "ddla/generate.hpp"
#include "ddla/mpi.hpp"

#include <cstdio>
#include <cstdlib>

namespace {

void solve_own_rows(ddla::index_t n)
{
    const auto all = ddla::generate::convection_diffusion(n, n, n);
    const auto ranks = ddla::communicator_of(MPI_COMM_WORLD);
    const ddla::csr<double> rows = all.view();
    // Uneven: rank r begins near (r / size)^2 of all rows.
    const auto begin_of = [&](ddla::index_t r) {
        return all.rows() * r * r / (ddla::index_t{ranks->size()} * ranks->size());
    };
    const ddla::index_t first = begin_of(ranks->rank()), end = begin_of(ranks->rank() + 1);
    const ddla::index_t from = rows.row_begin[first], to = rows.row_begin[end];
    std::vector<ddla::index_t> row_begin, column(rows.column + from, rows.column + to);
    for (ddla::index_t i = first; i <= end; ++i) row_begin.push_back(rows.row_begin[i] - from);
    ddla::vector<double> value(to - from);
    for (ddla::index_t k = from; k < to; ++k) value.set(k - from, rows.value.get(k));
    const ddla::distributed_matrix<double> a(ranks, all.rows(), all.columns(), row_begin, column,
                                             std::move(value));
    const ddla::vector<ddla::dd_real> b(a.local_rows(), ddla::dd_real(1));
    ddla::vector<ddla::dd_real> x(a.local_columns());
    const auto report = ddla::solve(a, b, x, {.method = ddla::method::bicgstab});
    if (ranks->rank() == 0)
        std::printf("%016llx\n", static_cast<unsigned long long>(report.solution_hash));
}

}  // namespace

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    solve_own_rows(argc > 1 ? std::atoi(argv[1]) : 8);
    MPI_Finalize();
}
