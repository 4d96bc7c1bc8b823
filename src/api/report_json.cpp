#include "ddla/report_json.hpp"

#include "ddla/fp_mode.hpp"

#include "ddla/text.hpp"
#include "ddla/version.hpp"

#include "text/json_value.hpp"

#include <cmath>
#include <cstdio>

namespace ddla {
namespace {

using json = text::json_value;

json number_json(const std::optional<double>& x)
{
    return x && std::isfinite(*x) ? json(*x) : json();
}

json text_json(const std::string& text)
{
    return text.empty() ? json() : json(text);
}

json positive_json(double x)
{
    return x > 0 ? json(x) : json();
}

json counted_from_one(std::vector<index_t> numbers)
{
    for (index_t& i : numbers) ++i;
    return numbers;
}

json condition_json(const std::optional<condition_number>& c)
{
    if (!c || !c->is_known()) return {};
    return {{"value", number_json(c->value)}, {"at_least", c->at_least}};
}

/// null where they are not known.
json weights_json(const std::vector<double>& weights)
{
    return weights.empty() ? json() : json(weights);
}

json numerically_singular_json(const rank_report& rank)
{
    return rank.numerically_singular ? json(*rank.numerically_singular) : json();
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
            {"combined_columns", counted_from_one(rank->combined_columns)},
            {"row_weights", weights_json(rank->row_weights)},
            {"column_weights", weights_json(rank->column_weights)},
            {"distance_of_b", number_json(rank->distance_of_b)},
            {"numerically_singular", numerically_singular_json(*rank)}};
}

/// Rows count from 1.
json preconditioner_json(const std::optional<used_preconditioner>& used)
{
    if (!used) return {};
    const auto row = [](index_t i) { return i < 0 ? json() : json(i + 1); };
    const build_report& b = used->built;
    return {{"name", used->name},
            {"seconds", b.seconds},
            {"bytes", b.bytes},
            {"fill", number_json(b.fill)},
            {"operations", number_json(b.operations)},
            {"smallest_pivot", number_json(b.smallest_pivot)},
            {"smallest_pivot_row", row(b.smallest_pivot_row)},
            {"shifts", b.shifts},
            {"bad_row", row(b.bad_row)}};
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

/// The number of a component from 1, and the part of that of a complex system.
void add_component(json& to, const char* name, index_t index, bool is_complex)
{
    to[name] = (is_complex ? index / 2 : index) + 1;
    if (is_complex) to["part"] = index % 2 == 0 ? "real" : "imaginary";
}

/// null where each component has a claim.
json unsettled_json(const unsettled_components& u, bool is_complex)
{
    if (u.count <= 0) return {};
    json to = {{"count", u.count}, {"why", text_json(u.why)}};
    add_component(to, "first", u.first, is_complex);
    return to;
}

/// The fields of error estimates.
void add_estimates(json& to, const error_estimates& e, bool normwise, bool is_complex)
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
    to["certain_zeros"] = e.certain_zeros;
    to["proved_zeros"] = e.proved_zeros;
    to["unsettled"] = unsettled_json(e.unsettled, is_complex);
}

/// "certified", "error_bound", …; null if they were not asked for.
void add_bound(json& to, const std::optional<error_bound>& b)
{
    to["certified"] = b ? json(b->certified) : json();
    to["not_certified_because"] = b ? text_json(b->why) : json();
    to["error_bound"] = b ? json{{"normwise", number_json(b->normwise)},
                                 {"componentwise", number_json(b->componentwise)},
                                 {"scaled_inverse_norm", number_json(b->inverse_norm)}}
                          : json();
}

json matrix_json(const reported_matrix& a)
{
    return {{"rows", a.rows},
            {"columns", a.columns},
            {"nonzeros", a.nonzeros},
            {"complex", a.is_complex},
            {"file", text_json(a.file)}};
}

json read_json(const reported_matrix& a)
{
    json all = json::array();
    for (const read_file& f : a.read)
        all.push_back({{"role", f.role},
                       {"file", f.file},
                       {"underflowed_values", f.lost.underflowed},
                       {"subnormal_values", f.lost.subnormal},
                       {"rounded_values", f.lost.rounded}});
    return all;
}

json format_json(const format_report& format)
{
    return {{"name", to_string(format.format)},
            {"threads_per_row", format.threads_per_row},
            {"reason", format.reason}};
}

std::string hash_text(std::uint64_t hash)
{
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
    return text;
}

json tolerance_json(const reported_solve& s)
{
    if (s.tolerance) return *s.tolerance;
    return s.report.goal == solve_goal::digits ? json() : json(1e-12);
}

json solve_json(const reported_matrix& a, const reported_solve& s, const solve_report& r)
{
    json solve;
    solve["precision"] = s.precision;
    solve["method"] = to_string(s.method);
    solve["precond"] = s.preconditioner;
    solve["place"] = to_string(r.where);
    solve["place_reason"] = text_json(s.place_reason);
    solve["threads"] = r.threads;
    solve["format"] = format_json(s.format);
    solve["status"] = to_string(r.status);
    solve["iterations"] = r.iterations;
    solve["relative_residual"] = r.relative_residual;
    solve["true_relative_residual"] = r.true_relative_residual;
    if (r.normal_residual) solve["normal_residual"] = *r.normal_residual;
    solve["seconds"] = r.seconds;
    solve["seconds_per_iteration"] = positive_json(r.seconds_per_iteration());
    solve["bytes_per_iteration"] = r.bytes_per_iteration;
    solve["copy_bytes_per_second"] = positive_json(s.copy_bandwidth);
    solve["share_of_copy"] = positive_json(share_of_copy(r, s.copy_bandwidth));
    solve["peak_bytes"] = r.peak_bytes;
    solve["solution_words"] = r.solution_words;
    solve["solution_hash"] = hash_text(r.solution_hash);
    solve["tolerance"] = tolerance_json(s);
    solve["breakdown"] = text_json(r.breakdown);
    solve["interrupted"] = r.interrupted;
    solve["goal"] = to_string(r.goal);
    solve["digits"] = number_json(r.digits);
    solve["digits_proved"] = r.digits_proved;
    solve["normwise_digits"] = number_json(r.normwise_digits);
    solve["plan"] = plan_json(r.plan);
    solve["limit"] = text_json(r.limit);
    solve["preconditioner"] = preconditioner_json(r.preconditioner);
    add_estimates(solve, r.errors, s.normwise, a.is_complex);
    add_bound(solve, r.bound);
    solve["rank"] = rank_json(r.rank);
    return solve;
}

/// With "solutions" if there are several.
json solve_json(const reported_matrix& a, const reported_solve& s)
{
    json solve = solve_json(a, s, s.report);
    if (s.columns.empty()) return solve;
    solve["solutions"] = json::array();
    for (const solve_report& r : s.columns) solve["solutions"].push_back(solve_json(a, s, r));
    return solve;
}

/// Those of a complex system by their number in it, and the part.
json components_json(const reported_check& check, bool is_complex)
{
    const int digits = check.solution_words == 4 ? 64 : 32;
    json all = json::array();
    for (const checked_component& c : check.found.worst_five) {
        json one;
        add_component(one, "index", c.index, is_complex);
        one["digits"] = c.digits;
        one["x"] = to_string(c.x, c.x_low, digits);
        one["better"] = to_string(c.better, c.better_low, digits);
        all.push_back(one);
    }
    return all;
}

/// A file name need not be UTF-8, but JSON is.
std::string text_of(const json& report)
{
    return report.text(2) + '\n';
}

}  // namespace

