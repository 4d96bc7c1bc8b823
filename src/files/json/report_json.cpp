#include "ddla/report_json.hpp"

#include "ddla/fp_mode.hpp"

#include "ddla/text.hpp"
#include "ddla/version.hpp"

#include "described_json.hpp"

#include <cstdio>

namespace ddla {
namespace {

using text::add_fields;
using text::array_of_fields;
using text::fields_json;
using text::json;
using text::json_of;
using text::text_json;
using text::text_of;

json positive_json(double x)
{
    return x > 0 ? json(x) : json();
}

json rank_json(const std::optional<rank_report>& rank)
{
    if (!rank) return {};
    json to;
    add_fields(to, *rank);
    to["certainty"] = rank->proved ? "proved" : "almost certain";
    return to;
}

/// Rows count from 1.
json preconditioner_json(const std::optional<used_preconditioner>& used)
{
    if (!used) return {};
    json to = {{"name", used->name}};
    add_fields(to, used->built);
    return to;
}

/// The number of a component from 1, and the part of that of a complex system.
void add_component(json& object, const char* name, index_t index, bool is_complex)
{
    object[name] = (is_complex ? index / 2 : index) + 1;
    if (is_complex) object["part"] = index % 2 == 0 ? "real" : "imaginary";
}

/// null where each component has a claim.
json unsettled_json(const unsettled_components& u, bool is_complex)
{
    if (u.count <= 0) return {};
    json to = {{"count", u.count}, {"why", text_json(u.why)}};
    add_component(to, "first", u.first, is_complex);
    return to;
}

/// The fields of error estimates: see their description.
void add_estimates(json& to, const error_estimates& e, bool normwise, bool is_complex)
{
    describe(
        described<error_estimates>(),
        [&](const about::field& field, const auto& x) {
            json& object = text::object_of(to, field);
            if constexpr (std::is_same_v<decltype(x), const unsettled_components&>)
                object[field.json_name()] = unsettled_json(x, is_complex);
            else
                object[field.json_name()] = json_of(field, x);
        },
        e);
    to["forward_error_trusted"] = normwise ? e.trusted : e.componentwise_trusted;
}

/// The fields of a bound; null if none was asked for.
void add_bound(json& object, const std::optional<error_bound>& b)
{
    if (b) return add_fields(object, *b);
    const error_bound none;
    describe(
        described<error_bound>(),
        [&](const about::field& field, const auto&) {
            object[field.within.empty() ? field.json_name() : field.within] = json();
        },
        none);
}

json read_json(const reported_matrix& a)
{
    json all = json::array();
    for (const read_file& f : a.read) {
        json one = fields_json(f);
        add_fields(one, f.lost);
        all.push_back(one);
    }
    return all;
}

json tolerance_json(const reported_solve& s)
{
    if (s.tolerance) return *s.tolerance;
    return s.report.goal == solve_goal::digits ? json() : json(usual_tolerance);
}

/// What stands before or behind a field, besides the description.
void add_before(json& object, const std::string_view field, const solve_report& r)
{
    if (field == "limit") object["plan"] = array_of_fields(r.plan);
}
void add_behind(json& object, const std::string_view field, const reported_solve& s,
                const solve_report& r)
{
    if (field == "where") object["place_reason"] = text_json(s.place_reason);
    if (field == "threads") object["format"] = fields_json(s.format, "solves");
    if (field == "bytes_per_iteration") {
        object["copy_bytes_per_second"] = positive_json(s.copy_bandwidth);
        object["share_of_copy"] = positive_json(share_of_copy(r, s.copy_bandwidth));
    }
    if (field == "solution_hash") object["tolerance"] = tolerance_json(s);
}

json field_json(const about::field& field, const solve_report& r, const auto& x)
{
    if (field.name == "iteration_seconds") return positive_json(r.seconds_per_iteration());
    return json_of(field, x);
}

json solve_json(const reported_matrix& a, const reported_solve& s, const solve_report& r)
{
    json solve;
    solve["precision"] = s.precision;
    solve["method"] = to_string(s.method);
    solve["precond"] = s.preconditioner;
    describe(
        described<solve_report>(),
        [&](const about::field& field, const auto& x) {
            add_before(solve, field.name, r);
            if (field.name != "normal_residual" || r.normal_residual)
                solve[field.json_name()] = field_json(field, r, x);
            add_behind(solve, field.name, s, r);
        },
        r);
    solve["preconditioner"] = preconditioner_json(r.preconditioner);
    add_estimates(solve, r.errors, s.normwise, a.is_complex);
    add_bound(solve, r.bound);
    solve["rank"] = rank_json(r.rank);
    if (r.ranks.count > 0) solve["ranks"] = fields_json(r.ranks);
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

}  // namespace

std::string report_json(const reported_matrix& a, const std::vector<reported_solve>& solves)
{
    const fp_mode_guard exact;
    json report;
    report["matrix"] = fields_json(a);
    report["read"] = read_json(a);
    report["solves"] = json::array();
    for (const reported_solve& s : solves) report["solves"].push_back(solve_json(a, s));
    report["version"] = DDLA_VERSION;
    return text_of(report);
}

namespace {

/// What stands before or behind a field of a check.
void add_before(json& object, std::string_view field, const reported_matrix& a,
                const reported_check& c)
{
    if (field != "interrupted") return;
    add_estimates(object, c.found.errors, c.normwise, a.is_complex);
    add_bound(object, c.found.bound);
    object["rank"] = rank_json(c.found.rank);
    object["plan"] = array_of_fields(c.found.plan);
    object["histogram"] = c.found.histogram;
    object["worst_components"] = components_json(c, a.is_complex);
}
void add_behind(json& object, std::string_view field, const reported_check& c)
{
    if (field != "passed") return;
    object["verdict"] = verdict(c.found, c.digits, c.normwise);
    object["digits_asked"] = c.digits;
}

}  // namespace

std::string report_json(const reported_matrix& a, const reported_check& check)
{
    const fp_mode_guard exact;
    json report;
    report["matrix"] = fields_json(a);
    report["read"] = read_json(a);
    report["solution"] = text_json(check.solution);
    report["solution_words"] = check.solution_words;
    describe(
        described<solution_check>(),
        [&](const about::field& field, const auto& x) {
            add_before(report, field.name, a, check);
            if (field.name != "normal_residual" || check.found.normal_residual)
                report[field.json_name()] = json_of(field, x);
            add_behind(report, field.name, check);
        },
        check.found);
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
