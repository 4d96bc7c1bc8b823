// The report for programs.
#include "cli/report/report_json.hpp"
#include "validation.hpp"

#include "ddla/version.hpp"

namespace ddla::validate {
namespace {

using cli::json;

json solve_json(const solve_report& r)
{
    return {{"status", to_string(r.status)},
            {"iterations", r.iterations},
            {"relative_residual", r.relative_residual},
            {"true_relative_residual", r.true_relative_residual},
            {"seconds", r.seconds},
            {"interrupted", r.interrupted}};
}

json digits_json(const right_digits& d)
{
    json worst = json::array();
    for (const component& c : d.worst_five)
        worst.push_back(
            {{"index", c.index}, {"digits", c.digits}, {"x", c.x}, {"reference", c.reference}});
    const std::vector<index_t> counts(d.histogram.begin(), d.histogram.end());
    return {{"worst", d.worst},          {"median", d.median},
            {"normwise", d.normwise},    {"histogram", counts},
            {"tiny_components", d.tiny}, {"wrong_tiny_components", d.wrong_tiny},
            {"worst_components", worst}};
}

json judged_json(const judged& x, bool has_reference)
{
    json j;
    j["title"] = x.title;
    j["solve"] = x.solve ? solve_json(*x.solve) : json();
    if (!has_reference) return j;
    j["digits"] = digits_json(x.digits);
    j["forward_error"] = x.digits.error;
    j["ferr_bound"] = x.bound;
    j["eta"] = x.backward.eta;
    j["berr"] = x.backward.berr;
    j["omega1"] = x.backward.omega1;
    j["omega2"] = x.backward.omega2;
    return j;
}

json reference_json(const reference_facts& r)
{
    return {{"label", "agreed"},    {"agreed_digits", r.agreed_digits},
            {"bits", r.bits},       {"lower_bits", r.lower_bits},
            {"entries", r.entries}, {"seconds", r.seconds},
            {"rcond", r.rcond},     {"skeel_condition", r.skeel}};
}

}  // namespace

std::string validation_json(const validation& v)
{
    json report;
    report["matrix"] = {{"rows", v.rows},
                        {"columns", v.rows},
                        {"nonzeros", v.nonzeros},
                        {"complex", v.is_complex},
                        {"file", v.matrix.string()}};
    report["read"] = json::array();
    for (const read_file& f : v.read)
        report["read"].push_back({{"role", f.role},
                                  {"file", f.file},
                                  {"underflowed_values", f.lost.underflowed},
                                  {"subnormal_values", f.lost.subnormal},
                                  {"rounded_values", f.lost.rounded}});
    report["right_hand_side"] = v.right_hand_side;
    report["digits_wanted"] = v.wanted_digits;
    report["normwise"] = v.normwise;
    report["reference"] = v.reference ? reference_json(*v.reference) : json();
    report["solutions"] = json::array();
    for (const judged& x : v.all)
        report["solutions"].push_back(judged_json(x, v.reference.has_value()));
    report["passed"] = v.passed();
    report["interrupted"] = v.interrupted;
    report["version"] = DDLA_VERSION;
    return cli::text_of(report);
}

}  // namespace ddla::validate
