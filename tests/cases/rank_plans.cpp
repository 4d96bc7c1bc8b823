// Plans of ranks: those of one process, after what rank 0 gathers.
#include "support/ranks.hpp"

#include "catch.hpp"

#include "ddla/generate.hpp"

#include <limits>

using namespace test;
using ddla::planned_stage;
using ddla::solve_options;

namespace {

using stages = std::vector<planned_stage>;

std::string text_of(const planned_stage& s)
{
    return s.name + "|" + s.does + "|" + s.follows + "|" + s.starts_from + "|" + s.judged + "|" +
           std::to_string(s.work.amount) + "|" + std::to_string(s.bytes.amount) + "|" +
           std::to_string(s.entries) + "|" + s.limit + "|" + std::to_string(s.most_iterations);
}

/// What rank 0 is told; the others must be told nothing.
stages told_on_ranks(const ddla::csr_matrix<double>& a, int ranks, const solve_options& options)
{
    stages told;
    findings all;
    run_ranks(ranks, [&](auto among) {
        const auto mine = part_of(a, even_cuts(a.rows(), ranks), among);
        const ddla::vector<ddla::dd_real> b(mine.local_rows(), 1.0, mine.where()),
            x(mine.local_columns(), 0.0, mine.where());
        stages here = ddla::plan_solve(mine, std::vector{b}, std::vector{x}, options);
        if (among->rank() == 0)
            told = std::move(here);
        else
            all.require(here.empty(), "a plan on another rank");
    });
    CHECK(all.wrong() == "");
    return told;
}

stages told_alone(const ddla::csr_matrix<double>& a, const solve_options& options)
{
    return ddla::plan_solve(a, ddla::vector<ddla::dd_real>(a.rows(), 1.0),
                            ddla::vector<ddla::dd_real>(a.rows()), options);
}

/// Behind some stages `on_ranks` has the first `count` of `alone`.
void require_begins_with(const stages& on_ranks, std::size_t skipped, const stages& alone,
                         std::size_t count)
{
    REQUIRE(on_ranks.size() >= skipped + count);
    for (std::size_t k = 0; k < count; ++k)
        CHECK(text_of(on_ranks[skipped + k]) == text_of(alone[k]));
}

/// Those that work with factors come first, and do not iterate by a method.
std::size_t stages_of_factors(const stages& all)
{
    std::size_t count = 0;
    while (count < all.size() && !all[count].follows.starts_with("factors of A are too large"))
        ++count;
    return count;
}

}  // namespace

TEST_CASE("plans of ranks that gather", "[ranks]")
{
    const auto a = ddla::generate::poisson3d(8, 9, 10);
    const stages alone = told_alone(a, {});
    for (const int ranks : rank_counts()) {
        INFO(ranks << " ranks");
        const stages told = told_on_ranks(a, ranks, {});
        REQUIRE(told.size() > 2);
        CHECK(told[0].name == "gather");
        CHECK(told[0].limit.empty());
        CHECK(told[0].bytes.amount ==
              static_cast<double>(a.nonzeros() * (8 + 4 + 8) + a.rows() * 3 * 8));
        const std::size_t factors = stages_of_factors(alone);
        REQUIRE(factors > 1);
        REQUIRE(alone[0].entries > 0);
        require_begins_with(told, 1, alone, factors);
        CHECK(told[1 + factors].name == "bicgstab");
        CHECK(told[1 + factors].follows == "factors of A are too large");
    }
}

TEST_CASE("plans of ranks with a method", "[ranks]")
{
    const auto a = ddla::generate::convection_diffusion(11, 13, 17);
    for (const auto m : {ddla::method::bicgstab, ddla::method::fgmres}) {
        const solve_options o{.method = m, .precond = ddla::preconditioning::jacobi};
        const stages alone = told_alone(a, o), told = told_on_ranks(a, ranks_of(3), o);
        REQUIRE(told.size() == alone.size());
        require_begins_with(told, 0, alone, alone.size());
    }
}

TEST_CASE("plans of ranks where A is not gathered", "[ranks]")
{
    const auto a = ddla::generate::convection_diffusion(8, 9, 10);
    solve_options o;
    o.factorisation.most_memory = 1000;
    const stages told = told_on_ranks(a, ranks_of(2), o);
    REQUIRE(told.size() > 1);
    CHECK(told[0].limit.find("which one rank would have to hold (most_memory 1000)") !=
          std::string::npos);
    for (std::size_t k = 1; k < told.size(); ++k) CHECK(told[k].most_iterations > 0);
    o.method = ddla::method::refinement;
    CHECK(told_on_ranks(a, ranks_of(2), o).size() == 1);
}

TEST_CASE("plans of ranks check what solves check", "[ranks]")
{
    const auto a = ddla::generate::convection_diffusion(8, 9, 10);
    solve_options o;
    o.digits = 99;
    CHECK_THROWS_AS(told_on_ranks(a, ranks_of(3), o), ddla::input_error);
    for (const auto k : {ddla::preconditioning::ilu, ddla::preconditioning::lu}) {
        const solve_options named{.method = ddla::method::bicgstab, .precond = k};
        CHECK_THROWS_AS(told_on_ranks(a, ranks_of(3), named), ddla::input_error);
    }
    solve_options blocks{.method = ddla::method::bicgstab,
                         .precond = ddla::preconditioning::block_jacobi};
    CHECK(told_on_ranks(a, ranks_of(3), blocks).size() == 2);
    blocks.preconditioner.blocks = {0, 100, a.rows()};
    CHECK_THROWS_AS(told_on_ranks(a, ranks_of(3), blocks), ddla::input_error);
}

TEST_CASE("plans of ranks where one rank is wrong", "[ranks]")
{
    const auto a = ddla::generate::convection_diffusion(8, 9, 10);
    findings all;
    run_ranks(ranks_of(3), [&](auto among) {
        const auto mine = part_of(a, even_cuts(a.rows(), ranks_of(3)), among);
        const bool is_last = among->rank() == among->size() - 1;
        ddla::vector<double> b(mine.local_rows(), 1.0);
        if (is_last) b.set(0, std::numeric_limits<double>::quiet_NaN());
        const std::vector<ddla::vector<double>> of_b{b.to(mine.where())},
            of_x{ddla::vector<double>(mine.local_columns(), 0.0, mine.where())};
        try {
            ddla::plan_solve(mine, of_b, of_x, {});
            all.require(false, "a plan in spite of NaN");
        } catch (const ddla::input_error&) {
        }
    });
    CHECK(all.wrong() == "");
}
