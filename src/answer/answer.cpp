// Carries out the stages of a solve by factors and refinement.
#include "answer.hpp"

#include "errors/certify.hpp"
#include "errors/conditions.hpp"
#include "errors/kept_factors.hpp"
#include "errors/rank.hpp"
#include "errors/sharp_errors.hpp"
#include "exact_findings.hpp"
#include "judge.hpp"
#include "orthogonal.hpp"
#include "refine/factor_stages.hpp"
#include "refine/gmres.hpp"
#include "refine/small_components.hpp"
#include "stages.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

namespace ddla::refine {
namespace {

/// From here on factors may be those of a singular matrix, with noise for a pivot that is zero.
constexpr double doubtful_condition = 1e12;

// In double-double, with those of products with the inverse and of the estimate of a norm.
constexpr std::int64_t vectors_of_refinement = 20;
constexpr int vectors_of_low_parts = 2;
constexpr std::int64_t vectors_around_gmres = 16;

/// Carries out a table of stages.  It owns the report, and the better x of two.
template <scalar V>
class stage_runner {
public:
    stage_runner(const host_system<V>& system, solution_view x, const answer_request& request,
                 const least_squares_matrix<V>* problem)
        : system_(system), given_x_(x), x_(x), request_(request), of_(problem),
          stages_(answer_.plan, answer_.work, answer_.steps, budget_, request.watch),
          judge_(system, request), budget_(work_budget::of(request.factorisation))
    {
        exact_.emplace(system, request, stages_, answer_);
    }

    /// An interruption ends the work where it is; x is that of the last refinement.
    answer run(const std::vector<factor_stage>& plan)
    {
        try {
            for (const factor_stage& s : plan)
                if (follows(s.when))
                    carry_out(s);
                else if (s.work == factor_work::refine || s.work == factor_work::gmres)
                    is_fresh_ = false;  // its rows have no x of theirs to judge
            if (!is_concluded_) conclude();
        } catch (const interrupted_error&) {
            stages_.cut();
            conclude();
        }
        if (first_) settle_on_better();
        return std::move(answer_);
    }

    /// Refinement takes these corrections, where no factors are made.
    void take(const approximate_inverse& given)
    {
        inverse_ = given;
        are_new_ = true;
    }

private:
    bool follows(factor_condition when) const
    {
        switch (when) {
        case factor_condition::always:
            return true;
        case factor_condition::goes_on:
            return goes_on();
        case factor_condition::refused:
            return was_refused_;
        case factor_condition::lacks_pivot:
            return lacks_pivot_ && !answer_.rank;
        case factor_condition::has_factors:
            return are_new_ && may_use_factors();
        case factor_condition::has_stalled:
            return is_worth_gmres();
        case factor_condition::may_hide_zeros:
            return is_open_ && may_hide_zeros();
        case factor_condition::has_suspects:
            return !suspects_.empty();
        case factor_condition::is_nonsingular:
            return !suspects_.empty() && answer_.rank && !is_singular();
        case factor_condition::was_left:
            return was_left_;
        case factor_condition::has_refined:
            return is_open_;
        case factor_condition::is_doubtful:
            return is_fresh_ && may_be_singular();
        case factor_condition::is_final:
            return is_fresh_ && is_end();
        case factor_condition::may_tell_more:
            return of_ && wants_orthogonal(answer_, request_);
        }
        return false;
    }

    void carry_out(const factor_stage& s)
    {
        switch (s.work) {
        case factor_work::symmetric_in_double:
            return factor_symmetric<double>(s);
        case factor_work::symmetric_in_double_double:
            return factor_symmetric<dd_real>(s);
        case factor_work::in_double:
            return factor<double>(s);
        case factor_work::in_double_double:
            return factor<dd_real>(s);
        case factor_work::orthogonal:
            return factor_orthogonal(s);
        case factor_work::refine:
            return refine_by_factors(s);
        case factor_work::gmres:
            return refine_by_gmres(s);
        case factor_work::unreached:
            return leave_for_zeros();
        case factor_work::rank:
            return look_at_rank(s);
        case factor_work::zeros:
            has_moved_ = exact_->find_zeros(suspects_, x_) || has_moved_;
            return;
        case factor_work::refine_again:
            return refine_again();
        case factor_work::judge:
            return look_at_x();
        case factor_work::proof:
            return prove(s);
        case factor_work::conclude:
            return conclude();
        }
    }