std::string report_json(const reported_matrix& a, const std::vector<reported_solve>& solves)
{
    const fp_mode_guard exact;
    json report;
    report["matrix"] = matrix_json(a);
    report["read"] = read_json(a);
    report["solves"] = json::array();
    for (const reported_solve& s : solves) report["solves"].push_back(solve_json(a, s));
    report["version"] = DDLA_VERSION;
    return text_of(report);
}

std::string report_json(const reported_matrix& a, const reported_check& check)
{
    const fp_mode_guard exact;
    const solution_check& found = check.found;
    json report;
    report["matrix"] = matrix_json(a);
    report["read"] = read_json(a);
    report["solution"] = text_json(check.solution);
    report["solution_words"] = check.solution_words;
    report["passed"] = found.passed;
    report["verdict"] = verdict(found, check.digits, check.normwise);
    report["digits_asked"] = check.digits;
    report["digits_worst"] = number_json(found.worst);
    report["digits_median"] = number_json(found.median);
    report["digits_normwise"] = number_json(found.normwise);
    report["true_relative_residual"] = number_json(found.true_relative_residual);
    if (found.normal_residual) report["normal_residual"] = number_json(found.normal_residual);
    add_estimates(report, found.errors, check.normwise, a.is_complex);
    add_bound(report, found.bound);
    report["rank"] = rank_json(found.rank);
    report["plan"] = plan_json(found.plan);
    report["histogram"] = found.histogram;
    report["worst_components"] = components_json(check, a.is_complex);
    report["interrupted"] = found.interrupted;
    report["seconds"] = found.seconds;
    report["version"] = DDLA_VERSION;
    return text_of(report);
}

std::string verdict(const solution_check& found, int digits, bool normwise)
{
    const fp_mode_guard exact;
    const auto& right = normwise ? found.normwise : found.worst;
    if (!right && found.passed)
        return "PASS: " + std::to_string(digits) + " digits are right, as a bound proves.";
    if (!right) return "UNKNOWN: " + found.why + ".";
    char number[32];
    std::snprintf(number, sizeof number, "%.1f", *right);
    return std::string(found.passed ? "PASS: " : "FAIL: ") + number + " digits are right " +
           (normwise ? "normwise" : "in each component") + ", as estimated; " +
           std::to_string(digits) + " were asked for.";
}

}  // namespace ddla
