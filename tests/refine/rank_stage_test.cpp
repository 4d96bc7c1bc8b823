// Where a solve looks for the rank of a large system: by supernodes, or by elimination by columns.
#include "catch.hpp"
#include "support/insulated_grid.hpp"

#include "answer/solve_at_work.hpp"
#include "errors/kept_factors.hpp"
#include "factor/rank/residue_factors.hpp"

#include "ddla/generate.hpp"

#include <numeric>

using namespace ddla;
using namespace ddla::refine;

namespace {

struct system_at_work {
    explicit system_at_work(const answer_request& asked)
        : system_at_work(generate::convection_diffusion(18, 18, 18),
                         vector<dd_real>(18 * 18 * 18, dd_real(1)), asked)
    {
    }
    system_at_work(csr_matrix<double> matrix, vector<dd_real> right, const answer_request& asked)
        : a(std::move(matrix)), b(std::move(right)), request(asked),
          solve(system, x.view(), request)
    {
    }
    void look(bool asks_for_zeros)
    {
        solve.exact->look_at_rank(asks_for_zeros, [](std::int64_t) {});
    }
    bool has_proof() const
    {
        return solve.found.rank && solve.found.rank->value == a.rows() && solve.found.rank->proved;
    }

    const csr_matrix<double> a;
    const vector<dd_real> b;
    vector<dd_real> x = vector<dd_real>(a.rows());
    const answer_request request;
    const host_system<double> system{a.view(), b.view()};
    solve_at_work<double> solve;
};

/// In 10^9 multiplications: enough for the proof, not for LU by columns.
double work_between()
{
    const auto a = generate::convection_diffusion(18, 18, 18);
    return factor::residue_factors::make(a.view(), {}).about().operations / 2 / 1e9;
}

}  // namespace

TEST_CASE("supernodes tell rank and zeros where the elimination by columns has passed a limit",
          "[refine][rank][repeats]")
{
    system_at_work at({.factorisation = {.most_work = work_between()}});
    at.look(true);
    CHECK(at.has_proof());
    CHECK_FALSE(at.solve.found.plan.back().passed);
    CHECK(at.solve.exact->can_tell_zeros());
    CHECK(at.solve.exact->bytes() > 0);
    // Nothing is left to look for.
    const std::size_t stages = at.solve.found.plan.size();
    at.look(false);
    at.look(true);
    CHECK(at.solve.found.plan.size() == stages);
}

TEST_CASE("nothing is known of the rank where both ways have passed a limit", "[refine][rank]")
{
    system_at_work at({.factorisation = {.most_work = work_between() / 100}});
    at.look(true);
    CHECK_FALSE(at.solve.found.rank);
    CHECK(at.solve.found.plan.back().passed == limit_kind::work);
    CHECK_FALSE(at.solve.exact->can_tell_zeros());
    const std::size_t stages = at.solve.found.plan.size();
    at.look(false);
    CHECK_FALSE(at.solve.found.rank);
    CHECK(at.solve.found.plan.size() == stages);
}

TEST_CASE("a proof of full rank serves all right-hand sides, and zeros are found behind it",
          "[refine][rank]")
{
    kept_factors kept;
    system_at_work first({.kept = &kept});
    first.look(false);
    CHECK(first.has_proof());
    CHECK(first.solve.found.work.back() > 0);
    system_at_work second({.kept = &kept});
    second.look(false);
    CHECK(second.has_proof());
    CHECK(second.solve.found.work.back() == 0);
    second.look(true);
    CHECK(second.has_proof());
    CHECK(second.solve.exact->can_tell_zeros());
}

TEST_CASE("a proof of full rank that was stopped is not kept", "[refine][rank]")
{
    kept_factors kept;
    {
        system_at_work at({.watch = [](const solve_progress&) { return false; }, .kept = &kept});
        try {
            at.look(false);
        } catch (const interrupted_error&) {
        }
        CHECK_FALSE(at.solve.found.rank);
    }
    CHECK_FALSE(kept.full_rank);
    system_at_work again({.kept = &kept});
    again.look(false);
    CHECK(again.has_proof());
}

