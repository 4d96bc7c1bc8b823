#include "corrected_x.hpp"

#include "errors/certify.hpp"
#include "errors/conditions.hpp"
#include "errors/sharp_errors.hpp"
#include "refine/factor_stages.hpp"
#include "refine/small_components.hpp"

#include <algorithm>

namespace ddla::refine {
namespace {

// In double-double: those of conditions, which take more than refinement, with what solves keep
// (factor/supernodal/kept_room.hpp).  LU by columns takes most.
constexpr std::int64_t vectors_by_double = 15, vectors_by_double_double = 18;
constexpr int vectors_of_low_parts = 2;
constexpr std::int64_t vectors_around_gmres = 16;

}  // namespace

template <scalar V>
void corrected_x<V>::refine_by_factors(const factor_stage& s)
{
    begin(s);
    approximate_ =
        charged(factors_.begin_to_refine(), solve_.system.matrix().nonzeros(), solve_.budget);
    add_corrections(probed_rate(solve_.system, approximate_));
}

template <scalar V>
void corrected_x<V>::refine_by_gmres(const factor_stage& s)
{
    const factors_in_double in_double = *factors_.in_double();
    gmres_ = *gmres_budget_of(in_double);
    gmres_.watch = [&] {
        return solve_.stages.report(solve_.found.steps, solve_.found.relative_residual, -1);
    };
    applied_ = in_double.inverse;
    approximate_ = charged(counted(inverse_by_gmres(solve_.system, applied_, gmres_)),
                           solve_.system.matrix().nonzeros(), solve_.budget);
    begin(s);
    const double rate = probed_rate(solve_.system, approximate_);
    solve_.count_bytes(factors_.bytes() + static_cast<std::int64_t>(gmres_.bytes) +
                       vectors_around_gmres * bytes_of_a_vector());
    // Unlike refinement it is too expensive where nothing could be trusted.
    if (rate < 0.5)
        add_corrections(rate);
    else
        solve_.stages.end();
}

template <scalar V>
bool corrected_x<V>::is_worth_gmres() const
{
    // Without a rank nothing could be claimed, unless weak pivots are why corrections stall.
    const auto in_double = factors_.in_double();
    const bool lacks_rank = solve_.may_be_singular() && !factors_.have_weak_pivots();
    if (!in_double || !solve_.goes_on() || solve_.is_singular() || lacks_rank ||
        !solve_.has_stalled())
        return false;
    return factors_.may_be_used() && gmres_budget_of(*in_double).has_value();
}

template <scalar V>
std::optional<gmres_budget> corrected_x<V>::gmres_budget_of(const factors_in_double& f) const
{
    return budget_for_gmres(f, solve_.system.matrix().nonzeros(), solve_.request.factorisation);
}

template <scalar V>
approximate_inverse corrected_x<V>::counted(approximate_inverse by_gmres)
{
    const auto counting = [this](const correction& solve) -> correction {
        return [this, solve](vec<const dd_real> r, vec<dd_real> d) {
            const double before = gmres_.work;
            solve(r, d);
            solve_.stages.count((gmres_.work - before) * work_in_dd);
        };
    };
    by_gmres.solve = counting(by_gmres.solve);
    by_gmres.solve_transposed = counting(by_gmres.solve_transposed);
    return by_gmres;
}

template <scalar V>
void corrected_x<V>::begin(const factor_stage& s)
{
    name_ = s.name;
    is_fresh_ = false;
    solve_.stages.begin(std::string(name_));
}

template <scalar V>
void corrected_x<V>::add_corrections(double rate)
{
    solve_.found.errors.condition_1.reset();
    rate_ = rate;
    is_open_ = true;
    rate_of_components_ = refine_once(false);
}

template <scalar V>
double corrected_x<V>::refine_once(bool waits_for_all)
{
    answer& found = solve_.found;
    found.bound.reset();  // x will change
    const refinement_limits limits = limits_of(waits_for_all);
    approximate_.memory->let_go();
    solve_.refined = refine(solve_.system, approximate_.solve, solve_.x, limits);
    solve_.is_judged = false;
    found.steps += solve_.refined.steps;
    // The next stage begins where the last one ended.
    if (!found.history.empty()) found.history.pop_back();
    found.history.insert(found.history.end(), solve_.refined.history.begin(),
                         solve_.refined.history.end());
    return sharpen();
}

template <scalar V>
double corrected_x<V>::sharpen()
{
    return sharpen_errors(solve_.system, approximate_, solve_.x, solve_.exact->zeros(),
                          solve_.refined);
}

template <scalar V>
refinement_limits corrected_x<V>::limits_of(bool waits_for_all)
{
    refinement_limits limits;
    limits.steps = most_corrections(solve_.x.words());
    limits.known_zero = solve_.exact->zeros().is;
    limits.waits_for_all = waits_for_all;
    limits.column_scale = approximate_.column_scale;
    limits.least_rate = std::max(approximate_.least_rate, rate_);
    limits.judged = solve_.request.judged();
    limits.contracts_as_a_whole = approximate_.contracts_as_a_whole;
    limits.watch = [&](int steps, double error) {
        return solve_.stages.report(solve_.found.steps + steps, error, -1);
    };
    return limits;
}

template <scalar V>
std::optional<double> corrected_x<V>::settle_small()
{
    constexpr double enough_for_double = 0x1p-60;
    if (solve_.is_singular() || solve_.stages.interrupted() ||
        solve_.request.goal != solve_goal::digits)
        return {};
    const double enough = solve_.request.words == 1 ? enough_for_double : 8 * rounding_of(2);
    return refine_small_components(solve_.system, approximate_.solve, solve_.x, limits_of(false),
                                   enough, solve_.refined);
}

template <scalar V>
void corrected_x<V>::leave_for_zeros()
{
    solve_.stages.end();
    was_left_ = true;
    has_moved_ = solve_.exact->mark_unreached(solve_.x);
    suspects_ = solve_.exact->suspects(solve_.x, solve_.refined.errors);
}

template <scalar V>
void corrected_x<V>::find_zeros()
{
    has_moved_ = solve_.exact->find_zeros(suspects_, solve_.x) || has_moved_;
}

template <scalar V>
void corrected_x<V>::refine_again()
{
    was_left_ = false;
    suspects_.clear();
    solve_.stages.begin(std::string(name_));
    forget_errors_of_zeros(solve_.refined, solve_.x, solve_.exact->zeros(),
                           solve_.request.judged());
    const bool has_others = !solve_.exact->suspects(solve_.x, solve_.refined.errors).empty();
    if (solve_.stages.interrupted() || solve_.is_singular() || !(has_moved_ || has_others))
        rate_of_components_ = sharpen();
    else
        rate_of_components_ = refine_once(true);
}

template <scalar V>
void corrected_x<V>::look()
{
    answer& found = solve_.found;
    const refinement_result& refined = solve_.refined;
    is_open_ = false;
    rate_of_components_ = settle_small().value_or(rate_of_components_);
    solve_.refined.next = vector<dd_real>(0);  // nobody asks for it again
    look_at_conditions();
    const std::int64_t low_parts = solve_.x.words() == 4 ? vectors_of_low_parts : 0,
                       vectors = approximate_.several_in_double ? vectors_by_double
                                                                : vectors_by_double_double;
    solve_.count_bytes(factors_.bytes() + (vectors + low_parts) * bytes_of_a_vector());
    solve_.judge.look(solve_.x,
                      {refined.normwise, refined.errors, rate_of_components_, solve_.exact->zeros(),
                       [&](const_solution_view x) {
                           return residual_errors(solve_.system, approximate_.solve, x);
                       }},
                      found);
    solve_.is_judged = true;
    found.overflowed_inside = refined.overflowed >= 0;
    if (found.overflowed_inside) found.overflowed = refined.overflowed;
    solve_.met = solve_.reaches_goal();
    solve_.stages.end(found.relative_residual, found.digits);
    is_fresh_ = !solve_.stages.interrupted();
}

template <scalar V>
void corrected_x<V>::look_at_conditions()
{
    if (solve_.is_singular() || solve_.stages.interrupted()) return;
    if (!estimate_conditions(solve_.system, approximate_, solve_.x.high, solve_.request.judged(),
                             solve_.budget, solve_.found.errors))
        solve_.found.unjudged = {limit_kind::work, solve_.budget.text(), limit_subject::conditions};
}

template <scalar V>
void corrected_x<V>::prove(const factor_stage& s)
{
    const answer_request& request = solve_.request;
    solve_.stages.begin(std::string(s.name));
    const inverse_bound inverse = bound_inverse(solve_.system, approximate_, request.factorisation,
                                                solve_.watch_of_factors());
    solve_.stages.count(inverse.work);
    solve_.count_bytes(factors_.bytes() + inverse.bytes);
    const bool is_of_another_x = request.certified.size() > 0;
    const const_solution_view x =
        is_of_another_x ? request.certified : const_solution_view(solve_.x);
    solve_.found.bound =
        bound_error(solve_.system, x, approximate_, inverse, solve_.exact->proved_zeros());
    solve_.stages.end();
    if (is_of_another_x) return;
    solve_.judge.take_bound(solve_.found);
    if (solve_.found.digits_proved) solve_.met = solve_.reaches_goal();
}

template class corrected_x<double>;
template class corrected_x<dd_real>;

}  // namespace ddla::refine
