// The stages of a solve by factors and refinement.
#include "answer.hpp"

#include "errors/certify.hpp"
#include "errors/conditions.hpp"
#include "errors/kept_factors.hpp"
#include "errors/rank.hpp"
#include "errors/sharp_errors.hpp"
#include "exact_findings.hpp"
#include "judge.hpp"
#include "refine/factor_stages.hpp"
#include "refine/gmres.hpp"
#include "stages.hpp"

#include <algorithm>
#include <cmath>

namespace ddla::refine {
namespace {

/// From here on factors may be those of a singular matrix, with noise for a pivot that is zero.
constexpr double doubtful_condition = 1e12;

// In double-double, with those of products with the inverse and of the estimate of a norm.
constexpr std::int64_t vectors_of_refinement = 20;
constexpr int vectors_of_low_parts = 2;
constexpr std::int64_t vectors_around_gmres = 16;

// Stages that refine.
constexpr const char* by_factors = name_of(factor_work::refine);
constexpr const char* by_gmres = name_of(factor_work::gmres);

template <scalar V>
class finder {
public:
    finder(const host_system<V>& system, solution_view x, const answer_request& request)
        : system_(system), x_(x), request_(request),
          stages_(answer_.plan, answer_.steps, request.watch), judge_(system, request),
          exact_(system, request, stages_, answer_), budget_(work_budget::of(request.factorisation))
    {
    }

    /// An interruption ends the work where it is; x is that of the last refinement.
    answer find()
    try {
        is_last_ = !wants(factor_precision::in_double_double);
        if (wants(factor_precision::in_double)) solve_in<double>();
        is_last_ = true;
        if (goes_on() && wants(factor_precision::in_double_double)) solve_in<dd_real>();
        return end();
    } catch (const interrupted_error&) {
        stages_.cut();
        return end();
    }
    answer improve(const approximate_inverse& given)
    try {
        is_last_ = true;
        solve_by(given);
        return end();
    } catch (const interrupted_error&) {
        stages_.cut();
        return end();
    }

private:
    answer end()
    {
        answer_.interrupted = stages_.interrupted();
        if (!is_judged_) judge_.look_in_haste(x_, answer_);
        if (!answer_.digits_proved && (may_be_singular() || is_singular())) distrust();
        if (is_singular())
            answer_.errors.unsettled = {};  // x is one of many, or none
        else
            exact_.explain(answer_.errors.unsettled, answer_.interrupted);
        if (answer_.rank)
            answer_.rank->numerically_singular =
                is_numerically_singular(*answer_.rank, system_.size(), answer_.errors.condition_1);
        if (!std::isfinite(answer_.relative_residual))
            answer_.relative_residual = judge_.residual_of(x_, answer_.interrupted);
        answer_.status = status();
        if (request_.certify && !answer_.bound)
            answer_.bound.emplace().why = is_singular()      ? "A is singular"
                                          : answer_.unjudged ? answer_.unjudged->text
                                          : answer_.overflowed >= 0
                                              ? "x is out of the range of double"
                                          : answer_.interrupted ? "interrupted"
                                                                : "no factors are good enough";
        return std::move(answer_);
    }
    bool wants(factor_precision p) const
    {
        const factor_precision asked = request_.factorisation.factors;
        return asked == factor_precision::automatic || asked == p;
    }
    bool goes_on() const
    {
        return !met_ && !stages_.interrupted() && !answer_.limit && !answer_.unjudged &&
               !is_inconsistent();
    }
    bool has_residual_alone() const { return is_singular() || answer_.unjudged; }
    bool is_singular() const { return answer_.rank && answer_.rank->value < system_.size(); }
    /// No x solves it; of least squares: too many x, of which the augmented system finds none.
    bool is_inconsistent() const
    {
        return is_singular() && (request_.least_squares || !answer_.rank->consistent);
    }
    solve_status status() const
    {
        if (answer_.interrupted || answer_.limit) return solve_status::iteration_limit;
        if (answer_.overflowed >= 0) return solve_status::not_finite;
        if (is_inconsistent()) return solve_status::singular;
        if (met_) return solve_status::converged;
        return may_be_singular() && !answer_.digits_proved ? solve_status::stagnated
                                                           : judge_.status_of(answer_);
    }

