// Walks the table of stages of a solve by factors and refinement.
#include "answer.hpp"

#include "corrected_x.hpp"
#include "made_factors.hpp"
#include "orthogonal.hpp"
#include "solve_at_work.hpp"

#include <algorithm>

namespace ddla::refine {
namespace {

/// Carries out a table of stages, and keeps the better x of two.
template <scalar V>
class stage_runner {
public:
    stage_runner(const host_system<V>& system, solution_view x, const answer_request& request,
                 const least_squares_matrix<V>* problem)
        : given_x_(x), problem_(problem), solve_(system, x, request), factors_(solve_),
          corrected_(solve_, factors_)
    {
    }

    /// plan(): the table.  An interruption ends the work where it is; x is that of the last
    /// refinement.
    template <class Plan>
    answer run(const Plan& plan)
    {
        try {
            for (const factor_stage& s : plan())
                if (follows(s.when))
                    carry_out(s);
                else if (s.work == factor_work::refine || s.work == factor_work::gmres)
                    corrected_.skip();
            if (!is_concluded_) end();
        } catch (const interrupted_error&) {
            solve_.stages.cut();
            end();
        }
        if (first_) settle_on_better();
        return std::move(solve_.found);
    }

    /// Refinement takes these corrections, where no factors are made.
    void take(const approximate_inverse& given) { factors_.take(given); }

private:
    bool follows(factor_condition when) const
    {
        switch (when) {
        case factor_condition::always:
            return true;
        case factor_condition::goes_on:
            return solve_.goes_on();
        case factor_condition::is_definite:
            return solve_.goes_on() && !factors_.are_not_definite();
        case factor_condition::not_definite:
            return solve_.goes_on() && factors_.are_not_definite();
        case factor_condition::refused:
            return factors_.were_refused();
        case factor_condition::has_weak_pivots:
            return solve_.goes_on() && factors_.have_weak_pivots();
        case factor_condition::lacks_pivot:
            return factors_.lack_pivot() && !solve_.found.rank;
        case factor_condition::has_factors:
            return factors_.may_refine();
        case factor_condition::has_stalled:
            return corrected_.is_worth_gmres();
        case factor_condition::may_hide_zeros:
            return corrected_.is_open() && solve_.may_hide_zeros();
        case factor_condition::has_suspects:
            return corrected_.has_suspects();
        case factor_condition::is_nonsingular:
            return corrected_.has_suspects() && solve_.exact->can_tell_zeros();
        case factor_condition::was_left:
            return corrected_.was_left();
        case factor_condition::has_refined:
            return corrected_.is_open();
        case factor_condition::is_doubtful:
            return corrected_.is_fresh() && solve_.may_be_singular();
        case factor_condition::is_final:
            return corrected_.is_fresh() && is_end();
        case factor_condition::may_tell_more:
            return problem_ && wants_orthogonal(solve_.found, solve_.request);
        }
        return false;
    }
    /// Whether the x that was judged is returned, if a bound of it can be proved.
    bool is_end() const
    {
        return (solve_.met || factors_.are_last()) && !solve_.has_residual_alone() &&
               solve_.found.overflowed < 0;
    }

