#include "made_factors.hpp"

#include "errors/kept_factors.hpp"
#include "refine/factor_stages.hpp"
#include "static_symmetric.hpp"

namespace ddla::refine {
namespace {

template <scalar F>
constexpr double work_in = words_of<F> == 1 ? 1 : work_in_dd;

/// Not where static pivots do not suit A, or numbers have overflowed with them.
bool is_static_end(const factor::static_report& about)
{
    const bool overflowed = about.end == factor::factor_end::not_finite && about.operations > 0;
    return about.end != factor::factor_end::unsuited &&
           about.end != factor::factor_end::no_pivots && !overflowed;
}

/// Those of factors that are there: reports of others say what they would take.
template <class Report>
std::int64_t bytes_of(const Report& about)
{
    return about.end == factor::factor_end::complete ? about.bytes : 0;
}

}  // namespace

/// Those before are let go of.
template <scalar V>
void made_factors<V>::begin(const factor_stage& s, bool are_last)
{
    inverse_.reset();
    factors_ = {};
    bytes_ = 0;
    was_refused_ = lacks_pivot_ = false;
    are_weak_ = false;
    is_last_ = are_last;
    solve_.stages.begin(std::string(s.name));
}

template <scalar V>
template <scalar F>
void made_factors<V>::make_definite(const factor_stage& s)
{
    begin(s, are_last_in<F>());
    const answer_request& request = solve_.request;
    const auto factors = kept_or_made(
        request.kept ? &request.kept->definite.template in_precision<F>() : nullptr, [&] {
            auto made = definite_factors_in<F>(solve_.system.matrix(), request.factorisation,
                                               solve_.watch_of_factors(), request.factors_at);
            solve_.stages.count(work_of_supernodes<F>(made.about().done));
            return made;
        });
    solve_.stages.end();
    const factor::definite_report& about = factors.about();
    note_maker(about);
    note_bytes(bytes_of(about), about.making_bytes, kept_beside<F>());
    if (note_limit(limit_passed_by_supernodes<F>(about, request.factorisation))) return;
    is_not_definite_ = about.end == factor::factor_end::not_definite;
    if (about.end != factor::factor_end::complete) return;
    solve_.found.errors.pivot_growth = about.growth;
    hold(factors);
}

template <scalar V>
std::optional<factors_in_double> made_factors<V>::in_double() const
{
    if (const auto* lu = std::get_if<factor::factors<double>>(&factors_))
        return factors_in_double{
            lu->about(), lu->about().operations, lu->about().operations * work_in_dd,
            static_cast<double>(lu->about().entries), inverse_in_double_double(*lu)};
    if (const auto* lu = std::get_if<factor::static_factors<double>>(&factors_))
        return factors_in_double{lu->about(), work_of_supernodes<double>(lu->about().operations),
                                 work_of_supernodes<dd_real>(lu->about().operations),
                                 static_cast<double>(lu->about().entries),
                                 inverse_in_double_double(*lu)};
    if (const auto* f = std::get_if<factor::definite_factors<double>>(&factors_))
        return factors_in_double{f->about(), work_of_supernodes<double>(f->about().operations),
                                 work_of_supernodes<dd_real>(f->about().operations),
                                 2 * static_cast<double>(f->about().entries),
                                 inverse_in_double_double(*f)};
    if (const auto* f = std::get_if<factor::symmetric_factors<double>>(&factors_))
        return factors_in_double{f->about(), work_of_supernodes<double>(f->about().operations),
                                 work_of_supernodes<dd_real>(f->about().operations),
                                 2 * static_cast<double>(f->about().entries),
                                 inverse_in_double_double(*f)};
    return std::nullopt;
}

/// Whether A is, its diagonal apart; looked at once.
template <scalar V>
bool made_factors<V>::is_symmetric()
{
    if (!is_symmetric_)
        is_symmetric_ = factor::is_symmetric(solve_.system.matrix(), {host_threads(), run_on_host});
    return *is_symmetric_;
}

template <scalar V>
template <scalar F>
factor::symmetric_factors<F>
made_factors<V>::symmetric_factors_of(const std::function<bool(double operations)>& is_wanted)
{
    const answer_request& request = solve_.request;
    return kept_or_made(
        request.kept ? &request.kept->symmetric.template in_precision<F>() : nullptr, [&] {
            auto made =
                symmetric_factors_in<F>(solve_.system.matrix(), request.factorisation,
                                        solve_.watch_of_factors(), is_wanted, request.factors_at);
            solve_.stages.count(work_of_supernodes<F>(made.about().done));
            return made;
        });
}

template <scalar V>
template <scalar F>
void made_factors<V>::make_symmetric(const factor_stage& s)
{
    begin(s, are_last_in<F>());
    const auto factors = symmetric_factors_of<F>({});
    solve_.stages.end();
    const factor::symmetric_report& about = factors.about();
    note_maker(about);
    note_bytes(bytes_of(about), about.making_bytes, kept_beside<F>());
    if (note_limit(limit_passed_by_supernodes<F>(about, solve_.request.factorisation))) return;
    was_refused_ = about.end != factor::factor_end::stopped &&
                   (about.end != factor::factor_end::complete || has_weak_pivots(about));
    if (about.end == factor::factor_end::complete && !was_refused_) hold(factors);
}

template <scalar V>
template <scalar F>
void made_factors<V>::make_lu(const factor_stage& s)
{
    begin(s, are_last_in<F>());
    std::optional<factor::lu_analysis<V>> analysis;
    const bool may_be_static = !solve_.request.least_squares && !columns_were_better_;
    if (may_be_static && (made_static_symmetric<F>(analysis) || made_static<F>(analysis))) return;
    make_by_columns<F>(std::move(analysis));
}

template <scalar V>
template <scalar F>
void made_factors<V>::make_threshold_lu(const factor_stage& s)
{
    const auto before = factors_;
    const std::int64_t bytes = bytes_;
    const auto stage = stage_of_replaced_;
    begin(s, are_last_in<F>());
    make_by_columns<F>({}, bytes - kept_beside<F>());
    columns_were_better_ = inverse_.has_value();
    if (columns_were_better_) return;
    bytes_ = bytes;
    if (const auto* f = std::get_if<factor::symmetric_factors<F>>(&before))
        hold(*f);
    else
        hold(std::get<factor::static_factors<F>>(before));
    are_new_ = false;
    are_weak_ = true;
    stage_of_replaced_ = stage;
}

template <scalar V>
template <scalar F>
bool made_factors<V>::made_static_symmetric(std::optional<factor::lu_analysis<V>>& analysis)
{
    const answer_request& request = solve_.request;
    if (!may_be_static_symmetric(solve_.system.size(), request.factorisation) || !is_symmetric())
        return false;
    const auto is_wanted = [&](double operations) {
        return wants_static_symmetric<F>(
            operations, solve_.system.matrix(),
            options_of(request.factorisation, words_of<F> == 1, solve_.watch_of_factors()),
            analysis);
    };
    const auto factors = symmetric_factors_of<F>(is_wanted);
    if (!is_static_end(factors.about())) return false;
    take_static<F>(factors, "L D L^T");
    return true;
}

template <scalar V>
template <scalar F>
bool made_factors<V>::made_static(std::optional<factor::lu_analysis<V>>& analysis)
{
    const answer_request& request = solve_.request;
    const auto factors = kept_or_made(
        request.kept ? &request.kept->with_static_pivots.template in_precision<F>() : nullptr, [&] {
            auto made =
                static_factors_in<F>(solve_.system.matrix(), request.factorisation,
                                     solve_.watch_of_factors(), analysis, request.factors_at);
            solve_.stages.count(work_of_supernodes<F>(made.about().done));
            return made;
        });
    if (!is_static_end(factors.about())) return false;
    take_static<F>(factors, {});
    return true;
}

/// They are complete, or no others should be made.
template <scalar V>
template <scalar F, class Factors>
void made_factors<V>::take_static(const Factors& factors, const std::string& kind)
{
    const factor::static_report& about = factors.about();
    solve_.stages.end();
    if (!kind.empty()) solve_.stages.note(kind);
    note_maker(about);
    note_bytes(bytes_of(about), about.making_bytes, kept_beside<F>());
    note_limit(limit_passed_by_supernodes<F>(about, solve_.request.factorisation));
    if (about.end != factor::factor_end::complete) return;
    solve_.found.errors.pivot_growth = about.growth;
    hold(factors);
    note_weak_pivots(about);
}

template <scalar V>
void made_factors<V>::note_maker(const factor::ended_report& about)
{
    if (about.maker == factor::factor_maker_is::device)
        solve_.stages.note("at the device");
    else if (about.maker == factor::factor_maker_is::host_for_room)
        solve_.stages.note("on the host, no room at the device");
}

template <scalar V>
void made_factors<V>::note_weak_pivots(const factor::static_report& about)
{
    are_weak_ = has_weak_pivots(about);
    if (about.replaced == 0) return;
    stage_of_replaced_ = solve_.stages.last();
    solve_.stages.note(std::to_string(about.replaced) +
                       (about.replaced == 1 ? " pivot replaced" : " pivots replaced"));
}

template <scalar V>
template <scalar F>
void made_factors<V>::make_by_columns(std::optional<factor::lu_analysis<V>> analysis,
                                      std::int64_t held)
{
    const answer_request& request = solve_.request;
    const auto factors =
        kept_or_made(request.kept ? &request.kept->lu.template in_precision<F>() : nullptr, [&] {
            auto made = factor_in<F>(solve_.system.matrix(), request.factorisation,
                                     solve_.watch_of_factors(), analysis ? &*analysis : nullptr);
            solve_.stages.count(made.about().operations * work_in<F>);
            return made;
        });
    solve_.stages.end();
    const factor::report& about = factors.about();
    note_bytes(bytes_of(about), about.making_bytes, kept_beside<F>() + held);
    note_limit(limit_passed_by(about, request.factorisation));
    if (about.end != factor::factor_end::complete) return;
    solve_.found.errors.pivot_growth = about.growth;
    lacks_pivot_ = about.rank < solve_.system.size();
    hold(factors);
}

template <scalar V>
bool made_factors<V>::make_orthogonal(const factor_stage& s, const least_squares_matrix<V>& problem)
{
    begin(s, true);
    stage_recorder& stages = solve_.stages;
    const auto count = [&stages](double work) { stages.count(work); };
    const auto made =
        orthogonal_factors(problem.a, solve_.request, solve_.watch_of_factors(), count);
    stages.end();
    note_end_of_orthogonal(made.about(), solve_.found);
    if (made.about().end != factor::factor_end::complete) return false;
    const auto& held = factors_.template emplace<factor::qr_factors<dd_real>>(made);
    take(inverse_of_augmented(held, problem.alpha, count));
    return true;
}

template <scalar V>
template <class Factors>
void made_factors<V>::hold(const Factors& made)
{
    were_held_ = true;
    stage_of_replaced_.reset();
    take(inverse_by(factors_.template emplace<Factors>(made)));
}

template <scalar V>
template <scalar F>
bool made_factors<V>::are_last_in() const
{
    const factor_precision asked = solve_.request.factorisation.factors;
    return words_of<F> == 2 ||
           (asked != factor_precision::automatic && asked != factor_precision::in_double_double);
}

/// Of kept factors but those in F.
template <scalar V>
template <scalar F>
std::int64_t made_factors<V>::kept_beside() const
{
    return solve_.request.kept ? solve_.request.kept->template bytes_beside<F>() : 0;
}

template <scalar V>
void made_factors<V>::note_bytes(std::int64_t bytes, std::int64_t making_bytes, std::int64_t beside)
{
    solve_.count_bytes(making_bytes + beside);
    bytes_ = bytes + beside;
}

template <scalar V>
bool made_factors<V>::note_limit(const std::optional<passed_limit>& limit)
{
    answer& found = solve_.found;
    if (limit) solve_.stages.note_too_large(limit->kind);
    // Behind factors that were refused LU is the first that could be used.
    if (!were_held_) found.limit = limit;
    return limit.has_value();
}

#define DDLA_INSTANTIATE(V)                                                                        \
    template class made_factors<V>;                                                                \
    template void made_factors<V>::make_definite<double>(const factor_stage&);                     \
    template void made_factors<V>::make_definite<dd_real>(const factor_stage&);                    \
    template void made_factors<V>::make_symmetric<double>(const factor_stage&);                    \
    template void made_factors<V>::make_symmetric<dd_real>(const factor_stage&);                   \
    template void made_factors<V>::make_lu<double>(const factor_stage&);                           \
    template void made_factors<V>::make_lu<dd_real>(const factor_stage&);                          \
    template void made_factors<V>::make_threshold_lu<double>(const factor_stage&);                 \
    template void made_factors<V>::make_threshold_lu<dd_real>(const factor_stage&);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::refine