    template <scalar F>
    void solve_in()
    {
        factor_bytes_ = 0;
        if (request_.tries_symmetric() && solve_by_symmetric<F>()) return;
        factor_bytes_ = 0;
        const auto factors = factored<F>();
        if (!factors) return;
        if (factors->about().rank < system_.size() && !answer_.rank) look_at_rank();
        if (is_inconsistent()) return;
        if (factors->about().rank < system_.size() && !is_singular()) return;
        solve_by(inverse_by(*factors));
        if constexpr (std::is_same_v<F, double>) solve_by_gmres(*factors);
    }

    /// By L D L^T; false where its pivots are not good enough, and LU is next.
    template <scalar F>
    bool solve_by_symmetric()
    {
        stages_.begin(name_of(words_of<F> == 1 ? factor_work::symmetric_in_double
                                               : factor_work::symmetric_in_double_double));
        const auto factors =
            kept_or_made(request_.kept ? &request_.kept->symmetric.template of<F>() : nullptr, [&] {
                return symmetric_factors_in<F>(system_.matrix(), request_.factorisation,
                                               watch_of_factors());
            });
        stages_.end();
        const factor::symmetric_report& about = factors.about();
        hold_factors(about.bytes, about.bytes, beside<F>());
        if (note_limit(about)) return true;
        if (about.end == factor::symmetric_end::complete) solve_by(inverse_by(factors));
        return about.end == factor::symmetric_end::complete ||
               about.end == factor::symmetric_end::stopped;
    }
    /// Of kept factors but those in F.
    template <scalar F>
    std::int64_t beside() const
    {
        return request_.kept ? request_.kept->template bytes_beside<F>() : 0;
    }
    void hold_factors(std::int64_t bytes, std::int64_t making_bytes, std::int64_t beside)
    {
        count_bytes(making_bytes + beside);
        factor_bytes_ = bytes + beside;
    }
    /// Whether the last factors passed a limit, which is then in the plan.
    template <class Report>
    bool note_limit(const Report& about)
    {
        // LU of least squares comes after L D L^T that was refused, and is the first to be used.
        const bool is_first =
            answer_.plan.size() == 1 || (request_.least_squares && answer_.history.empty());
        const auto limit = limit_passed_by(about, request_.factorisation);
        if (limit) stages_.note_too_large(limit->kind);
        if (is_first) answer_.limit = limit;
        return limit.has_value();
    }

    /// Where corrections by the factors do not settle: GMRES with them, if it is worth it.
    void solve_by_gmres(const factor::factors<double>& factors)
    {
        // Without a rank nothing could be claimed.
        if (!goes_on() || is_singular() || may_be_singular() || !has_stalled()) return;
        auto budget =
            budget_for_gmres(factors.about(), system_.matrix().nonzeros(), request_.factorisation);
        if (!budget) return;
        budget->watch = [&] {
            return stages_.report(answer_.steps, answer_.relative_residual, -1);
        };
        const approximate_inverse applied = inverse_in_double_double(factors);
        const auto approximate = charged(inverse_by_gmres(system_, applied, *budget),
                                         system_.matrix().nonzeros(), budget_);
        stages_.begin(by_gmres);
        const double rate = probed_rate(system_, approximate);
        count_bytes(factor_bytes_ + static_cast<std::int64_t>(budget->bytes) +
                    vectors_around_gmres * bytes_of_a_vector());
        // Unlike refinement it is too expensive where nothing could be trusted.
        if (rate < 0.5)
            refine_and_judge(approximate, rate, by_gmres);
        else
            stages_.end();
    }
    /// Whether the last corrections, or products with A^-1 by them, did not settle.
    bool has_stalled() const
    {
        const auto stalls = [](const auto& c) { return !c || c->at_least; };
        return !refined_.finite || !refined_.normwise.contracts() ||
               !refined_.componentwise.contracts() || stalls(answer_.errors.condition) ||
               stalls(answer_.errors.condition_1);
    }

