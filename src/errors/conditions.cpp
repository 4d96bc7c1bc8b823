// Conditions of a system, as far as the budget of work allows.
#include "conditions.hpp"

#include "refine/inverse_norms.hpp"

namespace ddla::refine {
namespace {

/// One of the norms that are looked for together.
struct condition_search {
    condition_search(const inverse_norm& of, index_t n) : norm(of), search(n) {}

    inverse_norm norm;
    norm_search search;
    int solves = 0;  ///< that it takes by itself
    std::size_t columns = 0;

    void ask(std::vector<asked_product>& asked)
    {
        const inverse_norm::product& p = norm.of(search);
        const std::size_t before = asked.size();
        for (real_vector& v : search.columns()) {
            if (p.before) p.before(v);
            asked.push_back({std::move(v), p.by_transpose});
        }
        columns = asked.size() - before;
    }
    /// Its part of what was asked for; returns the end of it.
    refined_product* take(refined_product* first)
    {
        const inverse_norm::product& p = norm.of(search);
        refined_product* const end = first + columns;
        std::vector<std::optional<real_vector>> images;
        for (refined_product* r = first; r < end; ++r) {
            images.push_back(std::move(r->y));
            if (images.back() && p.after) p.after(*images.back());
        }
        const std::size_t looked_at = search.take(std::move(images));
        for (std::size_t k = 0; k < looked_at; ++k) solves += first[k].solves;
        return end;
    }
};

/// Runs the searches side by side: false where they take more than the budget has.  Charges
/// nothing.
template <scalar V>
bool search_together(const host_system<V>& system, const approximate_inverse& approximate,
                     double work, const work_budget& budget,
                     std::vector<condition_search>& searches)
{
    double solves = 0;
    const auto may_go_on = [&](index_t next) {
        solves += static_cast<double>(next);
        return budget.has_room(solves * work);
    };
    for (;;) {
        std::vector<asked_product> asked;
        for (condition_search& s : searches)
            if (!s.search.is_done()) s.ask(asked);
        if (asked.empty()) return true;
        auto found = refined_solves(system, approximate, std::move(asked), may_go_on);
        if (!found) return false;
        refined_product* next = found->data();
        for (condition_search& s : searches)
            if (!s.search.is_done()) next = s.take(next);
    }
}

/// What solves by themselves charge, up to the first that the budget does not allow.
void charge(int solves, double work, work_budget& budget)
{
    for (; solves > 0 && budget.allows(work); --solves) budget.charge(work);
}

/// The norms that were asked for, in their order, up to the one that the budget ends: as if each
/// had been estimated after the one before.
template <scalar V>
std::vector<norm_estimate> estimate_all(const std::vector<inverse_norm>& norms,
                                        const host_system<V>& system,
                                        const approximate_inverse& approximate, work_budget& budget)
{
    const double work = work_of_correction(approximate, system.matrix().nonzeros());
    std::vector<norm_estimate> found;
    std::vector<condition_search> searches;
    if (approximate.solve_several)
        for (const inverse_norm& norm : norms) searches.emplace_back(norm, system.size());
    if (!searches.empty() && search_together(system, approximate, work, budget, searches)) {
        for (const condition_search& s : searches) {
            charge(s.solves, work, budget);
            if (budget.was_passed()) break;
            found.push_back(s.norm.of(s.search.found()));
        }
        return found;
    }
    for (const inverse_norm& norm : norms) {
        const norm_estimate e = estimate(norm, system, approximate);
        if (budget.was_passed()) break;
        found.push_back(e);
    }
    return found;
}

}  // namespace

template <scalar V>
bool estimate_conditions(const host_system<V>& system, const approximate_inverse& approximate,
                         vec<const dd_real> x, const std::optional<component_range>& judged,
                         work_budget& budget, error_estimates& estimates)
{
    estimates.condition.reset();
    std::vector<inverse_norm> norms;
    const bool lacks_kappa1 = !estimates.condition_1;
    if (lacks_kappa1) norms.push_back(norm_of_kappa1(system));
    const auto skeel = norm_of_skeel(system, x, judged);
    if (skeel) norms.push_back(*skeel);
    const auto found = estimate_all(norms, system, approximate, budget);
    if (lacks_kappa1) {
        if (found.empty()) return false;
        estimates.condition_1 = {found.front().value, !found.front().complete};
    }
    if (found.size() < norms.size() || budget.was_passed()) return false;
    const norm_estimate of_skeel = skeel ? found.back() : norm_estimate{};
    estimates.condition = {of_skeel.value, !of_skeel.complete};
    return true;
}

#define DDLA_INSTANTIATE(V)                                                                        \
    template bool estimate_conditions(const host_system<V>&, const approximate_inverse&,           \
                                      vec<const dd_real>, const std::optional<component_range>&,   \
                                      work_budget&, error_estimates&);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::refine
