// Conditions whose solves share passes through the factors: as if each was estimated by itself.
#include "errors/conditions.hpp"

#include "catch.hpp"
#include "refine/factor_stages.hpp"

#include "ddla/ddla.hpp"

using namespace ddla;
using namespace ddla::refine;

namespace {

struct outcome {
    bool is_whole;
    std::optional<condition_number> kappa1, skeel;
    double spent;
    std::string text;

    friend bool operator==(const outcome& a, const outcome& b)
    {
        const auto same = [](const auto& p, const auto& q) {
            return p.has_value() == q.has_value() &&
                   (!p || (p->value == q->value && p->at_least == q->at_least));
        };
        return a.is_whole == b.is_whole && same(a.kappa1, b.kappa1) && same(a.skeel, b.skeel) &&
               a.spent == b.spent && a.text == b.text;
    }
};

/// With this budget, and what is known before.
outcome conditions(const host_system<double>& system, const approximate_inverse& inverse,
                   double most, const error_estimates& known = {},
                   const std::optional<component_range>& judged = {})
{
    vector<dd_real> x(system.size());
    for (index_t i = 0; i < x.size(); ++i) x.set(i, dd_real(1) / (1 + i % 7));
    work_budget budget(most);
    error_estimates found = known;
    const approximate_inverse mine = charged(inverse, system.matrix().nonzeros(), budget);
    const bool is_whole =
        estimate_conditions(system, mine, std::as_const(x).view(), judged, budget, found);
    return {is_whole, found.condition_1, found.condition, budget.spent(),
            budget.was_passed() ? budget.text() : ""};
}

/// The same with and without solves of several systems, whatever the budget.
void compare(const csr_matrix<double>& a, const approximate_inverse& inverse)
{
    const vector<dd_real> b(a.rows(), dd_real(1));
    const host_system<double> system(a.view(), b.view());
    approximate_inverse single = inverse;
    single.solve_several = single.solve_several_transposed = {};
    REQUIRE(inverse.solve_several);
    const double all = conditions(system, single, HUGE_VAL).spent;
    const double work = work_of_correction(inverse, a.nonzeros());
    REQUIRE(all >= 4 * work);
    for (double most = 0; most <= all + work; most += work)
        CHECK(conditions(system, inverse, most) == conditions(system, single, most));
    CHECK(conditions(system, inverse, all).is_whole);
    approximate_inverse of_all_words = inverse;
    of_all_words.several_in_double = of_all_words.several_transposed_in_double = {};
    CHECK(conditions(system, of_all_words, HUGE_VAL) == conditions(system, inverse, HUGE_VAL));
    CHECK_FALSE(conditions(system, inverse, all - work).is_whole);
    const auto probed = [&](const approximate_inverse& by) {
        work_budget budget;
        const double rate = probed_rate(system, charged(by, a.nonzeros(), budget));
        return std::pair(rate, budget.spent());
    };
    CHECK(probed(inverse) == probed(single));
    CHECK(probed(single).second == solves_of_probe * work);
    const component_range judged{1, a.rows() / 2};
    CHECK(conditions(system, inverse, HUGE_VAL, {}, judged) ==
          conditions(system, single, HUGE_VAL, {}, judged));
    error_estimates known;
    known.condition_1 = {7, true};
    CHECK(conditions(system, inverse, HUGE_VAL, known) ==
          conditions(system, single, HUGE_VAL, known));
}

}  // namespace

TEST_CASE("conditions that share passes through L L^T are those of each by itself")
{
    for (const index_t n : {1, 2, 9, 14}) {
        const auto a = generate::poisson2d(n, n);
        const auto f = definite_factors_in<double>(a.view(), {}, [](double) { return true; });
        compare(a, inverse_by(f));
        const auto g = definite_factors_in<dd_real>(a.view(), {}, [](double) { return true; });
        compare(a, inverse_by(g));
    }
}

TEST_CASE("conditions that share passes through L and U are those of each by itself")
{
    const auto a = generate::convection_diffusion(4, 5, 3);
    const auto f = factor_in<double>(a.view(), {}, [](double) { return true; });
    compare(a, inverse_by(f));
    const auto g = factor_in<dd_real>(a.view(), {}, [](double) { return true; });
    compare(a, inverse_by(g));
}