    void solve_by(const approximate_inverse& approximate)
    {
        stages_.begin(by_factors);
        const auto counted = charged(approximate, system_.matrix().nonzeros(), budget_);
        refine_and_judge(counted, probed_rate(system_, counted), by_factors);
    }

    /// In the stage that has begun, whose name is `name`.
    void refine_and_judge(const approximate_inverse& approximate, double rate, const char* name)
    {
        answer_.errors.condition_1.reset();
        refine_with(approximate, rate, name);
        if (stages_.interrupted()) return;
        if (!answer_.rank && is_doubtful()) look_at_rank();
        met_ = !may_be_singular() && judge_.is_met(answer_, has_residual_alone());
        const bool is_end = (met_ || is_last_) && !has_residual_alone() && answer_.overflowed < 0;
        if (request_.certify && is_end) prove(approximate);
    }

    factor_watch watch_of_factors()
    {
        return [this](double done) {
            return stages_.report(answer_.steps, answer_.relative_residual, done);
        };
    }

    void prove(const approximate_inverse& approximate)
    {
        stages_.begin(name_of(factor_work::proof));
        const inverse_bound inverse =
            bound_inverse(system_, approximate, request_.factorisation, watch_of_factors());
        count_bytes(factor_bytes_ + inverse.bytes);
        const const_solution_view x =
            request_.certified.size() > 0 ? request_.certified : const_solution_view(x_);
        answer_.bound = bound_error(system_, x, approximate, inverse, exact_.proved_zeros());
        stages_.end();
        if (request_.certified.size() > 0) return;  // the bound is of another x
        judge_.take_bound(answer_);
        if (answer_.digits_proved) met_ = judge_.is_met(answer_, has_residual_alone());
    }

    template <scalar F>
    std::optional<factor::factors<F>> factored()
    {
        stages_.begin(
            name_of(words_of<F> == 1 ? factor_work::in_double : factor_work::in_double_double));
        const auto factors =
            kept_or_made(request_.kept ? &request_.kept->lu.template of<F>() : nullptr, [&] {
                return factor_in<F>(system_.matrix(), request_.factorisation, watch_of_factors());
            });
        stages_.end();
        const factor::report& about = factors.about();
        hold_factors(about.bytes, about.making_bytes, beside<F>());
        note_limit(about);
        if (about.end != factor::lu_end::complete) return std::nullopt;
        answer_.errors.pivot_growth = about.growth;
        return factors;
    }

    /// Ends the stage.  `rate`: of the corrections, as probed.
    void refine_with(const approximate_inverse& approximate, double rate, const char* name)
    {
        double rate_of_components = refine_once(approximate, rate, false);
        if (may_hide_zeros()) rate_of_components = settle_zeros(approximate, rate, name);
        if (!is_singular() && !stages_.interrupted() &&
            !estimate_conditions(system_, approximate, x_.high, request_.judged(), budget_,
                                 answer_.errors))
            answer_.unjudged = {limit_kind::work, budget_.text(), limit_subject::conditions};
        const int low_parts = x_.words() == 4 ? vectors_of_low_parts : 0;
        count_bytes(factor_bytes_ + (vectors_of_refinement + low_parts) * bytes_of_a_vector());
        judge_.look(
            x_,
            {refined_.normwise, refined_.errors, rate_of_components, exact_.zeros(),
             [&](const_solution_view x) { return residual_errors(system_, approximate.solve, x); }},
            answer_);
        is_judged_ = true;
        answer_.overflowed_inside = refined_.overflowed >= 0;
        if (answer_.overflowed_inside) answer_.overflowed = refined_.overflowed;
        met_ = judge_.is_met(answer_, has_residual_alone());
        stages_.end(answer_.relative_residual, answer_.digits);
    }
    /// Returns the rate of relative errors of components.
    double refine_once(const approximate_inverse& approximate, double rate, bool waits_for_all)
    {
        answer_.bound.reset();  // x will change
        refinement_limits limits;
        limits.steps *= x_.words() / 2;
        limits.known_zero = exact_.zeros().is;
        limits.waits_for_all = waits_for_all;
        limits.column_scale = approximate.column_scale;
        limits.least_rate = std::max(approximate.least_rate, rate);
        limits.judged = request_.judged();
        limits.contracts_as_a_whole = approximate.contracts_as_a_whole;
        limits.watch = [&](int steps, double error) {
            return stages_.report(answer_.steps + steps, error, -1);
        };
        refined_ = refine(system_, approximate.solve, x_, limits);
        is_judged_ = false;
        answer_.steps += refined_.steps;
        auto& history = answer_.history;
        // The next stage begins where the last one ended.
        if (!history.empty()) history.pop_back();
        history.insert(history.end(), refined_.history.begin(), refined_.history.end());
        return sharpen_errors(system_, approximate, x_, exact_.zeros(), refined_);
    }
    std::int64_t bytes_of_a_vector() const
    {
        return system_.size() * static_cast<std::int64_t>(sizeof(dd_real));
    }
    /// So many bytes are held now, beside what is held since before.
    void count_bytes(std::int64_t now)
    {
        answer_.working_bytes =
            std::max(answer_.working_bytes, now + exact_.bytes() + system_.transposed_bytes());
    }
    /// Whether the factors may be those of a singular matrix.
    bool is_doubtful() const
    {
        const auto& kappa1 = answer_.errors.condition_1;
        return !refined_.finite || !kappa1 || kappa1->at_least ||
               !(kappa1->value < doubtful_condition);
    }