TEST_CASE("two primes tell the rank of a large singular system, and whether it has a solution",
          "[refine][rank]")
{
    const auto grid = test::insulated_grid(18, 18, 18);
    const index_t n = grid.rows();
    kept_factors kept;
    const answer_request request{.factorisation = {.most_work = work_between() / 2}, .kept = &kept};
    double made = 0;
    for (const bool is_consistent : {true, false}) {
        vector<dd_real> b = test::image_of_integers(grid);
        if (!is_consistent) b.set(7, dd_real(double(b[7]), 0x1p-60));
        system_at_work at(grid, b, request);
        at.look(false);
        REQUIRE(at.solve.found.rank);
        const rank_report& rank = *at.solve.found.rank;
        CHECK(rank.value == n - 1);
        CHECK_FALSE(rank.proved);
        CHECK(rank.consistent == is_consistent);
        CHECK(rank.dependent_rows.size() == 1);
        CHECK(rank.dependent_columns.size() == 1);
        CHECK(std::ssize(rank.combined_rows) == n);
        CHECK(std::ssize(rank.combined_columns) == n);
        CHECK_FALSE(at.solve.found.plan.back().passed);
        // The factors are those of the first b.
        const double work = at.solve.found.work.back();
        if (is_consistent) made = work;
        CHECK((work < 0.5 * made) == !is_consistent);
    }
}

TEST_CASE("zeros of a large system are those of two primes", "[refine][rank]")
{
    // On a grid with a boundary: x is antisymmetric, and zero in the middle plane.
    const auto grid = generate::poisson3d(19, 19, 19);
    vector<dd_real> b(grid.rows());
    for (index_t k = 0; k < b.size(); ++k)
        b.set(k, dd_real(static_cast<double>(k % 19 - 9) * static_cast<double>(1 + k / 19 % 19)));
    system_at_work at(grid, b, {.factorisation = {.most_work = work_between() / 2}});
    at.look(true);
    REQUIRE(at.solve.exact->can_tell_zeros());
    CHECK(at.solve.exact->bytes() > 0);
    std::vector<index_t> all(static_cast<std::size_t>(grid.rows()));
    std::iota(all.begin(), all.end(), 0);
    at.solve.exact->find_zeros(all, at.solve.x);
    for (index_t k = 0; k < grid.rows(); ++k)
        if (at.solve.exact->zeros().has(k) != (k % 19 == 9)) FAIL("component " << k);
    CHECK(at.solve.found.errors.certain_zeros == 19 * 19);
}

TEST_CASE("a prime that divides a row of A tells nothing of b", "[refine][rank]")
{
    // Both primes are doubles: row 5 of one matrix is 0 modulo each of them.
    for (const double prime : {0x1p50 - 1877, 0x1p50 - 3221})
        for (const bool is_singular : {false, true}) {
            const auto grid =
                is_singular ? test::insulated_grid(18, 18, 18) : generate::poisson3d(18, 18, 18);
            coordinates<double> c{.rows = grid.rows(), .columns = grid.rows()};
            const auto rows = grid.view();
            for (index_t i = 0; i < grid.rows(); ++i)
                for (index_t e = rows.row_begin[i]; e < rows.row_begin[i + 1]; ++e)
                    c.add(i, rows.column[e], (i == 5 ? prime : 1) * rows.value.get(e));
            vector<dd_real> b = test::image_of_integers(grid);
            b.set(5, is_singular ? b[5] * dd_real(prime) : dd_real(1));
            for (const bool is_consistent : {true, false}) {
                if (!is_consistent && !is_singular) continue;
                if (!is_consistent) b.set(7, dd_real(double(b[7]), 0x1p-60));
                system_at_work at(csr_matrix<double>(c), b,
                                  {.factorisation = {.most_work = work_between() / 2}});
                at.look(false);
                REQUIRE(at.solve.found.rank);
                CHECK(at.solve.found.rank->value == grid.rows() - (is_singular ? 1 : 0));
                CHECK(at.solve.found.rank->proved == !is_singular);
                CHECK(at.solve.found.rank->consistent == is_consistent);
            }
        }
}