TEST_CASE("a probe of several systems charges what it takes one by one")
{
    const auto a = generate::poisson2d(5, 5);
    const vector<dd_real> b(a.rows(), dd_real(1));
    const host_system<double> system(a.view(), b.view());
    const index_t n = a.rows();
    // Of each start: the number of the solve whose result is not finite, or 0 for none.
    for (const int first : {0, 1, 2})
        for (const int second : {0, 1, 2}) {
            int solved = 0;
            const auto copy = [](vec<const dd_real> r, vec<dd_real> d, bool is_wrong) {
                for (index_t i = 0; i < r.size; ++i) d.set(i, r.get(i) * 0.25);
                if (is_wrong) d.set(0, dd_real(HUGE_VAL));
            };
            approximate_inverse single{{}, {}, {}, 0x1p-52, {}};
            single.work = 1;
            single.solve = [&](vec<const dd_real> r, vec<dd_real> d) {
                ++solved;
                copy(r, d, solved <= 2 ? solved == first : solved - 2 == second);
            };
            approximate_inverse several = single;
            int pass = 0;
            several.solve_several = [&](vec<const dd_real> r, vec<dd_real> d) {
                const bool has_first = ++pass == 1 || first != 1;
                for (index_t k = 0; k < r.size / n; ++k) {
                    const int of = k == 0 && has_first ? first : second;
                    copy(r.part(k * n, n), d.part(k * n, n), of == pass);
                }
            };
            work_budget budget;
            const double rate = probed_rate(system, charged(several, 0, budget));
            work_budget alone;
            CHECK(rate == probed_rate(system, charged(single, 0, alone)));
            CHECK(budget.spent() == alone.spent());
        }
}

TEST_CASE("solves of several systems that stall count up to the one that stalls")
{
    const auto a = generate::poisson2d(7, 7);
    const auto f = definite_factors_in<double>(a.view(), {}, [](double) { return true; });
    approximate_inverse stalls = inverse_by(f);
    const correction right = stalls.solve;
    // Wrong where the first element of r is large, as it is for some of the columns.
    const correction wrong = [right](vec<const dd_real> r, vec<dd_real> d) {
        const index_t n = 49;
        for (index_t first = 0; first < r.size; first += n) {
            const bool is_wrong = r.word(0)[first] < 0;
            right(r.part(first, n), d.part(first, n));
            if (is_wrong) d.set(first, d.get(first) * 3);
        }
    };
    stalls.solve = stalls.solve_transposed = stalls.solve_several =
        stalls.solve_several_transposed = wrong;
    stalls.several_in_double =
        stalls.several_transposed_in_double = [wrong](vec<const double> r, vec<double> d) {
            std::vector<double> low(static_cast<std::size_t>(r.size));
            const vec<dd_real> whole(d.word(0), low.data(), r.size);
            for (index_t i = 0; i < r.size; ++i) whole.set(i, dd_real(r.get(i)));
            wrong(whole, whole);
        };
    const vector<dd_real> b(a.rows(), dd_real(1));
    const host_system<double> system(a.view(), b.view());
    approximate_inverse single = stalls;
    single.solve_several = single.solve_several_transposed = {};
    const outcome one = conditions(system, single, HUGE_VAL);
    CHECK(one.kappa1->at_least);
    CHECK(conditions(system, stalls, HUGE_VAL) == one);
    stalls.several_in_double = stalls.several_transposed_in_double = {};
    CHECK(conditions(system, stalls, HUGE_VAL) == one);
}

TEST_CASE("solves of several systems in double that take many corrections keep low words")
{
    const auto a = generate::poisson2d(9, 9),
               near = generate::convection_diffusion(9, 9, 1, 0, -1.99);
    const auto f = definite_factors_in<double>(near.view(), {}, [](double) { return true; });
    REQUIRE(f.about().end == factor::factor_end::complete);
    compare(a, inverse_by(f));
}
