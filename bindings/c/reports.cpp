#include "reports.hpp"

#include "described.hpp"
#include "structs.hpp"

using namespace ddla;
using namespace ddla::c;

ddla_report::ddla_report(reported_matrix a, reported_solve solve)
    : matrix(std::move(a)), about(std::move(solve)),
      json(report_json(matrix, {std::get<reported_solve>(about)}))
{
}

ddla_report::ddla_report(reported_matrix a, reported_check check)
    : matrix(std::move(a)), about(std::move(check))
{
    const reported_check& c = std::get<reported_check>(about);
    json = report_json(matrix, c);
    verdict = ddla::verdict(c.found, c.digits, c.normwise);
}

namespace {

const solve_report& solve_of(const ddla_report* report)
{
    if (const auto* s = std::get_if<reported_solve>(&required(report, "report").about))
        return s->report;
    throw misuse("the report is of a check, not of a solve");
}
const solution_check& check_of(const ddla_report* report)
{
    if (const auto* c = std::get_if<reported_check>(&required(report, "report").about))
        return c->found;
    throw misuse("the report is of a solve, not of a check");
}

/// f(the solve_report or solution_check), which have some members in common.
template <class F>
void with_either(const ddla_report* report, const F& f)
{
    if (std::holds_alternative<reported_solve>(required(report, "report").about))
        f(solve_of(report));
    else
        f(check_of(report));
}

ddla_rank rank_of(const std::optional<rank_report>& about)
{
    ddla_rank to = {};
    to.numerically_singular = -1;
    to.distance_of_b = NAN;
    if (!about) return to;
    const rank_report& r = *about;
    to = fields_of<ddla_rank>(r);
    to.known = 1;
    to.dependent = static_cast<int64_t>(r.dependent_rows.size());
    to.combined_rows_count = static_cast<int64_t>(r.combined_rows.size());
    to.combined_columns_count = static_cast<int64_t>(r.combined_columns.size());
    return to;
}

ddla_error_estimates estimates_of(const error_estimates& e)
{
    auto to = fields_of<ddla_error_estimates>(e);
    const auto at_least = [](const auto& c) { return c && c->is_known() && c->at_least; };
    to.condition_at_least = at_least(e.condition);
    to.condition_1_at_least = at_least(e.condition_1);
    to.first_unsettled = e.unsettled.first;
    to.unsettled_because = text_or_null(e.unsettled.why);
    return to;
}

/// Members that both summaries have, by the names of error_bound.
struct bound_members {
    std::int32_t& certified;
    const char*& why;
    double &normwise, &componentwise, &inverse_norm;
};

template <class S>
void set_bound(S& to, const std::optional<error_bound>& b)
{
    static const error_bound none;
    bound_members members{to.certified, to.not_certified_because, to.bound_normwise,
                          to.bound_componentwise, to.scaled_inverse_norm};
    copy_fields(b ? *b : none, members);
}

}  // namespace

extern "C" {

ddla_status ddla_report_summary(const ddla_report* report, ddla_solve_summary* summary)
{
    return guarded([&] {
        const solve_report& r = solve_of(report);
        auto to = fields_of<ddla_solve_summary>(r);
        to.stages = static_cast<int32_t>(r.plan.size());
        to.history = r.history.empty() ? nullptr : r.history.data();
        to.history_length = static_cast<int64_t>(r.history.size());
        set_bound(to, r.bound);
        hand_over(to, summary, "summary");
    });
}

ddla_status ddla_report_check(const ddla_report* report, ddla_check_summary* summary)
{
    return guarded([&] {
        const solution_check& c = check_of(report);
        auto to = fields_of<ddla_check_summary>(c);
        // 33 elements, or 65 of an x in four words.
        std::copy_n(c.histogram.begin(), std::min(c.histogram.size(), std::size(to.histogram)),
                    to.histogram);
        to.components = static_cast<int32_t>(c.worst_five.size());
        to.stages = static_cast<int32_t>(c.plan.size());
        to.verdict = report->verdict.c_str();
        to.why = text_or_null(c.why);
        set_bound(to, c.bound);
        hand_over(to, summary, "summary");
    });
}

ddla_status ddla_report_stage(const ddla_report* report, int32_t k, ddla_stage* stage)
{
    return guarded([&] {
        with_either(report, [&](const auto& r) {
            const solve_stage& s = numbered(r.plan, k, "stage");
            hand_over(fields_of<ddla_stage>(s), stage, "stage");
        });
    });
}

ddla_status ddla_report_errors(const ddla_report* report, ddla_error_estimates* errors)
{
    return guarded([&] {
        with_either(report,
                    [&](const auto& r) { hand_over(estimates_of(r.errors), errors, "errors"); });
    });
}

ddla_status ddla_report_rank(const ddla_report* report, ddla_rank* rank)
{
    return guarded([&] {
        with_either(report, [&](const auto& r) { hand_over(rank_of(r.rank), rank, "rank"); });
    });
}

ddla_status ddla_report_traffic(const ddla_report* report, ddla_traffic* traffic)
{
    return guarded(
        [&] { hand_over(fields_of<ddla_traffic>(solve_of(report).ranks), traffic, "traffic"); });
}

ddla_status ddla_report_preconditioner(const ddla_report* report, const char** name,
                                       ddla_build_report* built)
{
    return guarded([&] {
        const std::optional<used_preconditioner>& used = solve_of(report).preconditioner;
        hand_over(used ? fields_of<ddla_build_report>(used->built) : ddla_build_report{}, built,
                  "built");
        required(name, "name") = used ? used->name.c_str() : nullptr;
    });
}

ddla_status ddla_report_component(const ddla_report* report, int32_t k, ddla_component* component)
{
    return guarded([&] {
        const checked_component& c = numbered(check_of(report).worst_five, k, "component");
        hand_over(ddla_component{0, c.index, c.digits, pair(c.x), pair(c.better), pair(c.x_low),
                                 pair(c.better_low)},
                  component, "component");
    });
}

ddla_status ddla_report_json(const ddla_report* report, const char** json)
{
    return guarded([&] { required(json, "json") = required(report, "report").json.c_str(); });
}

void ddla_report_destroy(ddla_report* report)
{
    delete report;
}
}
