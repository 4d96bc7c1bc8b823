// Least squares by QR factors.
#include "orthogonal.hpp"
#include "storage/transposed.hpp"

#include <algorithm>
#include <cmath>

namespace ddla::refine {
namespace {

using qr = factor::qr_factors<dd_real>;

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

/// Of one correction: R is used twice, Q twice with four multiplications a rotation.
double work_of_solve(const factor::qr_report& about)
{
    return work_in_dd * static_cast<double>(2 * about.entries + 8 * about.rotations);
}

void mark_interrupted(answer& of)
{
    of.interrupted = true;
    of.status = solve_status::iteration_limit;
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
qr orthogonal_factors(const csr<V>& a, const answer_request& request, const factor_watch& watch,
                      const std::function<void(double)>& count)
{
    return kept_or_made(request.kept ? &request.kept->orthogonal : nullptr, [&] {
        qr made = factors_of(a, request, watch);
        count(work_in_dd * made.about().operations);
        return made;
    });
}

void note_end_of_orthogonal(const factor::qr_report& about, answer& found)
{
    if (factor::limit_of(about.end)) found.plan.back().name += ", too large";
    found.working_bytes = std::max(found.working_bytes, about.bytes);
    if (was_stopped(about.end)) mark_interrupted(found);
}

approximate_inverse inverse_of_augmented(const qr& f, double alpha,
                                         const std::function<void(double)>& count)
{
    const factor::qr_report& about = f.about();
    const int exponent = std::ilogb(alpha);
    const double smallest = std::max(about.smallest_singular_value, 0x1p-110);
    std::vector<double> scale(
        static_cast<std::size_t>(about.rows),
        std::ldexp(1.0, std::clamp(std::ilogb(smallest) - exponent, -1000, 1000)));
    for (const int e : f.exponent()) scale.push_back(std::ldexp(1.0, std::clamp(e, -1000, 1000)));
    const correction solve = [&f, exponent, count](vec<const dd_real> r, vec<dd_real> d) {
        count(work_of_solve(f.about()));
        f.solve_augmented(exponent, r, d);
    };
    const shared_scale both(std::move(scale));
    return {solve, solve, both, 0x1p-104, both, true};
}

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

answer kept_with(answer&& first, answer&& next)
{
    answer known = std::move(first);
    known.plan = std::move(next.plan);
    known.work = std::move(next.work);
    known.history = std::move(next.history);
    known.steps = next.steps;
    known.working_bytes = next.working_bytes;
    if (next.interrupted) mark_interrupted(known);
    return known;
}

void copy_solution(const_solution_view from, solution_view to)
{
    for (index_t i = 0; i < to.size(); ++i) to.high.set(i, from.high.get(i));
    for (index_t i = 0; i < std::min(from.low.size, to.low.size); ++i)
        to.low.set(i, from.low.get(i));
}

#define DDLA_INSTANTIATE(V)                                                                        \
    template qr orthogonal_factors(const csr<V>&, const answer_request&, const factor_watch&,      \
                                   const std::function<void(double)>&);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::refine
