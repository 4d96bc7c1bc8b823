// What to try after a failure.
#include "next_try.hpp"

#include "answer_text.hpp"
#include "cli/options/effects.hpp"
#include "cli/shell/text_format.hpp"

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

/// What was counted where a limit ended factors is less than they take, so that steps from there
/// could go on and on.  From below the usual limit: that; then ten times it; then as good as none.
std::string more_work(const solve_request& r)
{
    constexpr double as_good_as_none = 1e12;
    const double usual = factorisation_options().most_work, now = r.factorisation.most_work;
    const double more = now < usual        ? usual
                        : now < 10 * usual ? 10 * usual
                                           : std::max(as_good_as_none, 10 * now);
    return "--most-work " + print("%.6g", more);
}

std::string more_memory(const solve_request& r)
{
    const std::int64_t usual = factorisation_options().most_memory;
    const std::int64_t now = r.factorisation.most_memory;
    return "--most-memory " +
           std::to_string(now < usual ? usual : 10 * std::min(now, INT64_MAX / 10));
}

/// Where b and the decimal values come from.
std::string system_options(const solve_request& r)
{
    std::string text = r.right_hand_side == "ones" ? "" : " --rhs " + in_shell(r.right_hand_side);
    if (r.values != precision_of<double>) text += " --values " + std::string(word(r.values));
    if (r.rhs_values) text += " --rhs-values " + std::string(word(*r.rhs_values));
    return text;
}

/// Another solve of the same system.
std::string solve_of(const solve_request& r, const std::string& options)
{
    return "ddla solve " + in_shell(r.matrix) + system_options(r) + ' ' + options;
}

/// Another method; in a line of its own where it would refuse an option of this one.
std::string by_method(const solve_request& r, method other)
{
    solve_request next = r;
    next.method = other;
    const std::string option = "--method " + std::string(to_string(other));
    return without_effect(next).empty() ? option : solve_of(r, option);
}

/// The options of this solve may be ones that LSMR does not take.
std::string least_squares(const solve_request& r)
{
    const bool has_others = r.certify || r.digits || r.normwise || r.solution_words == 4 ||
                            r.used_precond() != preconditioning::none;
    return (has_others ? solve_of(r, "--method lsmr") : by_method(r, method::lsmr)) +
           ", which finds least squares";
}

/// A tolerance that this residual meets; nothing if there is none.
std::string met_tolerance(const solve_report& found)
{
    const double residual =
        std::min(found.true_relative_residual, found.normal_residual.value_or(HUGE_VAL));
    return 2 * residual < 0.95 ? "--tol " + print("%.0e", 2 * residual) + ", which this x meets"
                               : "";
}

/// The limit that ended the last stage, or an elimination for the rank: more of it would tell more.
std::optional<limit_kind> limit_at_the_end(const std::vector<solve_stage>& plan)
{
    if (plan.empty()) return {};
    if (plan.back().passed) return plan.back().passed;
    const auto rank = std::find_if(plan.begin(), plan.end(), [](const solve_stage& s) {
        return s.passed && s.limited == limit_subject::rank;
    });
    return rank == plan.end() ? std::nullopt : rank->passed;
}

/// The limit for which factors were too large, if that is why there are none.
std::optional<limit_kind> limit_of_factors(const std::vector<solve_stage>& plan)
{
    for (const solve_stage& s : plan)
        if (s.passed) return s.passed;
    return {};
}

/// The limit that was passed, raised.
std::string more_of(limit_kind passed, const solve_request& r)
{
    return passed == limit_kind::memory ? more_memory(r) : more_work(r);
}

bool is_singular(const std::optional<rank_report>& rank)
{
    return rank && !rank->dependent_columns.empty();
}

/// Beyond what ddla itself can do: ddla-validate solves in as many bits as it takes.  Nothing
/// where it would refuse A, or solve another system: it takes values as they are in double.
std::string reference(const solve_request& r, bool is_square,
                      const std::filesystem::path& solution = {})
{
    const bool has_file = r.right_hand_side_is_file();
    if (!is_square || r.values != precision_of<double> ||
        (has_file && r.values_of_b() != precision_of<double>))
        return "";
    return "ddla-validate " + in_shell(r.matrix) +
           (solution.empty() ? "" : " --solution " + in_shell(solution)) +
           (r.right_hand_side == "ones" ? "" : " --rhs " + in_shell(r.right_hand_side)) +
           ", which computes in more digits";
}

