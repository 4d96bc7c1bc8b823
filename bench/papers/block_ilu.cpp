// bench_papers_blocks FOLDER: iterations of BiCGStab with ILU(0) of blocks on the diagonal of A, as
// programs factor A that give each thread a block of its rows, and of wathen120 by its densities.
//
// The matrices of the paper of 2012 that FOLDER has, and wathen120.  b = ones, x0 = 0, 1e-12.
#include "paper_matrices.hpp"
#include "record_file.hpp"

#include "support/program.hpp"

#include "ddla/matrix_market.hpp"
#include "ddla/solve.hpp"

#include <algorithm>

namespace {

using namespace bench;
using namespace ddla;

constexpr index_t numbers_of_blocks[] = {1, 2, 4, 8, 16};
constexpr std::uint64_t seeds = 10;
constexpr const char* names[] = {"memplus", "add20", "circuit_2", "Pd", "dw1024"};

/// The first row of block k: blocks differ by one row at most, the larger ones first.
index_t first_row(index_t rows, index_t blocks, index_t k)
{
    return k * (rows / blocks) + std::min(k, rows % blocks);
}

csr_matrix<double> blocks_on_diagonal(const csr_matrix<double>& a, index_t blocks)
{
    const csr<double> from = a.view();
    coordinates<double> kept{.rows = a.rows(), .columns = a.columns()};
    for (index_t k = 0; k < blocks; ++k) {
        const index_t begin = first_row(a.rows(), blocks, k);
        const index_t end = first_row(a.rows(), blocks, k + 1);
        for (index_t i = begin; i < end; ++i)
            for (index_t e = from.row_begin[i]; e < from.row_begin[i + 1]; ++e)
                if (from.column[e] >= begin && from.column[e] < end)
                    kept.add(i, from.column[e], from.value.get(e));
    }
    return csr_matrix<double>(kept);
}

template <scalar T>
json solved(const csr_matrix<double>& a, const preconditioner<T>& k)
{
    const vector<T> b(a.rows(), T(1));
    vector<T> x(a.rows());
    const solve_report r = solve(
        a, k, b, x, {.method = method::bicgstab, .tolerance = 1e-12, .max_iterations = 10000});
    return {{"iterations", r.iterations},
            {"relative_residual", r.relative_residual},
            {"true_relative_residual", r.true_relative_residual},
            {"status", std::string(to_string(r.status))}};
}

void solve_with_blocks(const std::string& name, const csr_matrix<double>& a, record_file& results)
{
    for (const index_t blocks : numbers_of_blocks) {
        const std::string kind = std::to_string(blocks) + " blocks";
        if (results.has(name, kind)) continue;
        const csr_matrix<double> kept = blocks_on_diagonal(a, blocks);
        results.add({{"name", name},
                     {"kind", kind},
                     {"blocks", blocks},
                     {"entries", a.nonzeros()},
                     {"entries_of_blocks", kept.nonzeros()},
                     {"double", solved(a, preconditioner<double>::ilu(kept))},
                     {"double-double", solved(a, preconditioner<dd_real>::ilu(kept))}});
        std::cout << name << ", " << kind << '\n';
    }
}

/// The densities are drawn, and the least diagonal entry is small where all around are.
void solve_by_densities(record_file& results)
{
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        const std::string kind = "densities " + std::to_string(seed);
        if (results.has("wathen120", kind)) continue;
        const csr_matrix<double> a = wathen(120, 100, seed);
        const vector<double> d = diagonal(a);
        double least = d[0];
        for (index_t i = 1; i < d.size(); ++i) least = std::min(least, double(d[i]));
        results.add({{"name", "wathen120"},
                     {"kind", kind},
                     {"least_diagonal", least},
                     {"double", solved(a, preconditioner<double>())},
                     {"double-double", solved(a, preconditioner<dd_real>())}});
        std::cout << "wathen120, " << kind << '\n';
    }
}

}  // namespace

int main(int argc, char** argv)
{
    std::string folder, file;
    CLI::App app("BiCGStab with ILU(0) of blocks, on the matrices of the paper of 2012");
    app.add_option("folder", folder)->required()->check(CLI::ExistingDirectory);
    add_json(app, file);
    return run_program("bench_papers_blocks", app, argc, argv, [&] {
        record_file results(file, "blocks", 1e9);
        for (const auto& path : matrix_files(folder, 0))
            if (std::count(std::begin(names), std::end(names), name_of_matrix(path)) > 0)
                solve_with_blocks(name_of_matrix(path), read_matrix<double>(path), results);
        solve_with_blocks("wathen120", wathen(120, 100, 1), results);
        solve_by_densities(results);
        results.complete();
        return 0;
    });
}
