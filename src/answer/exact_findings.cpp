// What integers tell of a system.
#include "exact_findings.hpp"

#include "errors/distance.hpp"
#include "errors/kept_factors.hpp"
#include "errors/proof_parts.hpp"
#include "errors/rank.hpp"
#include "refine/factor_stages.hpp"

#include <cmath>

namespace ddla::refine {

template <scalar V>
exact_findings<V>::exact_findings(const host_system<V>& system, const answer_request& request,
                                  stage_recorder& stages, answer& found)
    : system_(system), request_(request), stages_(stages), to_(found),
      large_(system, request, stages, watch_of_factors()),
      bytes_(request.kept ? request.kept->modular_bytes() : 0)
{
}

template <scalar V>
factor_watch exact_findings<V>::watch_of_factors()
{
    return [this](double done) { return stages_.report(to_.steps, to_.relative_residual, done); };
}

template <scalar V>
void exact_findings<V>::look_at_rank(bool asks_for_zeros,
                                     const std::function<void(std::int64_t)>& count)
{
    if (modular_ || is_too_large_) return;
    stages_.begin(name_of(factor_work::rank));
    if (!asks_for_zeros && !knows_columns() && large_.proves_full_rank(count)) {
        to_.rank = rank_report{.value = system_.size(), .proved = true};
    } else {
        is_too_large_ = !knows_columns() && large_.is_too_large_for_columns();
        if (!is_too_large_) eliminate(count);
        if (has_passed_limit())
            look_by_supernodes(asks_for_zeros, count);
        else
            large_.let_go();
        if (to_.rank && to_.rank->value < system_.size() && !request_.least_squares)
            look_at_null_vectors(count);
    }
    stages_.end();
}

template <scalar V>
void exact_findings<V>::eliminate(const std::function<void(std::int64_t)>& count)
{
    const auto options = options_of(request_.factorisation, true, watch_of_factors());
    modular_ = kept_or_made(request_.kept ? &request_.kept->modular : nullptr, [&] {
        const auto made = factor::modular_factors::make(system_.matrix(), options);
        stages_.count(made.about().operations);
        return made;
    });
    const factor::modular_report& about = modular_->about();
    bytes_ = 0;  // making_bytes has them
    count(about.making_bytes);
    bytes_ = about.bytes;
    if (about.end != factor::factor_end::complete) return;
    stages_.count(work_of_modular_solve * static_cast<double>(about.entries));
    to_.rank = rank_of(*modular_, system_.right_hand_side());
    // Sums of entries at one place were rounded.
    if (has_shared_places(system_.matrix())) to_.rank->proved = false;
}

template <scalar V>
void exact_findings<V>::look_by_supernodes(bool asks_for_zeros,
                                           const std::function<void(std::int64_t)>& count)
{
    if (asks_for_zeros && large_.prepare_zeros(count))
        to_.rank = rank_report{.value = system_.size(), .proved = true};
    else
        to_.rank = large_.find(count);
    if (to_.rank) return;
    to_.plan.back().passed =
        is_too_large_ ? limit_kind::work : factor::limit_of(modular_->about().end);
    if (to_.plan.back().passed) to_.plan.back().limited = limit_subject::rank;
}

template <scalar V>
void exact_findings<V>::look_at_null_vectors(const std::function<void(std::int64_t)>& count)
{
    rank_report& rank = *to_.rank;
    std::optional<null_weights> mine;
    std::optional<null_weights>& weights = request_.kept ? request_.kept->weights : mine;
    if (has_passed_limit()) return;  // those in double-double would pass it, too
    if (!weights) {
        weights = weights_of(system_.matrix(), *modular_, rank,
                             options_of(request_.factorisation, false, watch_of_factors()), count);
        if (weights) stages_.count(weights->work);
    }
    if (!weights) return;
    rank.row_weights = weights->row;
    rank.column_weights = weights->column;
    if (!rank.consistent)
        rank.distance_of_b = distance_from_range(weights->left, system_.right_hand_side());
}

template <scalar V>
std::vector<index_t> exact_findings<V>::suspects(const_solution_view x,
                                                 const std::vector<double>& errors) const
{
    std::vector<index_t> all;
    const component_range judged = request_.judged().value_or(component_range{0, system_.size()});
    for (index_t i = judged.begin; i < judged.end; ++i) {
        const double e = errors[static_cast<std::size_t>(i)];
        if (!zeros_.has(i) && !(std::fabs(x.high.word(0)[i]) > 4 * e)) all.push_back(i);
    }
    return all;
}

template <scalar V>
bool exact_findings<V>::mark(const std::vector<index_t>& zero, solution_view x,
                             std::int64_t& counted)
{
    bool has_moved = false;
    zeros_.is.resize(static_cast<std::size_t>(system_.size()), false);
    for (const index_t i : zero) {
        if (zeros_.has(i)) continue;
        zeros_.is[static_cast<std::size_t>(i)] = true;
        has_moved = has_moved || x.high.word(0)[i] != 0;
        x.set_zero(i);
        if (!request_.judged() || request_.judged()->has(i)) ++counted;
    }
    // At once, for an interruption may come next.
    to_.errors.proved_zeros = zeros_.proved;
    to_.errors.certain_zeros = zeros_.certain;
    return has_moved;
}

template <scalar V>
bool exact_findings<V>::mark_unreached(solution_view x)
{
    if (knows_reach_) return false;
    knows_reach_ = true;
    return mark(unreached_components(system_.matrix(), system_.right_hand_side(),
                                     1e9 * request_.factorisation.most_work),
                x, zeros_.proved);
}

template <scalar V>
std::vector<index_t> exact_findings<V>::zeros_among(const std::vector<index_t>& suspects)
{
    if (has_passed_limit()) return large_.zeros(suspects);
    stages_.count(work_of_modular_solve * static_cast<double>(modular_->about().entries));
    return zeros_modulo_prime(*modular_, system_.right_hand_side(), suspects);
}

template <scalar V>
bool exact_findings<V>::find_zeros(const std::vector<index_t>& suspects, solution_view x)
{
    stages_.begin(name_of(factor_work::zeros));
    tested_.resize(static_cast<std::size_t>(system_.size()), false);
    for (const index_t i : suspects) tested_[static_cast<std::size_t>(i)] = true;
    const bool has_moved = mark(zeros_among(suspects), x, zeros_.certain);
    stages_.end();
    return has_moved;
}

template <scalar V>
void exact_findings<V>::explain(unsettled_components& open, bool has_settled,
                                bool interrupted) const
{
    if (open.count == 0) return;
    const bool is_known =
        has_settled || (!tested_.empty() && tested_[static_cast<std::size_t>(open.first)]);
    open.why = interrupted ? "the solve was interrupted before it was known"
               : has_passed_limit() && !can_tell_zeros()
                   ? "to tell whether it is zero takes more work or memory than the limits allow"
               : is_known ? "it is not zero, but too small beside the others, or for a double"
                          : "too little of x settled to tell whether it is zero";
}

template class exact_findings<double>;
template class exact_findings<dd_real>;

}  // namespace ddla::refine
