// Systems for which LU replaces pivots: what heals them, and what is not claimed where nothing
// does.
#include "catch.hpp"

#include "support/random.hpp"

#include "ddla/blas.hpp"
#include "ddla/dd_math.hpp"
#include "ddla/generate.hpp"
#include "ddla/solve.hpp"

#include <cmath>

using ddla::csr_matrix;
using ddla::dd_real;
using ddla::index_t;

namespace {

/// A of integers and, where that is said, small powers of two; x of small integers; b = A x
/// exactly.
struct known_system {
    csr_matrix<double> a;
    ddla::vector<dd_real> b, x;
};

/// A full matrix by rows.
class full_matrix {
public:
    explicit full_matrix(index_t n) : n_(n), all_(static_cast<std::size_t>(n * n)) {}
    double& at(index_t i, index_t j) { return all_[static_cast<std::size_t>(i * n_ + j)]; }

    /// With x of integers from 1 to 5.
    known_system system()
    {
        std::vector<index_t> begin = {0};
        std::vector<ddla::column_t> column;
        std::vector<double> value;
        known_system s{{}, ddla::vector<dd_real>(n_), ddla::vector<dd_real>(n_)};
        for (index_t j = 0; j < n_; ++j) s.x.set(j, static_cast<double>(j % 5 + 1));
        for (index_t i = 0; i < n_; ++i) {
            dd_real sum = 0;
            for (index_t j = 0; j < n_; ++j) {
                sum += dd_real(at(i, j)) * s.x[j];
                if (at(i, j) == 0) continue;
                column.push_back(static_cast<ddla::column_t>(j));
                value.push_back(at(i, j));
            }
            begin.push_back(static_cast<index_t>(value.size()));
            s.b.set(i, sum);
        }
        ddla::vector<double> values(static_cast<index_t>(value.size()));
        for (std::size_t k = 0; k < value.size(); ++k)
            values.set(static_cast<index_t>(k), value[k]);
        s.a = csr_matrix<double>(n_, n_, begin, column, std::move(values));
        return s;
    }

private:
    index_t n_;
    std::vector<double> all_;
};

/// U V^T + 40 P, U and V of `rank` columns, P a permutation by half of all: every block of
/// neighbours on the diagonal has that rank at most, and LU that pivots within such blocks lacks
/// pivots, or has those that `on_diagonal` leaves.  `nearly_dependent`: column 7 is the sum of two
/// others but for 2^-30 in one row.
known_system low_rank_blocks(index_t n, index_t rank, bool nearly_dependent, double on_diagonal = 0)
{
    test::random_numbers random(11);
    std::vector<double> u, v;
    for (index_t k = 0; k < n * rank; ++k) {
        u.push_back(std::floor(random.real() * 7) - 3);
        v.push_back(std::floor(random.real() * 7) - 3);
    }
    full_matrix a(n);
    for (index_t i = 0; i < n; ++i)
        for (index_t j = 0; j < n; ++j) {
            for (index_t k = 0; k < rank; ++k)
                a.at(i, j) += u[static_cast<std::size_t>(i * rank + k)] *
                              v[static_cast<std::size_t>(j * rank + k)];
            if (j == (i + n / 2) % n) a.at(i, j) += 40;
            if (i == j) a.at(i, j) += (a.at(i, j) == 0 ? 1 : 0) + on_diagonal;
        }
    for (index_t i = 0; nearly_dependent && i < n; ++i)
        a.at(i, 7) = a.at(i, 3) + a.at(i, 300) + (i == 200 ? 0x1p-30 : 0);
    return a.system();
}

/// The same with U U^T, so that A is symmetric, and its diagonal positive.
known_system symmetric_low_rank_blocks(index_t n, index_t rank, bool nearly_dependent)
{
    test::random_numbers random(12);
    std::vector<double> u;
    for (index_t k = 0; k < n * rank; ++k) u.push_back(std::floor(random.real() * 7) - 3);
    full_matrix a(n);
    for (index_t i = 0; i < n; ++i)
        for (index_t j = 0; j < n; ++j) {
            for (index_t k = 0; k < rank; ++k)
                a.at(i, j) += u[static_cast<std::size_t>(i * rank + k)] *
                              u[static_cast<std::size_t>(j * rank + k)];
            if (j == (i + n / 2) % n) a.at(i, j) += 40;
        }
    if (!nearly_dependent) return a.system();
    for (index_t i = 0; i < n; ++i)
        a.at(i, 7) = a.at(7, i) = a.at(i, 3) + a.at(i, 300) + (i == 200 ? 0x1p-30 : 0);
    a.at(7, 7) = a.at(7, 3) + a.at(7, 300);
    return a.system();
}

/// Right digits of the worst component.
double digits(const ddla::vector<dd_real>& x, const ddla::vector<dd_real>& truth)
{
    double worst = 0;
    for (index_t i = 0; i < x.size(); ++i)
        worst = std::max(worst, std::fabs(to_double((x[i] - truth[i]) / truth[i])));
    return worst > 0 ? -std::log10(worst) : 32;
}

bool has_stage(const ddla::solve_report& r, const std::string& begin, const std::string& end)
{
    for (const ddla::solve_stage& s : r.plan)
        if (s.name.starts_with(begin) && s.name.ends_with(end)) return true;
    return false;
}

}  // namespace

