// What to try after a failure.
#include "next_try.hpp"

#include "answer_text.hpp"
#include "text_format.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace ddla::cli {
namespace {

/// As a shell reads it.
std::string in_shell(const std::filesystem::path& file)
{
    const std::string name = one_line(file.string());
    const char* const plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-=,@%:";
    if (name.find_first_not_of(plain) == std::string::npos) return name;
    std::string text = "'";
    for (const char c : name) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

std::string more_work(const solve_request& r)
{
    return "--most-work " + shortest(10 * r.factorisation.most_work);
}

std::string more_memory(const solve_request& r)
{
    return "--most-memory " +
           std::to_string(10 * std::min(r.factorisation.most_memory, INT64_MAX / 10));
}

std::string least_squares(const solve_request& r)
{
    return "--method lsmr" + std::string(r.solution_words == 4 ? " in two words" : "") +
           ", which finds least squares";
}

/// A tolerance that this residual meets.
std::string met_tolerance(double residual)
{
    return "--tol " + print("%.0e", 2 * residual) + ", which this x meets";
}

/// Whether the limits ended the last elimination that was begun.
bool was_limited(const std::vector<solve_stage>& plan)
{
    return !plan.empty() && (plan.back().name.starts_with("factor in") ||
                             plan.back().name.starts_with("rank modulo"));
}

/// Whether factors were too large, and not A without full rank.
bool has_passed_limits(const std::vector<solve_stage>& plan)
{
    return std::any_of(plan.begin(), plan.end(),
                       [](const solve_stage& s) { return s.name.ends_with(", too large"); });
}

bool is_singular(const std::optional<rank_report>& rank)
{
    return rank && !rank->dependent_columns.empty();
}

/// Beyond what ddla itself can do: ddla-validate solves in as many bits as it takes.
std::string reference(const solve_request& r, const std::filesystem::path& solution = {})
{
    return "ddla-validate " + in_shell(r.matrix) +
           (solution.empty() ? "" : " --solution " + in_shell(solution)) +
           (r.right_hand_side == "ones" ? "" : " --rhs " + in_shell(r.right_hand_side)) +
           ", which computes in more digits";
}

/// Factors did not bring what was asked for.
std::string after_factors(const solve_request& r, const outcome& last)
{
    const solve_report& found = last.report;
    const bool in_double = last.in == precision_of<double>;
    const bool has_digits = found.digits && *found.digits >= r.digits();
    if (is_singular(found.rank)) return least_squares(r);
    if (was_limited(found.plan)) return more_work(r);
    if (in_double) return "--precision dd";
    if (r.factorisation.factors == factor_precision::in_double) return "--factors auto";
    if (found.goal == solve_goal::residual || has_digits)
        return r.solution_words == 2 ? "--solution-words 4"
                                     : met_tolerance(found.true_relative_residual);
    if (found.digits && *found.digits >= 1)
        return r.solution_words == 2
                   ? "--solution-words 4"
                   : print("--digits %.0f, as many as are right", std::floor(*found.digits));
    if (!r.normwise && found.errors.trusted)
        return "--normwise, which asks for digits of the largest component";
    return reference(r);
}

/// Factors would have passed their limits, or a method that iterates was asked for.
std::string after_iterations(const solve_request& r, const outcome& last, index_t rows)
{
    const solve_report& found = last.report;
    const bool least_squares = found.goal == solve_goal::least_squares;
    if (r.method == method::automatic && !least_squares)
        return more_work(r) + ' ' + more_memory(r) + ", for factors";
    if (least_squares)
        return found.status == solve_status::iteration_limit
                   ? "--max-iterations " + std::to_string(10 * r.max_iterations)
               : last.in == precision_of<double> ? "--precision dd"
                                                 : met_tolerance(found.true_relative_residual);
    if (r.corrects_by_iterations() && found.status != solve_status::iteration_limit)
        return last.in == precision_of<double>
                   ? "--precision dd"
                   : "--method " +
                         std::string(r.precond() == preconditioning::ic ? "cg" : "bicgstab") +
                         ", which iterates in double-double";
    const bool is_stuck = found.status == solve_status::stagnated &&
                          found.relative_residual > r.tolerance.value_or(1e-12);
    if (is_stuck && r.restart < rows)
        return "--restart " + std::to_string(std::min<index_t>(rows, 4 * r.restart));
    if (found.status == solve_status::stagnated && last.in == precision_of<double>)
        return "--precision dd";
    return "--method auto, which factors A and refines x";
}

/// Digits were asked for, and only the residual was judged.
std::string after_unjudged(const solve_request& r, const solve_report& found)
{
    if (has_passed_limits(found.plan)) return more_work(r) + ' ' + more_memory(r) + ", for factors";
    return "without --digits: x is one of many, and none has right digits of its own";
}

}  // namespace

std::string digits_note(const solve_request& r, const outcome& done)
{
    const solve_report& found = done.report;
    const bool is_limited = has_passed_limits(found.plan);
    if (found.goal != solve_goal::least_squares || has_errors(found) ||
        (r.method == method::automatic && !is_limited))
        return "";
    return "digits: ddla solve " + in_shell(r.matrix) +
           (r.right_hand_side == "ones" ? "" : " --rhs " + in_shell(r.right_hand_side)) +
           (r.values == precision_of<dd_real> ? " --values dd" : "") +
           (is_limited ? ' ' + more_work(r) + ' ' + more_memory(r) : "") + '\n';
}

std::string next_try(const solve_request& r, const solve_results& results)
{
    const outcome& last = results.solves.back();
    const solve_report& found = last.report;
    const bool factored = r.uses_factors() && (found.goal == solve_goal::digits ||
                                               has_errors(found) || r.method == method::refinement);
    switch (found.status) {
    case solve_status::singular:
        return least_squares(r);
    case solve_status::at_floor:
        if (last.in == precision_of<double>) return "--precision dd";
        if (r.solution_words == 2) return "--solution-words 4";
        return met_tolerance(found.true_relative_residual);
    case solve_status::residual_only:
        return after_unjudged(r, found);
    case solve_status::not_finite:
        return r.uses_factors() ? reference(r) : "--method auto, which scales and factors A";
    default:
        break;
    }
    return factored ? after_factors(r, last) : after_iterations(r, last, results.matrix.rows);
}

std::string next_try(const solve_request& r, const std::filesystem::path& solution,
                     const solution_check& found)
{
    const std::string b =
        r.right_hand_side == "ones" ? "" : " --rhs " + in_shell(r.right_hand_side);
    const std::string solve = "ddla solve " + in_shell(r.matrix) + b;
    if (is_singular(found.rank)) return solve + ' ' + least_squares(r);
    if (!(r.normwise ? found.normwise : found.worst)) {
        if (was_limited(found.plan)) return more_work(r);
        if (!r.normwise && found.errors.trusted)
            return "--normwise, which judges x by its largest component";
        return reference(r, solution);
    }
    return solve + " --digits " + std::to_string(r.digits()) + (r.normwise ? " --normwise" : "") +
           (r.solution_words == 4 ? " --solution-words 4" : "") + " --output x.mtx";
}

std::string next_try_after(const solve_request& r, const limit_error& limit)
{
    switch (limit.kind()) {
    case limit_kind::work:
        return more_work(r);
    case limit_kind::memory:
        return more_memory(r);
    case limit_kind::fill:  // no option of the command sets it
        break;
    }
    return "--method auto, which takes what fits";
}

std::string next_try_after(const pivot_error& no_pivot)
{
    return no_pivot.may_shift() ? "--bad-pivot shift" : "--method bicgstab --precond ilu";
}

}  // namespace ddla::cli
