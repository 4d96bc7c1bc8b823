// What a report says of a solve with factors.
#include "answer_text.hpp"

#include "cli/shell/text_format.hpp"

#include <algorithm>
#include <cmath>

namespace ddla::cli {
namespace {

std::string digits_text(const std::optional<double>& digits)
{
    return digits ? print("%.1f", *digits) : unknown;
}

/// Of a claim; else the digits of the largest component, if they are known.
std::string claimed_text(const solve_report& r)
{
    if (has_normwise_alone(r)) return "-; " + digits_text(r.normwise_digits) + " normwise";
    return digits_text(r.digits) + (r.digits && r.digits_proved ? ", proved" : "");
}

/// "yes", "normwise" or "no"; proofs are named beside the digits.
std::string trusted_text(const solve_report& r)
{
    return r.digits ? "yes" : r.normwise_digits ? "normwise" : "no";
}

std::string condition_text(const std::optional<condition_number>& c)
{
    if (!c || !c->is_known()) return unknown;
    return (c->at_least ? "> " : "") + scientific(c->value);
}

std::string error_text(const std::optional<double>& error, bool trusted)
{
    if (!error || !std::isfinite(*error)) return unknown;
    return scientific(*error) + (trusted ? "" : " (?)");
}

/// "3, 17 and 120", "3, 17, 120, … (52 in all)"
std::string list_text(const std::vector<index_t>& numbers)
{
    constexpr std::size_t shown = 8;
    std::string text;
    for (std::size_t k = 0; k < std::min(shown, numbers.size()); ++k)
        text += (k == 0 ? "" : ", ") + std::to_string(numbers[k] + 1);
    if (numbers.size() > shown) text += ", ... (" + std::to_string(numbers.size()) + " in all)";
    return text;
}

/// Rows or columns of a complex matrix for those of its real form, ascending.
std::vector<index_t> complex_indices(std::vector<index_t> of_form)
{
    for (index_t& i : of_form) i /= 2;
    of_form.erase(std::unique(of_form.begin(), of_form.end()), of_form.end());
    return of_form;
}

std::string rank_text(const std::optional<rank_report>& rank)
{
    if (!rank) return unknown;
    return std::to_string(rank->value) + (rank->proved ? ", proved" : ", almost certain");
}

}  // namespace

std::string asked_text(const solve_request& r)
{
    return std::to_string(r.wanted_digits()) + " digits" +
           (r.normwise ? " of the largest component" : "");
}

std::string goal_text(const solve_request& r, solve_goal judged)
{
    const bool is_automatic = r.method == method::automatic;
    const bool by_digits = is_automatic && judged == solve_goal::digits;
    std::string text = by_digits ? std::to_string(r.wanted_digits()) + " right digits of " +
                                       (r.normwise ? "the largest component" : "every component")
                                 : "";
    if (r.tolerance || !by_digits)
        text += (text.empty() ? "" : ", ") +
                ("tolerance " + shortest(r.tolerance.value_or(usual_tolerance)));
    if (is_automatic && judged == solve_goal::residual) text += " of the residual alone";
    if (is_automatic && !by_digits && (r.digits || r.normwise))
        text += ", not the " + asked_text(r) + " asked for";
    return text + (r.solution_words == 4 ? ", x in four words" : "");
}

bool has_errors(const solve_report& r)
{
    return r.errors.normwise.has_value() || (r.rank && !r.normal_residual);
}

bool has_normwise_alone(const solve_report& r)
{
    return !r.digits && r.normwise_digits;
}

std::vector<labelled> system_cells(const error_estimates& e, const std::optional<rank_report>& rank)
{
    return {{"backward error", error_text(e.componentwise_backward_error, true)},
            {"backward error, omega1", error_text(e.omega1, true)},
            {"backward error, omega2", error_text(e.omega2, true)},
            {"pivot growth", error_text(e.pivot_growth, true)},
            {"condition (Skeel)", condition_text(e.condition)},
            {"condition (kappa_1)", condition_text(e.condition_1)},
            {"digits in the data", digits_text(e.data_digits), false},
            {"rank", rank_text(rank)}};
}

std::string component_text(index_t index, bool is_complex)
{
    if (!is_complex) return std::to_string(index + 1);
    return std::to_string(index / 2 + 1) + (index % 2 == 0 ? " re" : " im");
}

std::string component_notes(const error_estimates& e, bool is_complex)
{
    std::string zeros;
    if (e.proved_zeros > 0) zeros += std::to_string(e.proved_zeros) + " proved";
    if (e.certain_zeros > 0)
        zeros += (zeros.empty() ? "" : ", ") + std::to_string(e.certain_zeros) + " almost certain";
    std::string text = zeros.empty() ? "" : "Zeros: " + zeros + ".\n";
    const unsettled_components& u = e.unsettled;
    if (u.count <= 0) return text;
    const std::string first = component_text(u.first, is_complex);
    const std::string of = u.count == 1
                               ? "component " + first
                               : std::to_string(u.count) + " components, the first is " + first;
    return text +
           wrapped("No claim is made of " + of + (u.why.empty() ? "" : ": " + u.why) + ".",
                   text_width) +
           '\n';
}

std::vector<labelled> least_squares_cells(const error_estimates& e,
                                          const std::optional<double>& normal_residual)
{
    return {{"residual of A^T", normal_residual ? scientific(*normal_residual) : unknown},
            {"condition (Skeel)", condition_text(e.condition)},
            {"digits in the data", digits_text(e.data_digits), false}};
}

std::string shape_text(const reported_matrix& a)
{
    return a.rows == a.columns ? ", " : a.rows > a.columns ? ", least squares, " : ", least norm, ";
}

std::string normal_residual_text(const solve_report& r)
{
    return r.normal_residual ? scientific(*r.normal_residual) : unknown;
}

std::string residual_text(const solve_report& r, double tolerance)
{
    return r.normal_residual && r.true_relative_residual > tolerance
               ? "||A^T r|| / (||A|| ||r||) = " + normal_residual_text(r)
               : "residual " + scientific(r.true_relative_residual);
}

std::vector<labelled> bound_cells(const std::optional<error_bound>& b)
{
    if (!b) return {};
    // Two digits, none below the bound.
    const auto text = [](const std::optional<double>& e) {
        return e ? scientific(1.05 * *e) : unknown;
    };
    return {{"proved, each component", text(b->componentwise), false},
            {"proved, normwise", text(b->normwise), false}};
}

std::string bound_note(const std::optional<error_bound>& b)
{
    return !b || b->certified ? "" : "No bound of the error is proved: " + b->why + ".";
}

std::vector<labelled> error_cells(const solve_report& r)
{
    const error_estimates& e = r.errors;
    std::vector<labelled> cells{
        {r.digits_proved ? "digits right" : "digits right (est.)", claimed_text(r), false},
        {"trusted", trusted_text(r), false},
        {"error, each component", error_text(e.componentwise, e.componentwise_trusted)},
        {"error, normwise", error_text(e.normwise, e.trusted)},
        {"residual, true", scientific(r.true_relative_residual)}};
    const std::vector<labelled> bound = bound_cells(r.bound);
    cells.insert(cells.begin() + 4, bound.begin(), bound.end());
    const std::vector<labelled> system =
        r.normal_residual ? least_squares_cells(e, r.normal_residual) : system_cells(e, r.rank);
    cells.insert(cells.end(), system.begin(), system.end());
    return cells;
}

std::string data_note(const solve_request& request, const solve_report& report)
{
    const std::optional<double>& digits = report.errors.data_digits;
    if (!report.digits || !digits || *digits >= request.wanted_digits() ||
        request.values != precision_of<double>)
        return "";
    const int whole = static_cast<int>(*digits);
    const std::string sure =
        whole == 0   ? "no digit of x means anything"
        : whole == 1 ? "only the first digit of x means something"
                     : "only the first " + std::to_string(whole) + " digits of x mean something";
    return "If A or b were rounded to double, " + sure +
           ". Where a file has more digits, --values dd reads them.";
}

namespace {

/// What of b no x reaches.
std::string distance_note(const rank_report& r)
{
    if (!r.distance_of_b) return "";
    constexpr double of_rounding = 1e-14;
    return " b is " + scientific(*r.distance_of_b) + " of its norm from the range of A" +
           (*r.distance_of_b < of_rounding
                ? ": rounding b may be all that keeps the system from having a solution, and least "
                  "squares have one of b without that part."
                : ".");
}

}  // namespace

std::string rank_note(const solve_report& report, bool is_complex)
{
    if (!report.rank || report.normal_residual) return "";
    const rank_report& r = *report.rank;
    if (r.dependent_rows.empty())
        return r.numerically_singular.value_or(false)
                   ? "Numerically singular in double: some change of A by " +
                         scientific(1 / report.errors.condition_1->value) +
                         " of its norm makes it singular."
                   : "";
    const auto part = [is_complex](const char* what, std::vector<index_t> combined) {
        if (is_complex) combined = complex_indices(std::move(combined));
        return combined.size() == 1 ? std::string(what) + " " + list_text(combined) + " is zero"
                                    : "a combination of " + std::string(what) + "s " +
                                          list_text(combined) + " is zero";
    };
    return "Rank: " + part("row", r.combined_rows) + "; " + part("column", r.combined_columns) +
           "." + distance_note(r);
}

std::string plan_text(const outcome& done)
{
    std::string text = "Plan, " + std::string(name(done.in)) + ":\n";
    for (const solve_stage& s : done.report.plan) {
        text += print("  %-26s %10s", s.name.c_str(), duration(s.seconds).c_str());
        if (s.true_relative_residual)
            text += "   residual " + scientific(*s.true_relative_residual);
        if (s.digits) text += ", " + digits_text(s.digits) + " digits";
        text += '\n';
    }
    return text;
}

}  // namespace ddla::cli