/// Whether doubles hold a relative part of so little of a component of that size; 0: not known.
bool is_in_range(double size, double part)
{
    return size == 0 || size * part > 0;
}

/// Whether --solution-words 4 can be given, and may bring this part of a component of that size.
bool takes_four_words(const solve_request& r, const outcome& last, double size, double part)
{
    return r.solution_words == 2 && r.uses_factors() && last.in != precision_of<double> &&
           last.columns.empty() && is_in_range(size, part);
}

/// After factors in double-double that leave too large a residual.
std::string smaller_residual(const solve_request& r, const outcome& last)
{
    return takes_four_words(r, last, last.largest_component, r.tolerance.value_or(usual_tolerance))
               ? "--solution-words 4"
               : met_tolerance(last.report);
}

/// As many digits as this x has.
std::string fewer_digits(double digits)
{
    return print("--digits %.0f, as many as are right", std::floor(digits));
}

/// Digits of the largest component, if that many of them are known.
std::string normwise_digits(const solve_request& r, const solve_report& found)
{
    if (r.normwise || !found.errors.trusted || !found.errors.normwise) return "";
    const double digits = std::floor(-std::log10(std::max(*found.errors.normwise, 1e-300)));
    if (digits < 1) return "";
    return "--normwise" +
           (digits < r.wanted_digits() ? print(" --digits %.0f", digits) : std::string()) +
           ", which asks for digits of the largest component";
}

/// What brings more of an x that factors have found.
std::string more_by_factors(const solve_request& r, const outcome& last, bool is_square)
{
    const solve_report& found = last.report;
    const bool in_double = last.in == precision_of<double>;
    const bool has_digits = found.digits && *found.digits >= r.wanted_digits();
    if (is_singular(found.rank)) return least_squares(r);
    if (const auto limit = limit_at_the_end(found.plan)) return more_of(*limit, r);
    if (in_double) return "--precision dd";
    if (r.factorisation.factors == factor_precision::in_double) return "--factors auto";
    if (found.goal == solve_goal::residual || has_digits) return smaller_residual(r, last);
    if (found.digits && *found.digits >= 1)
        return takes_four_words(r, last, last.smallest_component, std::pow(10, -r.wanted_digits()))
                   ? "--solution-words 4"
                   : fewer_digits(*found.digits);
    const std::string normwise = normwise_digits(r, found);
    return normwise.empty() ? reference(r, is_square) : normwise;
}

/// Factors did not bring what was asked for.  Where nothing more is known to bring it, A is
/// singular as far as factors in double-double can tell.
std::string after_factors(const solve_request& r, const outcome& last, bool is_square)
{
    const std::string next = more_by_factors(r, last, is_square);
    const bool solves_nothing =
        last.report.true_relative_residual > r.tolerance.value_or(usual_tolerance);
    return next.empty() && is_square && solves_nothing ? least_squares(r) : next;
}

/// Where factors were too large; empty where A has not full rank.
std::string for_factors(const solve_request& r, const solve_report& found)
{
    const auto limit = limit_of_factors(found.plan);
    return limit ? more_of(*limit, r) + ", for factors" : "";
}

std::string after_least_squares(const solve_request& r, const outcome& last)
{
    const solve_report& found = last.report;
    if (found.status == solve_status::residual_only)  // digits were asked for
        return for_factors(r, found);
    if (found.status == solve_status::iteration_limit)
        return "--max-iterations " + std::to_string(10 * r.max_iterations);
    return last.in == precision_of<double> ? "--precision dd" : met_tolerance(found);
}

