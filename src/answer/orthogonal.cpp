// Least squares by QR factors.
#include "orthogonal.hpp"

#include "errors/kept_factors.hpp"
#include "stages.hpp"

#include "storage/transposed.hpp"

#include <algorithm>
#include <cmath>

namespace ddla::refine {
namespace {

using qr = factor::qr_factors<dd_real>;

/// Corrections by QR, and the norm in which they contract.
approximate_inverse inverse_of_augmented(const qr& f, double alpha)
{
    const factor::qr_report& about = f.about();
    const int exponent = std::ilogb(alpha);
    const double smallest = std::max(about.smallest_singular_value, 0x1p-110);
    std::vector<double> scale(
        static_cast<std::size_t>(about.rows),
        std::ldexp(1.0, std::clamp(std::ilogb(smallest) - exponent, -1000, 1000)));
    for (const int e : f.exponent()) scale.push_back(std::ldexp(1.0, std::clamp(e, -1000, 1000)));
    const correction solve = [&f, exponent](vec<const dd_real> r, vec<dd_real> d) {
        f.solve_augmented(exponent, r, d);
    };
    return {solve, solve, scale, 0x1p-104, scale, true};
}

template <scalar V>
qr factors_of(const csr<V>& a, const answer_request& request, const factor_watch& watch)
{
    const factor::options limits = options_of(request.factorisation, false, watch);
    factor::qr_options asked;
    if (request.factorisation.ordering == column_ordering::natural)
        asked.order = factor::ordering::natural;
    asked.most_operations = limits.most_operations;
    asked.most_bytes = limits.most_bytes;
    asked.watch = watch;
    if (a.rows >= a.columns) return qr::make(a, asked);
    const csr_matrix<V> t = transposed(a);
    return qr::make(t.view(), asked);
}

void copy(const_solution_view from, solution_view to)
{
    for (index_t i = 0; i < to.size(); ++i) to.high.set(i, from.high.get(i));
    for (index_t i = 0; i < to.low.size; ++i) to.low.set(i, from.low.get(i));
}

void mark_interrupted(answer& of)
{
    of.interrupted = true;
    of.status = solve_status::iteration_limit;
}

/// Both as one: what is known is that of `next`.
answer joined(answer&& first, answer&& next)
{
    for (solve_stage& stage : next.plan) {
        stage.iterations += first.steps;
        first.plan.push_back(std::move(stage));
    }
    // The next stage begins where the last one ended.
    if (!first.history.empty()) first.history.pop_back();
    first.history.insert(first.history.end(), next.history.begin(), next.history.end());
    next.plan = std::move(first.plan);
    next.history = std::move(first.history);
    next.steps += first.steps;
    next.working_bytes = std::max(next.working_bytes, first.working_bytes);
    if (!next.rank) next.rank = std::move(first.rank);
    return std::move(next);
}

/// Whether the second answer of one system tells more.
bool tells_more(const answer& next, const answer& first)
{
    if (next.overflowed >= 0 || !std::isfinite(next.relative_residual)) return false;
    if (next.status == solve_status::converged) return true;
    if (first.status == solve_status::converged) return false;
    const double known = first.digits.value_or(-1), now = next.digits.value_or(-1);
    if (now != known) return now > known;
    const double all = first.normwise_digits.value_or(-1);
    return next.normwise_digits.value_or(-1) > all;
}

/// `first`, for what `next` brought tells no more; both in its plan.
answer kept_with(answer&& first, answer&& next)
{
    answer known = first;
    answer both = joined(std::move(first), std::move(next));
    known.plan = std::move(both.plan);
    known.history = std::move(both.history);
    known.steps = both.steps;
    known.working_bytes = both.working_bytes;
    if (both.interrupted) mark_interrupted(known);
    return known;
}

/// Made in a stage of `first`.
template <scalar V>
qr factors_in_stage(const csr<V>& a, const answer_request& request, answer& first)
{
    stage_recorder stages(first.plan, first.steps, request.watch);
    stages.begin(name_of(factor_work::orthogonal));
    const auto watch = [&](double done) {
        return stages.report(first.steps, first.relative_residual, done);
    };
    const qr made = kept_or_made(request.kept ? &request.kept->orthogonal : nullptr,
                                 [&] { return factors_of(a, request, watch); });
    stages.end();
    const factor::qr_end end = made.about().end;
    if (end == factor::qr_end::over_work || end == factor::qr_end::over_memory)
        first.plan.back().name += ", too large";
    first.working_bytes = std::max(first.working_bytes, made.about().bytes);
    if (was_stopped(end)) mark_interrupted(first);
    return made;
}

}  // namespace

bool wants_orthogonal(const answer& first, const answer_request& request)
{
    // Where digits are known the rounding of x is what keeps a residual large.
    const bool is_judged_by_residual =
        request.goal != solve_goal::digits || first.status == solve_status::at_floor;
    const bool is_settled = (first.status == solve_status::converged || is_judged_by_residual) &&
                            first.digits.has_value();
    if (first.interrupted || first.limit || first.overflowed >= 0) return false;
    return !is_settled && first.status != solve_status::singular &&
           request.factorisation.factors != factor_precision::in_double;
}

template <scalar V>
answer find_orthogonal(const host_system<V>& system, const csr<V>& a, double alpha, solution_view y,
                       const answer_request& request, answer&& first)
{
    const qr factors = factors_in_stage(a, request, first);
    if (factors.about().end != factor::qr_end::complete) return std::move(first);
    // r in four words, too: x moves by the square of the condition times what r is wrong by.
    vector<dd_real> high(y.size()), low(y.size());
    const solution_view wide(high.view(), low.view());
    for (index_t i = 0; i < y.size(); ++i) high.set(i, y.high.get(i));
    for (index_t i = 0; i < y.low.size; ++i) low.set(i, y.low.get(i));
    answer_request again = request;
    if (request.watch)
        again.watch = [&](solve_progress p) {
            p.iterations += first.steps;
            return request.watch(p);
        };
    answer next = improve_answer(system, wide, inverse_of_augmented(factors, alpha), again);
    next.working_bytes +=
        factors.about().bytes + 2 * y.size() * static_cast<std::int64_t>(sizeof(dd_real));
    if (!tells_more(next, first)) return kept_with(std::move(first), std::move(next));
    copy(wide, y);
    return joined(std::move(first), std::move(next));
}

#define DDLA_INSTANTIATE(V)                                                                        \
    template answer find_orthogonal(const host_system<V>&, const csr<V>&, double, solution_view,   \
                                    const answer_request&, answer&&);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::refine
