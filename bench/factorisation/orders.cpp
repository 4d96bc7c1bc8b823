// Orders of elimination beside METIS: counted operations of L L^T, and seconds on one thread.
//
//     bench_orders [--plane N]… [--cube N]… [--] [FILE.mtx…]
//
// A line a matrix.  Operations are those of the pattern of A + A^T, divided by METIS'; METIS and
// AMD keep their defaults.  "chosen" is what an LU in double takes: AMD where dissection costs more
// than it can save.  Geometric means at the end.
#include "factor/dissection/nested_dissection.hpp"
#include "factor/order/column_counts.hpp"
#include "factor/order/ordering.hpp"

#include "ddla/generate.hpp"
#include "ddla/matrix_market.hpp"
#include "support/processor_time.hpp"
#include "support/program.hpp"
#include "support/ratio_mean.hpp"

#include <filesystem>
#include <metis.h>

namespace {

using namespace ddla;
using factor::adjacency;
using factor::as_size;

constexpr bench::repeats some{.least = 1, .most = 10, .seconds = 0.5};

struct order_result {
    double operations = 0, seconds = 0;
};

template <class Make>
order_result measured(const adjacency& a, const Make& make)
{
    order_result r;
    std::vector<column_t> order;
    r.seconds = least_time(some, [&] { order = make(); });
    r.operations = count_elimination(a, order).operations;
    return r;
}

std::vector<column_t> metis_order(const adjacency& a)
{
    auto n = static_cast<idx_t>(a.size());
    std::vector<idx_t> begin = {0}, neighbour, order(as_size(n)), place(as_size(n));
    for (column_t j = 0; j < a.size(); ++j) {
        neighbour.insert(neighbour.end(), a.of(j).begin(), a.of(j).end());
        begin.push_back(static_cast<idx_t>(neighbour.size()));
    }
    idx_t options[METIS_NOPTIONS];
    METIS_SetDefaultOptions(options);
    if (METIS_NodeND(&n, begin.data(), neighbour.data(), nullptr, options, order.data(),
                     place.data()) != METIS_OK)
        throw std::runtime_error("METIS refuses a pattern");
    return {order.begin(), order.end()};
}

struct means {
    bench::ratio_mean operations, chosen, seconds;
};

void compare(const std::string& name, const csr_matrix<double>& matrix, means& all)
{
    if (matrix.rows() != matrix.columns() || matrix.rows() == 0) return;
    const auto columns = factor::columns_of(matrix.view());
    const factor::pattern p = pattern_of(columns);
    const adjacency a(p.begin, p.row);
    const order_result metis = measured(a, [&] { return metis_order(a); });
    const order_result dissection =
        measured(a, [&] { return factor::nested_dissection(a).order({}); });
    const order_result amd =
        measured(a, [&] { return order_columns(p, factor::ordering::amd, {}).column; });
    factor::elimination_order used;
    const order_result chosen = measured(a, [&] {
        used = order_by_counts(p, {}, {.work_of_operation = 2});
        return used.column;
    });
    all.operations.add(dissection.operations / metis.operations);
    all.chosen.add(chosen.operations / metis.operations);
    all.seconds.add(dissection.seconds / metis.seconds);
    std::printf("%-20s %8lld | %9.3e %6.3f %6.3f %6.3f %-10s | %8.3f %6.2f %6.2f %6.2f\n",
                name.c_str(), static_cast<long long>(matrix.rows()), metis.operations,
                dissection.operations / metis.operations, amd.operations / metis.operations,
                chosen.operations / metis.operations, name_of(used.used).data(), metis.seconds,
                dissection.seconds / metis.seconds, amd.seconds / metis.seconds,
                chosen.seconds / metis.seconds);
}

struct asked {
    std::vector<index_t> planes, cubes;
    std::vector<std::string> files;
};

int measure(const asked& wanted)
{
    std::printf("%-20s %8s | %9s %6s %6s %6s %-10s | %8s %6s %6s %6s\n", "matrix", "n", "METIS",
                "diss.", "AMD", "chosen", "", "METIS s", "diss.", "AMD", "chosen");
    means all;
    for (const index_t n : wanted.planes)
        compare("plane " + std::to_string(n), generate::poisson2d(n, n), all);
    for (const index_t n : wanted.cubes)
        compare("cube " + std::to_string(n), generate::poisson3d(n, n, n), all);
    for (const std::string& file : wanted.files)
        compare(std::filesystem::path(file).stem().string(), read_matrix<double>(file), all);
    std::printf("geometric means of %d: dissection %.3f of METIS' operations, chosen %.3f, in %.3f "
                "of its time\n",
                all.operations.count, all.operations.mean(), all.chosen.mean(), all.seconds.mean());
    return 0;
}

}  // namespace

int main(int argc, char** argv)
{
    asked wanted;
    CLI::App app("Orders of elimination beside METIS");
    app.add_option("--plane", wanted.planes, "5-point grids of N x N")->allow_extra_args(false);
    app.add_option("--cube", wanted.cubes, "7-point grids of N x N x N")->allow_extra_args(false);
    app.add_option("files", wanted.files, "Matrix Market files");
    return bench::run_program("bench_orders", app, argc, argv, [&] { return measure(wanted); });
}
