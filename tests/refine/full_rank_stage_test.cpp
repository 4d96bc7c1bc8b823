// Where a solve looks for the rank of a large system: by a proof of full rank, or by elimination.
#include "catch.hpp"

#include "answer/solve_at_work.hpp"
#include "errors/kept_factors.hpp"
#include "factor/rank/full_rank.hpp"

#include "ddla/generate.hpp"

using namespace ddla;
using namespace ddla::refine;

namespace {

struct system_at_work {
    explicit system_at_work(const answer_request& asked)
        : request(asked), solve(system, x.view(), request)
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

    const csr_matrix<double> a = generate::convection_diffusion(18, 18, 18);
    const vector<dd_real> b = vector<dd_real>(a.rows(), dd_real(1));
    vector<dd_real> x = vector<dd_real>(a.rows());
    const answer_request request;
    const host_system<double> system{a.view(), b.view()};
    solve_at_work<double> solve;
};

/// In 10^9 multiplications: enough for the proof, not for LU by columns.
double work_between()
{
    const auto a = generate::convection_diffusion(18, 18, 18);
    return factor::prove_full_rank(a.view(), {}).operations / 2 / 1e9;
}

}  // namespace

TEST_CASE("full rank is proved where the elimination for zeros has passed a limit",
          "[refine][rank]")
{
    system_at_work at({.factorisation = {.most_work = work_between()}});
    at.look(true);
    CHECK_FALSE(at.solve.found.rank);
    CHECK(at.solve.found.plan.back().passed == limit_kind::work);
    CHECK_FALSE(at.solve.exact->can_tell_zeros());
    at.look(false);
    CHECK(at.has_proof());
    CHECK_FALSE(at.solve.exact->can_tell_zeros());
    // Neither is tried again.
    const std::size_t stages = at.solve.found.plan.size();
    at.look(false);
    at.look(true);
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