    // ---- Conditions: they change nothing.

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
    /// Whether the factors may be those of a singular matrix.
    bool is_doubtful() const
    {
        const auto& kappa1 = answer_.errors.condition_1;
        return !refined_.finite || !kappa1 || kappa1->at_least ||
               !(kappa1->value < doubtful_condition);
    }
    /// The last factors are complete.
    bool may_use_factors() const
    {
        return inverse_ && !is_inconsistent() && !(lacks_pivot_ && !is_singular());
    }
    bool may_be_singular() const { return is_doubtful() && !answer_.rank; }
    /// Whether only small components do not settle, or one is 0, as exact findings may tell.
    bool may_hide_zeros() const
    {
        if (is_singular() || stages_.interrupted() || !refined_.finite) return false;
        for (const index_t i : exact_->suspects(x_, refined_.errors))
            if (x_.high.word(0)[i] == 0 || has_settled()) return true;
        return false;
    }
    /// x as a whole.
    bool has_settled() const { return refined_.normwise.estimate() < 0x1p-60; }
    /// Whether the last corrections, or products with A^-1 by them, did not settle.
    bool has_stalled() const
    {
        const auto stalls = [](const auto& c) { return !c || c->at_least; };
        return !refined_.finite || !refined_.normwise.contracts() ||
               !refined_.componentwise.contracts() || stalls(answer_.errors.condition) ||
               stalls(answer_.errors.condition_1);
    }
    /// Where corrections by the factors do not settle: GMRES with them, if it is worth it.
    bool is_worth_gmres() const
    {
        // Without a rank nothing could be claimed.
        const auto* lu = std::get_if<factor::factors<double>>(&factors_);
        if (!lu || !goes_on() || is_singular() || may_be_singular() || !has_stalled()) return false;
        return may_use_factors() && gmres_budget_of(*lu);
    }
    std::optional<gmres_budget> gmres_budget_of(const factor::factors<double>& lu) const
    {
        return budget_for_gmres(lu.about(), system_.matrix().nonzeros(), request_.factorisation);
    }
    /// Whether the x that was judged is returned, if a bound of it can be proved.
    bool is_end() const
    {
        return (met_ || is_last_) && !has_residual_alone() && answer_.overflowed < 0;
    }
    bool is_met() const { return judge_.is_met(answer_, has_residual_alone()); }

    // ---- Factors.