/// Factors would have passed their limits, or a method that iterates was asked for.
std::string after_iterations(const solve_request& r, const outcome& last, index_t rows)
{
    const solve_report& found = last.report;
    if (found.goal == solve_goal::least_squares) return after_least_squares(r, last);
    if (r.method == method::automatic) return for_factors(r, found);
    if (r.corrects_by_iterations() && found.status != solve_status::iteration_limit)
        return last.in == precision_of<double>
                   ? "--precision dd"
                   : by_method(r, r.used_precond() == preconditioning::ic ? method::cg
                                                                          : method::bicgstab) +
                         ", which iterates in double-double";
    const bool is_stuck = found.status == solve_status::stagnated &&
                          found.relative_residual > r.tolerance.value_or(usual_tolerance);
    if (is_stuck && r.method == method::fgmres && r.restart < rows)
        return "--restart " + std::to_string(std::min<index_t>(rows, 4 * r.restart));
    if (found.status == solve_status::stagnated && last.in == precision_of<double>)
        return "--precision dd";
    return by_method(r, method::automatic) + ", which factors A and refines x";
}

/// Digits were asked for, and only the residual was judged.
std::string after_unjudged(const solve_request& r, const solve_report& found)
{
    if (limit_of_factors(found.plan)) return for_factors(r, found);
    return std::string("without ") + (r.digits ? "--digits" : "") +
           (r.digits && r.normwise ? " and " : "") + (r.normwise ? "--normwise" : "") +
           ": x is one of many, and none has right digits of its own";
}

}  // namespace

std::string digits_note(const solve_request& r, const solve_results& results)
{
    const solve_report& found = results.solves.back().report;
    const bool is_square = results.matrix.rows == results.matrix.columns;
    const auto limit = limit_of_factors(found.plan);
    if (found.goal != solve_goal::least_squares || has_errors(found) ||
        (r.method == method::automatic && !limit))
        return "";
    return std::string(is_square ? "digits, or the rank of a singular A" : "digits") +
           ": ddla solve " + in_shell(r.matrix) +
           (r.right_hand_side == "ones" ? "" : " --rhs " + in_shell(r.right_hand_side)) +
           (r.values == precision_of<dd_real> ? " --values dd" : "") +
           (limit ? ' ' + more_of(*limit, r) : "") + '\n';
}

std::string next_try(const solve_request& r, const solve_results& results)
{
    const outcome& last = results.solves.back();
    const solve_report& found = last.report;
    const bool is_square = results.matrix.rows == results.matrix.columns;
    if (found.limited == limit_subject::conditions) return more_work(r);
    const bool factored = r.uses_factors() && (found.goal == solve_goal::digits ||
                                               has_errors(found) || r.method == method::refinement);
    switch (found.status) {
    case solve_status::singular:
        return least_squares(r);
    case solve_status::at_floor:
        if (last.in == precision_of<double>) return "--precision dd";
        return smaller_residual(r, last);
    case solve_status::residual_only:
        return after_unjudged(r, found);
    case solve_status::not_finite:
        return r.uses_factors() ? reference(r, is_square)
                                : by_method(r, method::automatic) + ", which scales and factors A";
    default:
        break;
    }
    return factored ? after_factors(r, last, is_square)
                    : after_iterations(r, last, results.matrix.rows);
}

std::string next_try(const solve_request& r, const std::filesystem::path& solution,
                     const reported_matrix& a, const solution_check& found)
{
    const bool is_square = a.rows == a.columns;
    if (is_singular(found.rank) || found.limited == limit_subject::rank)
        return solve_of(r, "--method lsmr, which finds least squares");
    if (!(r.normwise ? found.normwise : found.worst)) {
        if (const auto limit = limit_at_the_end(found.plan)) return more_of(*limit, r);
        if (!r.normwise && found.normwise)
            return "--normwise, which judges x by its largest component";
        return reference(r, is_square, solution);
    }
    return solve_of(
        r, "--digits " + std::to_string(r.wanted_digits()) + (r.normwise ? " --normwise" : "") +
               (r.solution_words == 4 ? " --solution-words 4" : "") + " --output x.mtx");
}

std::string advice_line(const std::string& next)
{
    return next.empty() ? "Nothing that tells more of this system is known to ddla.\n"
                        : "try: " + next + '\n';
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
    return by_method(r, method::automatic) + ", which takes what fits";
}

std::string next_try_after(const pivot_error& no_pivot)
{
    return no_pivot.may_shift() ? "--pivots shift" : "--method bicgstab --precond ilu";
}

}  // namespace ddla::cli
