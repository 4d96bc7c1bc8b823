// What a report says of a solve with factors.
#include "answer_text.hpp"

#include "text_format.hpp"

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

json number(const std::optional<double>& x)
{
    return x && std::isfinite(*x) ? json(*x) : json();
}

json condition_json(const std::optional<condition_number>& c)
{
    if (!c) return {};
    return {{"value", number(c->value)}, {"at_least", c->at_least}};
}

std::string rank_text(const std::optional<rank_report>& rank)
{
    if (!rank) return unknown;
    return std::to_string(rank->value) + (rank->proved ? ", proved" : ", almost certain");
}

json rank_json(const std::optional<rank_report>& rank)
{
    if (!rank) return {};
    return {{"value", rank->value},
            {"certainty", rank->proved ? "proved" : "almost certain"},
            {"consistent", rank->consistent}};
}

json plan_json(const std::vector<solve_stage>& plan)
{
    json stages = json::array();
    for (const solve_stage& s : plan)
        stages.push_back({{"stage", s.name},
                          {"seconds", s.seconds},
                          {"true_relative_residual", number(s.true_relative_residual)},
                          {"digits", number(s.digits)}});
    return stages;
}

}  // namespace

std::string goal_text(const solve_request& r)
{
    std::string text = r.method == method::automatic
                           ? print("%g right digits of ", r.digits) +
                                 (r.normwise ? "the largest component" : "every component")
                           : "";
    if (r.tolerance || text.empty())
        text += (text.empty() ? "" : ", ") + ("tolerance " + shortest(r.tolerance.value_or(1e-12)));
    return text;
}

bool has_errors(const solve_report& r)
{
    return r.errors.normwise.has_value() || r.rank.has_value();
}

std::vector<labelled> error_cells(const solve_report& r)
{
    const error_estimates& e = r.errors;
    return {{"digits right (est.)", digits_text(r.digits)},
            {"error, each component", error_text(e.componentwise, e.componentwise_trusted)},
            {"error, normwise", error_text(e.normwise, e.trusted)},
            {"residual, true", scientific(r.true_relative_residual)},
            {"backward error", error_text(e.componentwise_backward_error, true)},
            {"condition (Skeel)", condition_text(e.condition)},
            {"condition (kappa_1)", condition_text(e.condition_1)},
            {"digits in the data", digits_text(e.data_digits)},
            {"rank", rank_text(r.rank)}};
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

void add_errors(json& solve, const solve_report& r, bool normwise)
{
    const error_estimates& e = r.errors;
    solve["goal"] = to_string(r.goal);
    solve["digits"] = number(r.digits);
    solve["plan"] = plan_json(r.plan);
    solve["backward_error"] = number(e.backward_error);
    solve["componentwise_backward_error"] = number(e.componentwise_backward_error);
    solve["omega1"] = number(e.omega1);
    solve["omega2"] = number(e.omega2);
    solve["condition"] = condition_json(e.condition);
    solve["condition_1"] = condition_json(e.condition_1);
    solve["forward_error_estimate"] = {{"normwise", number(e.normwise)},
                                       {"componentwise", number(e.componentwise)}};
    solve["forward_error_trusted"] = normwise ? e.trusted : e.componentwise_trusted;
    solve["pivot_growth"] = number(e.pivot_growth);
    solve["data_digits"] = number(e.data_digits);
    solve["certain_zeros"] = e.certain_zeros;
    solve["rank"] = rank_json(r.rank);
}

}  // namespace ddla::cli