    /// Those before are let go of.
    void begin_factors(const factor_stage& s, bool are_last)
    {
        inverse_.reset();
        approximate_ = {};
        applied_ = {};
        factors_ = {};
        factor_bytes_ = 0;
        was_refused_ = lacks_pivot_ = false;
        is_last_ = are_last;
        stages_.begin(std::string(s.name));
    }
    /// By L D L^T; where its pivots are not good enough LU is next.
    template <scalar F>
    void factor_symmetric(const factor_stage& s)
    {
        begin_factors(s, is_last_in<F>());
        const auto factors =
            kept_or_made(request_.kept ? &request_.kept->symmetric.template of<F>() : nullptr, [&] {
                auto made = symmetric_factors_in<F>(system_.matrix(), request_.factorisation,
                                                    watch_of_factors());
                if (made.about().end == factor::factor_end::complete)
                    stages_.count(made.about().operations * work_in<F>);
                return made;
            });
        stages_.end();
        const factor::symmetric_report& about = factors.about();
        hold_factors(about.bytes, about.bytes, beside<F>());
        if (note_limit(about)) return;
        was_refused_ =
            about.end != factor::factor_end::complete && about.end != factor::factor_end::stopped;
        if (about.end == factor::factor_end::complete) hold(factors);
    }
    template <scalar F>
    void factor(const factor_stage& s)
    {
        begin_factors(s, is_last_in<F>());
        const auto factors =
            kept_or_made(request_.kept ? &request_.kept->lu.template of<F>() : nullptr, [&] {
                auto made =
                    factor_in<F>(system_.matrix(), request_.factorisation, watch_of_factors());
                stages_.count(made.about().operations * work_in<F>);
                return made;
            });
        stages_.end();
        const factor::report& about = factors.about();
        hold_factors(about.bytes, about.making_bytes, beside<F>());
        note_limit(about);
        if (about.end != factor::factor_end::complete) return;
        answer_.errors.pivot_growth = about.growth;
        lacks_pivot_ = about.rank < system_.size();
        hold(factors);
    }
    template <scalar F>
    bool is_last_in() const
    {
        return words_of<F> == 2 || !wants(factor_precision::in_double_double);
    }
    template <scalar F>
    static constexpr double work_in = words_of<F> == 1 ? 1 : work_in_dd;
    template <class Factors>
    void hold(const Factors& made)
    {
        take(inverse_by(factors_.template emplace<Factors>(made)));
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
    bool note_limit(const factor::ended_report& about)
    {
        // LU of least squares comes after L D L^T that was refused, and is the first to be used.
        const bool is_first =
            answer_.plan.size() == 1 || (request_.least_squares && answer_.history.empty());
        const auto limit = limit_passed_by(about, request_.factorisation);
        if (limit) stages_.note_too_large(limit->kind);
        if (is_first) answer_.limit = limit;
        return limit.has_value();
    }
    factor_watch watch_of_factors()
    {
        return [this](double done) {
            return stages_.report(answer_.steps, answer_.relative_residual, done);
        };
    }

    // ---- QR, from an x of its own: the better one of both is kept.

    void factor_orthogonal(const factor_stage& s)
    {
        stages_.forget_error();
        begin_factors(s, true);
        const auto made = orthogonal_factors(of_->a, request_, watch_of_factors(),
                                             [&](double work) { stages_.count(work); });
        stages_.end();
        const factor::qr_report& about = made.about();
        note_end_of_orthogonal(about, answer_);
        if (about.end != factor::factor_end::complete) return;
        begin_anew();
        const auto& kept = factors_.template emplace<factor::qr_factors<dd_real>>(made);
        take(inverse_of_augmented(kept, of_->alpha, [&](double work) { stages_.count(work); }));
    }
    /// r in four words, too: x moves by the square of the condition times what r is wrong by.
    void begin_anew()
    {
        high_ = vector<dd_real>(x_.size());
        low_ = vector<dd_real>(x_.size());
        x_ = solution_view(high_.view(), low_.view());
        copy_solution(given_x_, x_);
        first_ = std::move(answer_);
        answer_ = {};
        answer_.plan = std::move(first_->plan);
        answer_.work = std::move(first_->work);
        answer_.history = std::move(first_->history);
        answer_.steps = first_->steps;
        stages_.forget_error();
        exact_.emplace(system_, request_, stages_, answer_);
        budget_ = work_budget::of(request_.factorisation);
        refined_ = {};
        met_ = is_concluded_ = false;
        is_judged_ = true;
    }
    void settle_on_better()
    {
        const auto& qr = std::get<factor::qr_factors<dd_real>>(factors_);
        answer_.working_bytes +=
            qr.about().bytes + 2 * x_.size() * static_cast<std::int64_t>(sizeof(dd_real));
        answer_.working_bytes = std::max(answer_.working_bytes, first_->working_bytes);
        if (tells_more(answer_, *first_)) {
            copy_solution(x_, given_x_);
            if (!answer_.rank) answer_.rank = std::move(first_->rank);
        } else {
            answer_ = kept_with(std::move(*first_), std::move(answer_));
        }
    }

    // ---- Refinement.

    void refine_by_factors(const factor_stage& s)
    {
        begin_refining(s);
        are_new_ = false;
        approximate_ = charged(*inverse_, system_.matrix().nonzeros(), budget_);
        add_corrections(probed_rate(system_, approximate_));
    }
    void refine_by_gmres(const factor_stage& s)
    {
        const auto& lu = std::get<factor::factors<double>>(factors_);
        gmres_ = *gmres_budget_of(lu);
        gmres_.watch = [&] { return stages_.report(answer_.steps, answer_.relative_residual, -1); };
        applied_ = inverse_in_double_double(lu);
        approximate_ = charged(counted(inverse_by_gmres(system_, applied_, gmres_)),
                               system_.matrix().nonzeros(), budget_);
        begin_refining(s);
        const double rate = probed_rate(system_, approximate_);
        count_bytes(factor_bytes_ + static_cast<std::int64_t>(gmres_.bytes) +
                    vectors_around_gmres * bytes_of_a_vector());
        // Unlike refinement it is too expensive where nothing could be trusted.
        if (rate < 0.5)
            add_corrections(rate);
        else
            stages_.end();
    }
    /// What its runs take is in the stage.
    approximate_inverse counted(approximate_inverse by_gmres)
    {
        const auto counting = [this](const correction& solve) -> correction {
            return [this, solve](vec<const dd_real> r, vec<dd_real> d) {
                const double before = gmres_.work;
                solve(r, d);
                stages_.count((gmres_.work - before) * work_in_dd);
            };
        };
        by_gmres.solve = counting(by_gmres.solve);
        by_gmres.solve_transposed = counting(by_gmres.solve_transposed);
        return by_gmres;
    }
    void begin_refining(const factor_stage& s)
    {
        name_ = s.name;
        is_fresh_ = false;
        stages_.begin(std::string(name_));
    }
    /// `rate`: of the corrections, as probed.
    void add_corrections(double rate)
    {
        answer_.errors.condition_1.reset();
        rate_ = rate;
        is_open_ = true;
        rate_of_components_ = refine_once(false);
    }
    /// Returns the rate of relative errors of components.
    double refine_once(bool waits_for_all)
    {
        answer_.bound.reset();  // x will change
        const refinement_limits limits = limits_of(waits_for_all);
        refined_ = refine(system_, approximate_.solve, x_, limits);
        is_judged_ = false;
        answer_.steps += refined_.steps;
        auto& history = answer_.history;
        // The next stage begins where the last one ended.
        if (!history.empty()) history.pop_back();
        history.insert(history.end(), refined_.history.begin(), refined_.history.end());
        return sharpen_errors(system_, approximate_, x_, exact_->zeros(), refined_);
    }
    refinement_limits limits_of(bool waits_for_all)
    {
        refinement_limits limits;
        limits.steps = most_corrections(x_.words());
        limits.known_zero = exact_->zeros().is;
        limits.waits_for_all = waits_for_all;
        limits.column_scale = approximate_.column_scale;
        limits.least_rate = std::max(approximate_.least_rate, rate_);
        limits.judged = request_.judged();
        limits.contracts_as_a_whole = approximate_.contracts_as_a_whole;
        limits.watch = [&](int steps, double error) {
            return stages_.report(answer_.steps + steps, error, -1);
        };
        return limits;
    }
    /// The digits of small components; returns the rate of relative errors of components where
    /// there are some to gain.
    std::optional<double> settle_small()
    {
        constexpr double enough_for_double = 0x1p-60;
        if (is_singular() || stages_.interrupted() || request_.goal != solve_goal::digits)
            return {};
        const double enough = request_.words == 1 ? enough_for_double : 8 * rounding_of(2);
        return refine_small_components(system_, approximate_.solve, x_, limits_of(false), enough,
                                       refined_);
    }

    /// What b cannot reach becomes +0; of what is left the rank and integers tell.
    void leave_for_zeros()
    {
        stages_.end();
        was_left_ = true;
        has_moved_ = exact_->mark_unreached(x_);
        suspects_ = exact_->suspects(x_, refined_.errors);
    }
    /// Where zeros have moved x, or where some suspects are not zero.
    void refine_again()
    {
        was_left_ = false;
        suspects_.clear();
        stages_.begin(std::string(name_));
        forget_errors_of_zeros(refined_, x_, exact_->zeros(), request_.judged());
        const bool has_others = !exact_->suspects(x_, refined_.errors).empty();
        if (stages_.interrupted() || is_singular() || !(has_moved_ || has_others))
            rate_of_components_ =
                sharpen_errors(system_, approximate_, x_, exact_->zeros(), refined_);
        else
            rate_of_components_ = refine_once(true);
    }
    /// Conditions, errors, and whether they are what was asked for.  Ends the stage.
    void look_at_x()
    {
        is_open_ = false;
        rate_of_components_ = settle_small().value_or(rate_of_components_);
        if (!is_singular() && !stages_.interrupted() &&
            !estimate_conditions(system_, approximate_, x_.high, request_.judged(), budget_,
                                 answer_.errors))
            answer_.unjudged = {limit_kind::work, budget_.text(), limit_subject::conditions};
        const int low_parts = x_.words() == 4 ? vectors_of_low_parts : 0;
        count_bytes(factor_bytes_ + (vectors_of_refinement + low_parts) * bytes_of_a_vector());
        judge_.look(x_,
                    {refined_.normwise, refined_.errors, rate_of_components_, exact_->zeros(),
                     [&](const_solution_view x) {
                         return residual_errors(system_, approximate_.solve, x);
                     }},
                    answer_);
        is_judged_ = true;
        answer_.overflowed_inside = refined_.overflowed >= 0;
        if (answer_.overflowed_inside) answer_.overflowed = refined_.overflowed;
        met_ = is_met();
        stages_.end(answer_.relative_residual, answer_.digits);
        is_fresh_ = !stages_.interrupted();
    }
    void look_at_rank(const factor_stage& s)
    {
        exact_->look_at_rank([&](std::int64_t bytes) { count_bytes(factor_bytes_ + bytes); });
        if (s.when == factor_condition::is_doubtful) met_ = !may_be_singular() && is_met();
    }
    void prove(const factor_stage& s)
    {
        stages_.begin(std::string(s.name));
        const inverse_bound inverse =
            bound_inverse(system_, approximate_, request_.factorisation, watch_of_factors());
        stages_.count(inverse.work);
        count_bytes(factor_bytes_ + inverse.bytes);
        const const_solution_view x =
            request_.certified.size() > 0 ? request_.certified : const_solution_view(x_);
        answer_.bound = bound_error(system_, x, approximate_, inverse, exact_->proved_zeros());
        stages_.end();
        if (request_.certified.size() > 0) return;  // the bound is of another x
        judge_.take_bound(answer_);
        if (answer_.digits_proved) met_ = is_met();
    }
    std::int64_t bytes_of_a_vector() const
    {
        return system_.size() * static_cast<std::int64_t>(sizeof(dd_real));
    }
    /// So many bytes are held now, beside what is held since before.
    void count_bytes(std::int64_t now)
    {
        answer_.working_bytes =
            std::max(answer_.working_bytes, now + exact_->bytes() + system_.transposed_bytes());
    }

    // ---- What is known in the end.

    void conclude()
    {
        answer_.interrupted = stages_.interrupted();
        if (!is_judged_) judge_.look_in_haste(x_, answer_);
        if (!answer_.digits_proved && (may_be_singular() || is_singular())) distrust();
        if (is_singular())
            answer_.errors.unsettled = {};  // x is one of many, or none
        else
            exact_->explain(answer_.errors.unsettled, refined_.finite && has_settled(),
                            answer_.interrupted);
        if (answer_.rank)
            answer_.rank->numerically_singular =
                is_numerically_singular(*answer_.rank, system_.size(), answer_.errors.condition_1);
        if (!std::isfinite(answer_.relative_residual))
            answer_.relative_residual = judge_.residual_of(x_, answer_.interrupted);
        answer_.status = status();
        if (request_.certify && !answer_.bound) answer_.bound.emplace().why = why_unproved();
        is_concluded_ = true;
    }
    void distrust()
    {
        answer_.errors.trusted = answer_.errors.componentwise_trusted = false;
        answer_.digits.reset();
        answer_.normwise_digits.reset();
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
    std::string why_unproved() const
    {
        return is_singular()             ? "A is singular"
               : answer_.unjudged        ? answer_.unjudged->text
               : answer_.overflowed >= 0 ? "x is out of the range of double"
               : answer_.interrupted     ? "interrupted"
                                         : "no factors are good enough";
    }

    const host_system<V>& system_;
    const solution_view given_x_;
    solution_view x_;  ///< the one at work
    const answer_request& request_;
    const least_squares_matrix<V>* const of_;
    answer answer_;
    std::optional<answer> first_;  ///< of x as it was given back, while QR looks for a better one
    stage_recorder stages_;
    const judge<V> judge_;
    std::optional<exact_findings<V>> exact_;
    work_budget budget_;

    std::variant<std::monostate, factor::factors<double>, factor::factors<dd_real>,
                 factor::symmetric_factors<double>, factor::symmetric_factors<dd_real>,
                 factor::qr_factors<dd_real>>
        factors_;
    std::int64_t factor_bytes_ = 0;
    bool was_refused_ = false, lacks_pivot_ = false, is_last_ = true;
    std::optional<approximate_inverse> inverse_;  ///< of the factors, if they are complete
    bool are_new_ = false;                        ///< … and nothing was refined with them yet
    gmres_budget gmres_;
    approximate_inverse applied_, approximate_;  ///< inside GMRES; of the stage that refines
    vector<dd_real> high_{0}, low_{0};           ///< the x that QR starts from

    std::string_view name_;  ///< of the stage that refines
    double rate_ = 1, rate_of_components_ = 1;
    refinement_result refined_;
    std::vector<index_t> suspects_;  ///< while the stage is left for zeros
    bool is_open_ = false, was_left_ = false, has_moved_ = false;
    bool is_fresh_ = false;  ///< x was judged by the stage that refined last
    bool met_ = false, is_concluded_ = false;
    bool is_judged_ = true;  ///< what the answer says is of x as it is now
};

}  // namespace

template <scalar V>
answer find_answer(const host_system<V>& system, solution_view x, const answer_request& request,
                   const least_squares_matrix<V>* problem)
{
    return stage_runner<V>(system, x, request, problem)
        .run(factor_plan(
            {request.least_squares.has_value(), request.certify, request.factorisation}));
}

template <scalar V>
answer improve_answer(const host_system<V>& system, solution_view x,
                      const approximate_inverse& approximate, const answer_request& request)
{
    stage_runner<V> runner(system, x, request, nullptr);
    runner.take(approximate);
    return runner.run(refinement_plan(request.certify));
}

template answer improve_answer(const host_system<double>&, solution_view,
                               const approximate_inverse&, const answer_request&);
template answer improve_answer(const host_system<dd_real>&, solution_view,
                               const approximate_inverse&, const answer_request&);
template answer find_answer(const host_system<double>&, solution_view, const answer_request&,
                            const least_squares_matrix<double>*);
template answer find_answer(const host_system<dd_real>&, solution_view, const answer_request&,
                            const least_squares_matrix<dd_real>*);

}  // namespace ddla::refine
