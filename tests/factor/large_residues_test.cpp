// Rank and consistency of systems of 10^5 unknowns.
#include "catch.hpp"
#include "support/insulated_grid.hpp"

#include "engine/host_loops.hpp"
#include "factor/rank/residue_factors.hpp"

#include "ddla/csr_matrix.hpp"
#include "ddla/generate.hpp"
#include "ddla/host_threads.hpp"

using namespace ddla::factor;
using ddla::column_t;
using ddla::csr_matrix;
using ddla::index_t;
using ddla::vector;
using dd = ddla::dd_real;

namespace {

residue_factors factors_of(const csr_matrix<double>& a,
                           residue_modulus modulo = residue_modulus::first)
{
    static_options o;
    o.common.run = {ddla::host_threads(), ddla::run_on_host};
    return residue_factors::make(a.view(), o, modulo);
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
    const auto saddle = factors_of(saddle_point(183)).about();
    CHECK(saddle.n > 100'000);
    CHECK(saddle.is_nonsingular());
    const auto grid = ddla::generate::poisson2d(320, 320);
    CHECK(factors_of(with_equal_rows(grid, 7, 7, true)).about().is_nonsingular());
}

TEST_CASE("rank and consistency of singular systems of 10^5 unknowns are found",
          "[factor][rank][repeats]")
{
    const auto grid = ddla::generate::poisson2d(320, 320);
    for (const auto& a : {test::insulated_grid(320, 320), with_equal_rows(grid, 5000, 95000, false),
                          with_equal_rows(grid, 5000, 95000, true)}) {
        const auto f = factors_of(a);
        CHECK(f.about().end == factor_end::complete);
        CHECK(f.about().without >= 1);
        CHECK(f.about().rank == a.rows() - 1);
        CHECK(f.about().determinant == 0);
        const vector<dd> b = test::image_of_integers(a);
        CHECK(f.is_consistent(b.view()));
        const std::vector<column_t> rows = f.left_null_support(0);
        const bool is_grid = rows.size() == as_size(a.rows());  // … insulated: all rows add up to 0
        CHECK((is_grid || rows == std::vector<column_t>{5000, 95000}));
        vector<dd> other = b;
        other.set(95000, dd(double(b[95000]), 0x1p-400));
        CHECK_FALSE(f.is_consistent(other.view()));
    }
}
