// What is wrong on one rank, and watches: the calls of all ranks end.
#include "support/ranks.hpp"

#include "ddla/generate.hpp"
#include "ddla/text.hpp"

#include <stdexcept>
#include <utility>

using namespace test;
using ddla::method;
using ddla::preconditioning;
using ddla::solve_options;
using ddla::solve_report;

namespace {

solve_options named(method m, preconditioning k = preconditioning::none)
{
    return {
        .method = m, .precond = k, .tolerance = 1e-9, .max_iterations = 60, .record_history = true};
}

}  // namespace

TEST_CASE("a watch of rank 0 ends the factors that it makes for all", "[ranks]")
{
    const auto a = ddla::generate::convection_diffusion(16, 17, 18);
    const cuts begin = even_cuts(a.rows(), 3);
    findings all;
    ddla::run_ranks(3, [&](auto among) {
        const auto mine = part_of(a, begin, among);
        const ddla::vector<double> b(mine.local_rows(), 1.0);
        ddla::vector<double> own(mine.local_columns());
        solve_options o;
        if (among->rank() == 0) o.watch = [](const ddla::solve_progress&) { return false; };
        const solve_report r = ddla::solve(mine, b, own, o);
        all.require(r.interrupted, "interrupted");
        all.require(r.status != ddla::solve_status::converged, "status");
    });
    CHECK(all.wrong() == "");
}

TEST_CASE("rank 0 tells what it gathers", "[ranks]")
{
    const auto a = ddla::generate::convection_diffusion(8, 9, 10);
    std::vector<std::string> stages;
    ddla::run_ranks(3, [&](auto among) {
        const auto mine = part_of(a, even_cuts(a.rows(), 3), among);
        const ddla::vector<double> b(mine.local_rows(), 1.0);
        ddla::vector<double> own(mine.local_columns());
        solve_options o;
        if (among->rank() == 0)
            o.watch = [&](const ddla::solve_progress& now) {
                stages.emplace_back(now.stage);
                return true;
            };
        ddla::solve(mine, b, own, o);
    });
    const index_t bytes = a.nonzeros() * (8 + 4 + 8) + a.rows() * 3 * 8;
    REQUIRE(!stages.empty());
    CHECK(stages.front() == "gather " + std::to_string(bytes) + " bytes on rank 0");
}

namespace {

/// What each rank says of what it is to refuse.
template <class Work>
std::vector<std::string> refusals(int ranks, const Work& work)
{
    std::vector<std::string> said(static_cast<std::size_t>(ranks));
    try {
        ddla::run_ranks(ranks, [&](auto among) {
            try {
                work(among);
            } catch (const ddla::input_error& e) {
                said[static_cast<std::size_t>(among->rank())] = std::string("input: ") + e.what();
                throw;
            } catch (const std::exception& e) {
                said[static_cast<std::size_t>(among->rank())] = e.what();
                throw;
            }
        });
    } catch (const std::exception&) {
    }
    return said;
}

/// A solve whose b and x a rank has changed.
template <class Change>
std::vector<std::string> refused_solve(const ddla::csr_matrix<double>& a, const cuts& begin,
                                       const solve_options& options, const Change& change)
{
    return refusals(static_cast<int>(begin.size()) - 1, [&](auto among) {
        const auto mine = part_of(a, begin, among);
        ddla::vector<double> own(mine.local_columns()), b(mine.local_rows(), 1.0);
        change(among->rank(), b, own);
        ddla::solve(mine, b, own, options);
    });
}

std::vector<std::string> by_all(const std::string& text)
{
    return std::vector<std::string>(3, text);
}

}  // namespace

TEST_CASE("what is wrong on one rank ends the calls of all", "[ranks]")
{
    const auto a = ddla::generate::convection_diffusion(11, 13, 17);
    const cuts begin = even_cuts(a.rows(), 3);
    const solve_options o = named(method::bicgstab);
    for (int times = 0; times < 20; ++times) {
        CHECK(refused_solve(a, begin, o, [](int rank, auto& b, auto&) {
                  if (rank == 1) b = ddla::vector<double>(5);
              }) == by_all("input: solve: b has 5 elements on rank 1, which has 810"));
        CHECK(refused_solve(a, begin, o,
                            [&](int rank, auto& b, auto&) {
                                if (rank == 1) b.set(3, NAN);
                            }) == by_all("input: solve: element " + std::to_string(begin[1] + 3) +
                                         " of b is Inf or NaN"));
    }
    const auto alone = refused_solve(a, begin, o, [](int rank, auto&, auto&) {
        if (rank == 2) throw ddla::resource_error("this rank has had enough");
    });
    CHECK(alone == std::vector<std::string>{"another rank has failed", "another rank has failed",
                                            "this rank has had enough"});
    CHECK_THROWS_AS(ddla::run_ranks(0, [](auto) {}), ddla::input_error);
}

