// The plan of a solve, as text and as JSON.
#include "plan_report.hpp"

#include "cli/shell/text_format.hpp"

#include <cmath>
#include <sstream>

namespace ddla::cli {
namespace {

constexpr std::size_t indent_of_stage = 6;

/// Lines of the text, indented.
std::string lines(const std::string& text)
{
    std::istringstream all(wrapped(text, text_width - indent_of_stage));
    std::string found, line;
    while (std::getline(all, line)) found += std::string(indent_of_stage, ' ') + line + '\n';
    return found;
}

std::string amount_text(const planned_amount& a, const std::string& amount)
{
    if (!std::isfinite(a.amount)) return "without limit";
    return (a.is_at_most ? "at most " : "") + amount;
}

std::string bytes_text(const planned_amount& bytes)
{
    constexpr double most = 9e18;
    return amount_text(bytes, memory(static_cast<std::size_t>(std::min(bytes.amount, most))));
}

std::string stage_text(std::size_t number, const planned_stage& s)
{
    std::string text = print("%3zu  ", number) + s.name + "\n" + lines(s.does);
    text += lines("if: " + s.follows);
    if (!s.starts_from.empty()) text += lines("from " + s.starts_from + "; judged by " + s.judged);
    std::string cost = s.entries > 0 ? "entries: " + std::to_string(s.entries) + ", " : "";
    cost += "work: " + amount_text(s.work, print("%.2e", s.work.amount)) +
            ", memory: " + bytes_text(s.bytes);
    if (s.most_iterations > 0) cost += ", iterations: at most " + std::to_string(s.most_iterations);
    text += lines(cost);
    return s.limit.empty() ? text : text + lines("too large: " + s.limit);
}

}  // namespace

std::string plan_text(const solve_request& r, const reported_matrix& matrix,
                      const std::vector<told_plan>& plans)
{
    std::string text = matrix_line(matrix);
    for (const told_plan& plan : plans) {
        text += one_line(method_text(r) + ", " + std::string(name(plan.in)) +
                         ", b = " + right_hand_side_text(r) + ": the plan") +
                "\n\n";
        std::size_t number = 0;
        for (const planned_stage& s : plan.stages) text += stage_text(++number, s);
        text += '\n';
    }
    return text + "A stage follows if the goal is not met yet, and its condition holds.  Work is\n"
                  "in multiplications with a subtraction; memory is beside A, b and x.\n"
                  "Nothing was solved.\n";
}

std::string plan_json(const solve_request& r, const reported_matrix& matrix,
                      const std::vector<told_plan>& plans)
{
    std::vector<reported_plan> all;
    for (const told_plan& plan : plans) all.push_back({plan.stages, std::string(word(plan.in))});
    return plan_json(matrix, r.method, std::string(to_string(r.used_precond())), all);
}

}  // namespace ddla::cli