    void carry_out(const factor_stage& s)
    {
        switch (s.work) {
        case factor_work::definite_in_double:
        case factor_work::definite_in_double_double:
        case factor_work::symmetric_in_double:
        case factor_work::symmetric_in_double_double:
        case factor_work::in_double:
        case factor_work::threshold_in_double:
        case factor_work::in_double_double:
        case factor_work::threshold_in_double_double:
        case factor_work::orthogonal:
            return factor(s);
        case factor_work::refine:
            return corrected_.refine_by_factors(s);
        case factor_work::gmres:
            return corrected_.refine_by_gmres(s);
        case factor_work::unreached:
            return corrected_.leave_for_zeros();
        case factor_work::rank:
            return look_at_rank(s);
        case factor_work::zeros:
            return corrected_.find_zeros();
        case factor_work::refine_again:
            return corrected_.refine_again();
        case factor_work::judge:
            return corrected_.look();
        case factor_work::proof:
            return corrected_.prove(s);
        case factor_work::conclude:
            return end();
        }
    }
    void factor(const factor_stage& s)
    {
        corrected_.forget_factors();
        switch (s.work) {
        case factor_work::definite_in_double:
            return factors_.template make_definite<double>(s);
        case factor_work::definite_in_double_double:
            return factors_.template make_definite<dd_real>(s);
        case factor_work::symmetric_in_double:
            return factors_.template make_symmetric<double>(s);
        case factor_work::symmetric_in_double_double:
            return factors_.template make_symmetric<dd_real>(s);
        case factor_work::in_double:
            return factors_.template make_lu<double>(s);
        case factor_work::in_double_double:
            return factors_.template make_lu<dd_real>(s);
        case factor_work::threshold_in_double:
            return factors_.template make_threshold_lu<double>(s);
        case factor_work::threshold_in_double_double:
            return factors_.template make_threshold_lu<dd_real>(s);
        default:
            solve_.stages.forget_error();
            if (factors_.make_orthogonal(s, *problem_)) begin_anew();
        }
    }
    void look_at_rank(const factor_stage& s)
    {
        solve_.exact->look_at_rank(
            s.when == factor_condition::has_suspects,
            [&](std::int64_t bytes) { solve_.count_bytes(factors_.bytes() + bytes); });
        if (s.when == factor_condition::is_doubtful)
            solve_.met = !solve_.may_be_singular() && solve_.reaches_goal();
    }
    void end()
    {
        conclude(solve_);
        if (!solve_.met && !solve_.stages.interrupted()) factors_.note_not_healed();
        is_concluded_ = true;
    }

    // ---- QR starts from an x of its own: the better one of both is kept.

    /// r in four words, too: x moves by the square of the condition times what r is wrong by.
    void begin_anew()
    {
        high_ = vector<dd_real>(given_x_.size());
        low_ = vector<dd_real>(given_x_.size());
        solve_.x = solution_view(high_.view(), low_.view());
        copy_solution(given_x_, solve_.x);
        answer& found = solve_.found;
        first_ = std::move(found);
        found = {};
        found.plan = std::move(first_->plan);
        found.work = std::move(first_->work);
        found.history = std::move(first_->history);
        found.steps = first_->steps;
        solve_.begin_anew();
        is_concluded_ = false;
    }
    void settle_on_better()
    {
        answer& found = solve_.found;
        found.working_bytes += factors_.orthogonal().about().bytes +
                               2 * given_x_.size() * static_cast<std::int64_t>(sizeof(dd_real));
        found.working_bytes = std::max(found.working_bytes, first_->working_bytes);
        if (tells_more(found, *first_)) {
            copy_solution(solve_.x, given_x_);
            if (!found.rank) found.rank = std::move(first_->rank);
        } else {
            found = kept_with(std::move(*first_), std::move(found));
        }
    }

    const solution_view given_x_;
    const least_squares_matrix<V>* const problem_;
    solve_at_work<V> solve_;
    made_factors<V> factors_;
    corrected_x<V> corrected_;
    std::optional<answer> first_;       ///< of x as it was given back, while QR looks for a better
    vector<dd_real> high_{0}, low_{0};  ///< the x that QR starts from
    bool is_concluded_ = false;
};

}  // namespace

template <scalar V>
answer find_answer(const host_system<V>& system, solution_view x, const answer_request& request,
                   const least_squares_matrix<V>* problem)
{
    return stage_runner<V>(system, x, request, problem).run([&] {
        return factor_plan({request.least_squares.has_value(), request.certify,
                            request.factorisation,
                            !request.least_squares && looks_definite(system.matrix()),
                            static_cast<double>(system.size())});
    });
}

template <scalar V>
answer improve_answer(const host_system<V>& system, solution_view x,
                      const approximate_inverse& approximate, const answer_request& request)
{
    stage_runner<V> runner(system, x, request, nullptr);
    runner.take(approximate);
    return runner.run([&] { return refinement_plan(request.certify); });
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