TEST_CASE("LU by columns heals replaced pivots", "[refine][static]")
{
    for (const bool nearly_dependent : {false, true}) {
        const known_system s = low_rank_blocks(450, 20, nearly_dependent);
        ddla::vector<dd_real> x(450);
        const auto r = ddla::solve(s.a, s.b, x, {});
        CHECK(has_stage(r, "factor in double, ", "pivots replaced"));
        CHECK(has_stage(r, "factor in double, threshold pivots", ""));
        CHECK(r.status == ddla::solve_status::converged);
        REQUIRE(r.digits);
        CHECK(*r.digits >= 12);
        CHECK(digits(x, s.x) >= *r.digits - 0.5);
        CHECK(r.errors.condition_1->value > (nearly_dependent ? 1e14 : 1e3));
    }
}

TEST_CASE("LU by columns heals replaced pivots of L D L^T", "[refine][static][ldlt][repeats]")
{
    for (const bool nearly_dependent : {false, true}) {
        const known_system s = symmetric_low_rank_blocks(450, 20, nearly_dependent);
        ddla::vector<dd_real> x(450);
        const auto r = ddla::solve(s.a, s.b, x, {});
        CHECK(r.plan[0].name == "factor in double, L L^T");
        CHECK(has_stage(r, "factor in double, L D L^T, ", "replaced"));
        CHECK(has_stage(r, "factor in double, threshold pivots", ""));
        CHECK(r.status == ddla::solve_status::converged);
        REQUIRE(r.digits);
        CHECK(*r.digits >= 12);
        CHECK(digits(x, s.x) >= *r.digits - 0.5);
        CHECK(r.errors.condition_1->value > (nearly_dependent ? 1e12 : 1e3));
    }
}

TEST_CASE("LU by columns heals numbers that have grown", "[refine][static]")
{
    const known_system s = low_rank_blocks(450, 20, true, 0x1p-32);
    ddla::vector<dd_real> x(450);
    const auto r = ddla::solve(s.a, s.b, x, {});
    CHECK(r.plan[0].name == "factor in double");
    CHECK(has_stage(r, "factor in double, threshold pivots", ""));
    CHECK(r.status == ddla::solve_status::converged);
    REQUIRE(r.digits);
    CHECK(digits(x, s.x) >= *r.digits - 0.5);
}

