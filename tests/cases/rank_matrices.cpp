// Real matrices on ranks: products and solves with the hash of one process.
#include "support/ranks.hpp"

#include "catch.hpp"

#include "ddla/linalg.hpp"
#include "ddla/matrix_market.hpp"

#include <cstdlib>
#include <filesystem>

using namespace test;
namespace fs = std::filesystem;

namespace {

/// Square, of a few tiles at least and not large; in the order of their names.
std::vector<fs::path> some_matrices(const fs::path& folder)
{
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        if (name.ends_with(".mtx") || name.ends_with(".mtx.gz")) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

template <class T>
std::string wrong_on_ranks(const ddla::csr_matrix<double>& a, int ranks)
{
    const auto x = random_vector<T>(a.rows(), 3);
    ddla::vector<T> y(a.rows()), solved(a.rows());
    ddla::spmv(T(1), a, x, T(0), y);
    const ddla::solve_options options{
        .method = ddla::method::bicgstab, .tolerance = 1e-12, .max_iterations = 40};
    const std::uint64_t hash = ddla::solve(a, x, solved, options).solution_hash;
    whole_vector<T> product(a.rows());
    findings all;
    run_ranks(ranks, [&](auto among) {
        const auto mine = part_of(a, even_cuts(a.rows(), ranks), among);
        ddla::vector<T> own_y(mine.local_rows(), mine.where()),
            own_x(mine.local_columns(), mine.where());
        mine.multiply(columns_of(x, mine), own_y);
        product.put(own_y, mine.first_row());
        all.require(ddla::solve(mine, rows_of(x, mine), own_x, options).solution_hash == hash,
                    "hash");
    });
    return all.wrong() + (same_bits(product.get(), y) ? "" : "A x");
}

}  // namespace

TEST_CASE("real matrices on ranks", "[ranks][repeats]")
{
    const char* const folder = std::getenv("DDLA_TEST_MATRICES");
    if (!folder) SKIP_CASE("set DDLA_TEST_MATRICES to a folder of .mtx and .mtx.gz files");
    int compared = 0;
    for (const fs::path& file : some_matrices(folder)) {
        const auto read = ddla::read_any_matrix<double>(file);
        const ddla::csr_matrix<double>& a = read.numbers;
        const bool is_usual = a.rows() == a.columns() && a.rows() >= 600 && a.rows() <= 20000;
        if (!is_usual || a.nonzeros() > 300000) continue;
        INFO(file);
        CHECK(wrong_on_ranks<double>(a, ranks_of(3)) == "");
        CHECK(wrong_on_ranks<ddla::dd_real>(a, ranks_of(2)) == "");
        if (++compared == 24) break;
    }
    CHECK(compared >= 20);
}
