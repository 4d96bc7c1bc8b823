// What a report says of a solve with factors.
#include "answer_text.hpp"

#include "text_format.hpp"

#include <algorithm>
#include <cmath>

namespace ddla::cli {
namespace {

const char* const unknown = "-";

std::string digits_text(const std::optional<double>& digits)
{
    return digits ? print("%.1f", *digits) : unknown;
}

std::string condition_text(const std::optional<condition_number>& c)
{
    if (!c) return unknown;
    return (c->at_least ? "> " : "") + scientific(c->value);
}

std::string error_text(const std::optional<double>& error, bool trusted)
{
    if (!error) return unknown;
    return scientific(*error) + (trusted ? "" : " (?)");
}

json counted_from_one(std::vector<index_t> numbers)
{
    for (index_t& i : numbers) ++i;
    return numbers;
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

json condition_json(const std::optional<condition_number>& c)
{
    if (!c) return {};
    return {{"value", number_json(c->value)}, {"at_least", c->at_least}};
}

std::string rank_text(const std::optional<rank_report>& rank)
{
    if (!rank) return unknown;
    return std::to_string(rank->value) + (rank->proved ? ", proved" : ", almost certain");
}

}  // namespace

std::string goal_text(const solve_request& r)
{
    std::string text = r.method == method::automatic
                           ? std::to_string(r.digits) + " right digits of " +
                                 (r.normwise ? "the largest component" : "every component")
                           : "";
    if (r.tolerance || text.empty())
        text += (text.empty() ? "" : ", ") + ("tolerance " + shortest(r.tolerance.value_or(1e-12)));
    return text + (r.solution_words == 4 ? ", x in four words" : "");
}

bool has_errors(const solve_report& r)
{
    return r.errors.normwise.has_value() || r.rank.has_value();
}

std::vector<labelled> system_cells(const error_estimates& e, const std::optional<rank_report>& rank)
{
    return {{"backward error", error_text(e.componentwise_backward_error, true)},
            {"condition (Skeel)", condition_text(e.condition)},
            {"condition (kappa_1)", condition_text(e.condition_1)},
            {"digits in the data", digits_text(e.data_digits)},
            {"rank", rank_text(rank)}};
}

std::vector<labelled> bound_cells(const std::optional<error_bound>& b)
{
    if (!b) return {};
    // Two digits, none below the bound.
    const auto text = [](const std::optional<double>& e) {
        return e ? scientific(1.05 * *e) : unknown;
    };
    return {{"proved, each component", text(b->componentwise)},
            {"proved, normwise", text(b->normwise)}};
}

std::string bound_note(const std::optional<error_bound>& b)
{
    return !b || b->certified ? "" : "No bound of the error is proved: " + b->why + ".";
}

std::vector<labelled> error_cells(const solve_report& r)
{
    const error_estimates& e = r.errors;
    std::vector<labelled> cells{
        {"digits right (est.)", digits_text(r.digits)},
        {"error, each component", error_text(e.componentwise, e.componentwise_trusted)},
        {"error, normwise", error_text(e.normwise, e.trusted)},
        {"residual, true", scientific(r.true_relative_residual)}};
    const std::vector<labelled> bound = bound_cells(r.bound), system = system_cells(e, r.rank);
    cells.insert(cells.begin() + 3, bound.begin(), bound.end());
    cells.insert(cells.end(), system.begin(), system.end());
    return cells;
}

std::string rank_note(const rank_report& r)
{
    if (r.dependent_rows.empty()) return "";
    const auto part = [](const char* what, const std::vector<index_t>& combined) {
        return combined.size() == 1 ? std::string(what) + " " + list_text(combined) + " is zero"
                                    : "a combination of " + std::string(what) + "s " +
                                          list_text(combined) + " is zero";
    };
    return "Rank: " + part("row", r.combined_rows) + "; " + part("column", r.combined_columns) +
           ".";
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

json number_json(const std::optional<double>& x)
{
    return x && std::isfinite(*x) ? json(*x) : json();
}

json rank_json(const std::optional<rank_report>& rank)
{
    if (!rank) return {};
    return {{"value", rank->value},
            {"certainty", rank->proved ? "proved" : "almost certain"},
            {"consistent", rank->consistent},
            {"dependent_rows", counted_from_one(rank->dependent_rows)},
            {"dependent_columns", counted_from_one(rank->dependent_columns)},
            {"combined_rows", counted_from_one(rank->combined_rows)},
            {"combined_columns", counted_from_one(rank->combined_columns)}};
}

json plan_json(const std::vector<solve_stage>& plan)
{
    json stages = json::array();
    for (const solve_stage& s : plan)
        stages.push_back({{"stage", s.name},
                          {"seconds", s.seconds},
                          {"true_relative_residual", number_json(s.true_relative_residual)},
                          {"digits", number_json(s.digits)}});
    return stages;
}

void add_estimates(json& to, const error_estimates& e, bool normwise)
{
    to["backward_error"] = number_json(e.backward_error);
    to["componentwise_backward_error"] = number_json(e.componentwise_backward_error);
    to["omega1"] = number_json(e.omega1);
    to["omega2"] = number_json(e.omega2);
    to["condition"] = condition_json(e.condition);
    to["condition_1"] = condition_json(e.condition_1);
    to["forward_error_estimate"] = {{"normwise", number_json(e.normwise)},
                                    {"componentwise", number_json(e.componentwise)}};
    to["forward_error_trusted"] = normwise ? e.trusted : e.componentwise_trusted;
    to["pivot_growth"] = number_json(e.pivot_growth);
    to["data_digits"] = number_json(e.data_digits);
}

void add_bound(json& to, const std::optional<error_bound>& b)
{
    to["certified"] = b ? json(b->certified) : json();
    to["not_certified_because"] = !b || b->why.empty() ? json() : json(b->why);
    to["error_bound"] = b ? json{{"normwise", number_json(b->normwise)},
                                 {"componentwise", number_json(b->componentwise)},
                                 {"scaled_inverse_norm", number_json(b->inverse_norm)}}
                          : json();
}

void add_errors(json& solve, const solve_report& r, bool normwise)
{
    solve["goal"] = to_string(r.goal);
    solve["digits"] = number_json(r.digits);
    solve["plan"] = plan_json(r.plan);
    add_estimates(solve, r.errors, normwise);
    add_bound(solve, r.bound);
    solve["certain_zeros"] = r.errors.certain_zeros;
    solve["rank"] = rank_json(r.rank);
}

}  // namespace ddla::cli
