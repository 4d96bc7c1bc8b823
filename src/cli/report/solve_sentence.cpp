// What happened, in one sentence: how solves ended, what is claimed of x, what is not.
#include "solve_sentence.hpp"

#include "answer_text.hpp"
#include "cli/shell/text_format.hpp"

#include <algorithm>
#include <cmath>

namespace ddla::cli {
namespace {

std::string after(std::int64_t iterations)
{
    return " after " + std::to_string(iterations) +
           (iterations == 1 ? " iteration" : " iterations");
}

std::string rank_of_text(const rank_report& rank, bool is_complex)
{
    return (is_complex ? "its real form of rank " : "of rank ") + std::to_string(rank.value);
}

/// Whether the last stage is refinement by corrections in double from an iteration.
bool was_corrected(const solve_report& r)
{
    return !r.plan.empty() && r.plan.back().name.ends_with(" in double") &&
           !r.plan.back().name.starts_with("factor");
}

/// What is known of right digits: "has 31 digits right, as estimated"; empty for nothing.
std::string claim(const solve_request& request, const solve_report& r)
{
    const bool of_largest = !r.digits || request.normwise;
    const std::optional<double>& digits = r.digits ? r.digits : r.normwise_digits;
    if (!digits) return "";
    return print("has %.0f digits ", std::floor(*digits)) +
           (of_largest ? "of the largest component right, " : "right, ") +
           (r.digits && r.digits_proved ? "proved" : "as estimated");
}

/// Of a solve with factors that is not what was asked for.
std::string shortfall(const solve_request& request, const solve_report& r, double tolerance)
{
    const std::string known = claim(request, r);
    const std::string residual = r.normal_residual
                                     ? residual_text(r, tolerance)
                                     : "its residual is " + scientific(r.true_relative_residual);
    if (r.goal == solve_goal::digits && !r.digits)
        return (known.empty() ? "cannot be sure of the digits asked for; "
                              : known + ", but cannot be sure of every component; ") +
               residual;
    if (r.goal == solve_goal::digits && *r.digits < request.wanted_digits())
        return known + ", and " + std::to_string(request.wanted_digits()) + " were asked for; " +
               residual;
    return (known.empty() ? "misses the tolerance; " : known + ", but misses the tolerance; ") +
           residual;
}

/// What the residual says, and that it says nothing of digits.
std::string by_residual(const solve_request& request, const solve_report& r, double tolerance,
                        bool is_complex)
{
    const bool finds_least_squares = r.normal_residual && r.true_relative_residual > tolerance;
    const std::string truth = scientific(r.true_relative_residual);
    const bool is_one_of_many = !r.normal_residual && r.rank && !r.rank->dependent_columns.empty();
    const std::string text =
        is_one_of_many ? "reaches " + truth + " by one of many x: A is singular, " +
                             rank_of_text(*r.rank, is_complex)
        : finds_least_squares
            ? "finds least squares, ||A^T r|| / (||A|| ||r||) = " + normal_residual_text(r)
            : "reaches " + truth;
    if (r.status == solve_status::residual_only)
        return text + ", but " + asked_text(request) +
               " were asked for, and only the residual was judged";
    if (is_one_of_many || has_errors(r)) return text;
    if (r.goal == solve_goal::least_squares) return text + "; the digits of x are unknown";
    return text + (request.method == method::automatic ? "; only the residual was judged" : "");
}

/// How a solve ended, as the predicate of a sentence.
std::string predicate(const solve_request& request, const solve_report& r, bool is_complex)
{
    const double tolerance = request.tolerance.value_or(usual_tolerance);
    const std::string claimed = scientific(r.relative_residual);
    const std::string truth = scientific(r.true_relative_residual);
    if (has_errors(r) && r.status == solve_status::converged && r.digits)
        return claim(request, r) + ", and " + residual_text(r, tolerance);
    if (has_errors(r) && r.status == solve_status::stagnated)
        return shortfall(request, r, tolerance);
    if (r.interrupted) return "was interrupted at " + truth + after(r.iterations);
    switch (r.status) {
    case solve_status::converged:
    case solve_status::residual_only:
        return by_residual(request, r, tolerance, is_complex);
    case solve_status::stagnated:
        if (r.relative_residual > tolerance)
            return "gets stuck at " + truth + after(r.iterations) +
                   (was_corrected(r) ? ": a correction in double brought too little"
                                     : ": a cycle brought nothing");
        return "claims " + claimed + " but the true residual is " + truth;
    case solve_status::iteration_limit:
        return "is still at " + truth + after(r.iterations);
    case solve_status::breakdown:
        return "breaks down at " + truth + after(r.iterations) + ": " + r.breakdown + " is 0";
    case solve_status::not_finite:
        return "stops" + after(r.iterations) + ": " + r.breakdown + " is not finite";
    case solve_status::singular:
        if (r.limited == limit_subject::rank) return "finds many x: " + r.limit;
        return "finds A singular, " + rank_of_text(*r.rank, is_complex) +
               ", and no solution for this b";
    case solve_status::at_floor:
        return "reaches " + (r.normal_residual ? residual_text(r, tolerance) : truth) +
               ", as small as rounding x allows";
    }
    return "ended";
}

}  // namespace

std::string solve_sentence(const solve_request& request, const solve_results& results)
{
    std::string text;
    for (const outcome& done : results.solves)
        text += (text.empty() ? "" : "; ") + std::string(name(done.in)) + " " +
                predicate(request, done.report, results.matrix.is_complex);
    return text + ".";
}

std::string columns_sentence(const solve_request& request, const solve_results& results)
{
    const outcome& last = results.solves.back();
    const auto is_converged = [](const solve_report& r) {
        return r.status == solve_status::converged;
    };
    const auto& all = last.columns;
    const auto count = std::count_if(all.begin(), all.end(), is_converged);
    std::string text = std::string(name(last.in)) + ": " + std::to_string(count) + " of " +
                       std::to_string(all.size()) + " right-hand sides converged";
    if (count < static_cast<std::ptrdiff_t>(all.size()))
        text += "; column " + std::to_string(deciding_column(all) + 1) + " " +
                predicate(request, last.report, results.matrix.is_complex);
    return text + ".";
}

}  // namespace ddla::cli
