// Full rank of systems of 10^5 unknowns, proved where it is there, never where it is not.
#include "catch.hpp"

#include "engine/host_loops.hpp"
#include "factor/rank/full_rank.hpp"

#include "ddla/csr_matrix.hpp"
#include "ddla/generate.hpp"
#include "ddla/host_threads.hpp"

using namespace ddla::factor;
using ddla::csr_matrix;
using ddla::index_t;

namespace {

full_rank_report proof(const csr_matrix<double>& a)
{
    static_options o;
    o.common.run = {ddla::host_threads(), ddla::run_on_host};
    return prove_full_rank(a.view(), o);
}

/// Differences along the edges of an n x n grid, G, and a pressure at each point, of which one is
/// held: [L, G; G^T, 0], whose leading blocks are singular.  L is zero on edges of rows: since
/// these have no cycle, the whole is not singular.
csr_matrix<double> saddle_point(index_t n)
{
    const index_t points = n * n, edges = 2 * n * (n - 1);
    ddla::coordinates<double> a{.rows = edges + points, .columns = edges + points};
    index_t edge = 0;
    const auto add_edge = [&](index_t i, index_t j) {
        if (j != i + 1) a.add(edge, edge, 4);
        for (const auto& [point, sign] : {std::pair(i, 1.0), std::pair(j, -1.0)}) {
            a.add(edge, edges + point, sign);
            a.add(edges + point, edge, sign);
        }
        ++edge;
    };
    for (index_t y = 0; y < n; ++y)
        for (index_t x = 0; x < n; ++x) {
            if (x + 1 < n) add_edge(y * n + x, y * n + x + 1);
            if (y + 1 < n) add_edge(y * n + x, (y + 1) * n + x);
        }
    a.add(edges, edges, 1);
    return csr_matrix<double>(a);
}

/// 5 points; without a boundary the rows have the sum 0.
csr_matrix<double> neumann(index_t n)
{
    ddla::coordinates<double> a{.rows = n * n, .columns = n * n};
    for (index_t k = 0; k < n * n; ++k) {
        double sum = 0;
        const auto add = [&](bool is_inside, index_t j) {
            if (!is_inside) return;
            a.add(k, j, -1);
            ++sum;
        };
        add(k % n > 0, k - 1);
        add(k % n < n - 1, k + 1);
        add(k >= n, k - n);
        add(k < n * n - n, k + n);
        a.add(k, k, sum);
    }
    return csr_matrix<double>(a);
}

/// Row `to` becomes row `from`, rows times powers of two.
csr_matrix<double> with_equal_rows(const csr_matrix<double>& of, index_t from, index_t to,
                                   bool badly_scaled)
{
    ddla::coordinates<double> a{.rows = of.rows(), .columns = of.columns()};
    const auto rows = of.view();
    for (index_t i = 0; i < of.rows(); ++i) {
        const index_t k = i == to ? from : i;
        const int power = badly_scaled ? static_cast<int>(i * 37 % 601) - 300 : 0;
        for (index_t e = rows.row_begin[k]; e < rows.row_begin[k + 1]; ++e)
            a.add(i, rows.column[e], std::ldexp(rows.value.get(e), power));
    }
    return csr_matrix<double>(a);
}

}  // namespace

TEST_CASE("full rank of saddle points and badly scaled grids of 10^5 unknowns is proved",
          "[factor][rank][repeats]")
{
    const auto saddle = proof(saddle_point(183));
    CHECK(saddle.n > 100'000);
    CHECK(saddle.is_proved());
    const auto grid = ddla::generate::poisson2d(320, 320);
    CHECK(proof(with_equal_rows(grid, 7, 7, true)).is_proved());
}

TEST_CASE("nothing is proved of singular systems of 10^5 unknowns", "[factor][rank][repeats]")
{
    const auto grid = ddla::generate::poisson2d(320, 320);
    for (const auto& a : {neumann(320), with_equal_rows(grid, 5000, 95000, false),
                          with_equal_rows(grid, 5000, 95000, true)}) {
        const auto r = proof(a);
        CHECK(r.end == factor_end::complete);
        CHECK(r.without >= 1);
        CHECK_FALSE(r.is_proved());
        CHECK(r.determinant == 0);
    }
}
