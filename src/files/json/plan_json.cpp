// The plans of solves as JSON.
#include "ddla/fp_mode.hpp"
#include "ddla/plan.hpp"

#include "described_json.hpp"

namespace ddla {
namespace {

using json = text::json_value;

json json_of(const planned_amount& a)
{
    return {{"amount", text::number_json(a.amount)}, {"at_most", a.is_at_most}};
}
json json_of(const std::string& x)
{
    return text::text_json(x);
}
json json_of(bool x)
{
    return x;
}
/// Of iterations and entries: null where there are none.
json json_of(std::int64_t x)
{
    return x > 0 ? json(x) : json();
}

json stage_json(const planned_stage& s)
{
    json to;
    describe(
        described<planned_stage>(),
        [&](const about::field& field, const auto& x) { to[field.json_name()] = json_of(x); }, s);
    return to;
}

}  // namespace

std::string plan_json(const reported_matrix& a, method by, const std::string& preconditioner,
                      const std::vector<reported_plan>& plans)
{
    const fp_mode_guard exact;
    json all;
    all["matrix"] = text::fields_json(a);
    all["method"] = to_string(by);
    all["preconditioner"] = preconditioner;
    all["plans"] = json::array();
    for (const reported_plan& plan : plans) {
        json stages = json::array();
        for (const planned_stage& s : plan.stages) stages.push_back(stage_json(s));
        all["plans"].push_back({{"precision", plan.precision}, {"stages", stages}});
    }
    return text::text_of(all);
}

}  // namespace ddla
