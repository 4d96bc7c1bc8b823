// What the reports for programs have in common.
#include "report_json.hpp"

namespace ddla::cli {
namespace {

/// What storing the matrix so took.
void add_conversion(json& object, const measured_format& m, index_t entries)
{
    describe(
        described<format_report>(),
        [&](const about::field& field, const auto& x) {
            if (field.only_in != "products") return;
            object[field.json_name()] =
                field.name == "slots" ? json(m.report.padding(entries)) : json_of(field, x);
        },
        m.report);
    object["conversion_products"] = m.conversion_in_products();
}

}  // namespace

json format_json(const measured_format& m, index_t entries, double bandwidth)
{
    json format;
    format["name"] = to_string(m.options.format);
    format["threads_per_row"] =
        m.was_measured() ? m.report.threads_per_row : m.options.threads_per_row;
    describe(
        described<measured_format>(),
        [&](const about::field& field, const auto& x) {
            if (!m.was_measured() && field.name != "refused") return;
            if (field.name == "hash") add_conversion(format, m, entries);
            format[field.json_name()] = json_of(field, x);
            if (field.name == "bytes") format["seconds_at_copy"] = m.seconds_at(bandwidth);
            if (field.name == "seconds") format["share"] = m.share_of(bandwidth);
        },
        m);
    return format;
}

}  // namespace ddla::cli