    bool may_be_singular() const { return is_doubtful() && !answer_.rank; }
    void distrust()
    {
        answer_.errors.trusted = answer_.errors.componentwise_trusted = false;
        answer_.digits.reset();
        answer_.normwise_digits.reset();
    }
    void look_at_rank()
    {
        exact_.look_at_rank([&](std::int64_t bytes) { count_bytes(factor_bytes_ + bytes); });
    }

    /// Whether only small components do not settle, or one is 0, as exact findings may tell.
    bool may_hide_zeros() const
    {
        if (is_singular() || stages_.interrupted() || !refined_.finite) return false;
        for (const index_t i : exact_.suspects(x_, refined_.errors))
            if (x_.high.word(0)[i] == 0 || refined_.normwise.estimate() < 0x1p-60) return true;
        return false;
    }
    /// The zeros among them become +0; refines again where that moves x, or where some are not
    /// zero.
    double settle_zeros(const approximate_inverse& approximate, double rate, const char* name)
    {
        stages_.end();
        const auto count = [&](std::int64_t bytes) { count_bytes(factor_bytes_ + bytes); };
        const bool has_moved = exact_.find_zeros(exact_.suspects(x_, refined_.errors), x_, count);
        stages_.begin(name);
        forget_errors_of_zeros(refined_, x_, exact_.zeros(), request_.judged());
        const bool has_others = !exact_.suspects(x_, refined_.errors).empty();
        if (stages_.interrupted() || is_singular() || !(has_moved || has_others))
            return sharpen_errors(system_, approximate, x_, exact_.zeros(), refined_);
        return refine_once(approximate, rate, true);
    }
    const host_system<V>& system_;
    const solution_view x_;
    const answer_request& request_;
    answer answer_;
    stage_recorder stages_;
    const judge<V> judge_;
    refinement_result refined_;
    exact_findings<V> exact_;
    work_budget budget_;
    bool met_ = false, is_last_ = false;
    bool is_judged_ = true;  ///< what the answer says is of x as it is now
    std::int64_t factor_bytes_ = 0;
};

}  // namespace

template <scalar V>
answer find_answer(const host_system<V>& system, solution_view x, const answer_request& request)
{
    return finder<V>(system, x, request).find();
}

template <scalar V>
answer improve_answer(const host_system<V>& system, solution_view x,
                      const approximate_inverse& approximate, const answer_request& request)
{
    return finder<V>(system, x, request).improve(approximate);
}

template answer improve_answer(const host_system<double>&, solution_view,
                               const approximate_inverse&, const answer_request&);
template answer improve_answer(const host_system<dd_real>&, solution_view,
                               const approximate_inverse&, const answer_request&);
template answer find_answer(const host_system<double>&, solution_view, const answer_request&);
template answer find_answer(const host_system<dd_real>&, solution_view, const answer_request&);

}  // namespace ddla::refine