TEST_CASE("ranks must have as many systems", "[ranks]")
{
    const auto a = ddla::generate::convection_diffusion(11, 13, 17);
    const auto said = refusals(3, [&](auto among) {
        const auto mine = part_of(a, even_cuts(a.rows(), 3), among);
        const std::size_t count = among->rank() == 2 ? 1 : 2;
        const std::vector<ddla::vector<double>> b(count,
                                                  ddla::vector<double>(mine.local_rows(), 1.0));
        std::vector<ddla::vector<double>> x(count, ddla::vector<double>(mine.local_columns()));
        ddla::solve(mine, b, x, named(method::cg));
    });
    CHECK(said == by_all("input: solve: rank 2 has 1 systems, rank 0 has 2"));
}

TEST_CASE("a watch that throws on one rank ends the calls of all", "[ranks]")
{
    const auto a = ddla::generate::convection_diffusion(11, 13, 17);
    const auto said = refusals(3, [&](auto among) {
        const auto mine = part_of(a, even_cuts(a.rows(), 3), among);
        const ddla::vector<double> b(mine.local_rows(), 1.0);
        ddla::vector<double> own(mine.local_columns());
        solve_options o = named(method::bicgstab);
        if (among->rank() == 1)
            o.watch = [](const ddla::solve_progress&) -> bool { throw std::runtime_error("no"); };
        ddla::solve(mine, b, own, o);
    });
    CHECK(said ==
          std::vector<std::string>{"another rank has failed", "no", "another rank has failed"});
}

TEST_CASE("messages of ranks count over all of them", "[ranks]")
{
    const auto wide = random_matrix<double>(700, 2900, 6, [](index_t) { return 5; });
    CHECK(refused_solve(wide, even_cuts(700, 3), named(method::lsmr), [](int rank, auto&, auto& x) {
              if (rank == 1) x.set(2, NAN);
          }) == by_all("input: solve: element 1026 of x is Inf or NaN"));
    ddla::coordinates<double> entries{1000, 1000, {}, {}, {}};
    for (index_t i = 0; i < 1000; ++i)
        if (i != 700) entries.add(i, i, 2);
    const ddla::csr_matrix<double> singular(entries);
    const auto said = refused_solve(singular, even_cuts(1000, 3),
                                    named(method::bicgstab, preconditioning::block_jacobi),
                                    [](int, auto&, auto&) {});
    for (const std::string& one : said)
        CHECK_THAT(one, Catch::Contains("a block is singular, row 701 has no pivot"));
}

TEST_CASE("ranks of very different size end together", "[ranks]")
{
    // Loops over more than 2^18 rows can be ended half-way where they run on one rank alone.
    const index_t n = 337920;
    const auto a = ddla::generate::toeplitz(n, 0.5);
    const cuts begin{0, 327680, n};
    for (const auto& [m, k] : {std::pair(method::bicgstab, preconditioning::none),
                               std::pair(method::refinement, preconditioning::jacobi)})
        for (const int looks : {2, 5, 9}) {
            findings all;
            std::vector<std::int64_t> iterations(2);
            ddla::run_ranks(2, [&, m = m, k = k](auto among) {
                const auto mine = part_of(a, begin, among);
                const ddla::vector<ddla::dd_real> b(mine.local_rows(), 1.0);
                ddla::vector<ddla::dd_real> own(mine.local_columns());
                solve_options o = named(m, k);
                o.tolerance = 1e-30;
                int seen = 0;
                if (among->rank() == 0)
                    o.watch = [&](const ddla::solve_progress&) { return ++seen < looks; };
                const solve_report r = ddla::solve(mine, b, own, o);
                all.require(r.interrupted, "interrupted");
                iterations[static_cast<std::size_t>(among->rank())] = r.iterations;
            });
            INFO(to_string(m) << ", " << looks << " looks");
            CHECK(all.wrong() == "");
            CHECK(iterations[0] == iterations[1]);
        }
}