TEST_CASE("LU by columns follows numbers that overflow", "[refine][static]")
{
    // Beside a grid, whose work asks for supernodes, a cycle in which each pivot makes the next
    // entry 2^40 times as large.  x is 1 everywhere.
    const csr_matrix<double> grid = ddla::generate::convection_diffusion(16, 16, 16);
    constexpr index_t n = 60;
    ddla::coordinates<double> c{.rows = grid.rows() + n, .columns = grid.rows() + n};
    for (index_t i = 0; i < grid.rows(); ++i)
        for (index_t e = grid.view().row_begin[i]; e < grid.view().row_begin[i + 1]; ++e)
            c.add(i, grid.view().column[e], grid.view().value.get(e));
    for (index_t k = 0; k < n; ++k) {
        c.add(grid.rows() + k, grid.rows() + (k + n - 1) % n, 1);
        c.add(grid.rows() + k, grid.rows() + k, 0x1p-40);
        c.add(grid.rows() + k, grid.rows() + (k + 1) % n, 0x1p-100);
    }
    const csr_matrix<double> a(c);
    ddla::vector<dd_real> ones(a.rows(), dd_real(1)), b(a.rows()), x(a.rows());
    ddla::spmv(1, a, ones, 0, b);
    const auto r = ddla::solve(a, b, x, {});
    CHECK(r.plan[0].name == "factor in double");
    CHECK(r.status == ddla::solve_status::converged);
    REQUIRE(r.digits);
    CHECK(digits(x, ones) >= 12);
}

TEST_CASE("GMRES heals replaced pivots where LU by columns is too large", "[refine][static]")
{
    const known_system s = low_rank_blocks(450, 20, false);
    ddla::vector<dd_real> x(450);
    const auto r = ddla::solve(s.a, s.b, x, {.factorisation = {.most_memory = 3'000'000}});
    CHECK(has_stage(r, "factor in double, ", "pivots replaced"));
    CHECK(has_stage(r, "factor in double, threshold pivots", "too large"));
    CHECK(r.plan.back().name == "refine by GMRES");
    CHECK(r.status == ddla::solve_status::converged);
    REQUIRE(r.digits);
    CHECK(digits(x, s.x) >= *r.digits - 0.5);
}

TEST_CASE("nothing is claimed of replaced pivots that nothing heals", "[refine][static]")
{
    for (const bool nearly_dependent : {false, true}) {
        const known_system s = low_rank_blocks(450, 20, nearly_dependent);
        ddla::vector<dd_real> x(450);
        // LU by columns takes 3e7, by supernodes it counts as 1e6.
        const auto r = ddla::solve(s.a, s.b, x, {.factorisation = {.most_work = 0.01}});
        CHECK(has_stage(r, "factor in double, ", "pivots replaced, not healed"));
        CHECK(r.status != ddla::solve_status::converged);
        CHECK_FALSE(r.digits);
        CHECK_FALSE(r.errors.trusted);
    }
}

TEST_CASE("full rank of a large, nearly singular system is proved", "[refine][static][repeats]")
{
    // The shift is the smallest eigenvalue, but for its rounding.
    const double sine = std::sin(std::acos(-1.0) / 42);
    const auto a = ddla::generate::convection_diffusion(20, 20, 20, 0, -12 * sine * sine);
    const ddla::vector<dd_real> b(a.rows(), dd_real(1));
    ddla::vector<dd_real> x(a.rows());
    const auto r = ddla::solve(a, b, x, {});
    CHECK(has_stage(r, "factor in double, L D L^T", ""));
    CHECK(has_stage(r, "rank modulo a prime", ""));
    CHECK(r.errors.condition_1->value > 1e12);
    REQUIRE(r.rank);
    CHECK(r.rank->value == a.rows());
    CHECK(r.rank->proved);
    CHECK(r.rank->consistent);
    CHECK(r.status == ddla::solve_status::converged);
}

TEST_CASE("nothing is proved of a matrix with entries that share a place", "[refine][static]")
{
    // Their sum rounds: as stored the second row is three times the first.
    const csr_matrix<double> a(2, 2, {0, 3, 6}, {0, 0, 1, 0, 0, 1},
                               {1, 0x1p-53, 1, 3, 3 * 0x1p-53, 3});
    const ddla::vector<dd_real> b(2, dd_real(1));
    ddla::vector<dd_real> x(2);
    const auto r = ddla::solve(a, b, x, {});
    REQUIRE(r.rank);
    CHECK_FALSE(r.rank->proved);
}
