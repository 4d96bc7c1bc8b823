// Products y = A x in one or more formats: options and reports.
#include "products.hpp"

#include "cli/options/described_options.hpp"
#include "cli/report/format_text.hpp"
#include "cli/report/read_notes.hpp"
#include "cli/report/report_json.hpp"
#include "cli/shell/arguments.hpp"
#include "cli/shell/text_format.hpp"

#include "ddla/host_threads.hpp"
#include "ddla/version.hpp"

#include <iostream>

namespace ddla::cli {
namespace {

std::string heading(const products& p, const product_results& results)
{
    const std::string operand = results.operand.empty() ? "" : ", " + results.operand;
    return "\ny = A x in " + std::string(name(p.in)) + one_line(operand) + ", " +
           place_text(results.where, host_threads()) +
           print(", copies at %.4g GB/s\n\n", p.bandwidth * 1e-9);
}

/// Sentences below a table.
std::string notes(const products& p)
{
    std::string text;
    if (!p.reason.empty() && !p.formats.empty())
        text +=
            wrapped(one_line(format_name(p.formats.front()) + ": " + p.reason + "."), text_width) +
            '\n';
    if (p.hash) text += "The hash of y is " + hash_text(*p.hash) + ".\n";
    if (!p.options.empty()) text += "To use it: " + p.options + "\n";
    return text;
}

std::string report_text(const product_results& results)
{
    std::string text = matrix_line(results.matrix) + read_notes(results.matrix.read);
    for (const products& p : results.all)
        text += heading(p, results) +
                format_table(p.formats, results.matrix.nonzeros, p.bandwidth, results.sorted) +
                '\n' + notes(p);
    if (results.interrupted) text += "Interrupted: some formats were not measured.\n";
    return text;
}

json products_json(const products& p, const product_results& results)
{
    json all;
    all["precision"] = word(p.in);
    all["place"] = to_string(results.where);
    all["threads"] = host_threads();
    all["copy_bytes_per_second"] = p.bandwidth;
    all["reason"] = text_json(p.reason);
    all["hash"] = p.hash ? json(hash_text(*p.hash)) : json();
    all["options"] = text_json(p.options);
    all["formats"] = json::array();
    for (const measured_format& m : p.formats)
        all["formats"].push_back(format_json(m, results.matrix.nonzeros, p.bandwidth));
    return all;
}

std::string report_json(const product_results& results)
{
    json report;
    report["matrix"] = fields_json(results.matrix);
    report["products"] = json::array();
    for (const products& p : results.all) report["products"].push_back(products_json(p, results));
    report["interrupted"] = results.interrupted;
    report["version"] = DDLA_VERSION;
    return text_of(report);
}

}  // namespace

void add_product_options(CLI::App& app, product_request& r, const std::string& verb)
{
    add_precision(app, r, "x and y");
    add_values(app, r);
    add_memory_limit(app, r);
    add_machine(app, r, verb);
    add_described_options<measure_options>(app, r.measure);
    add_option(app, "--report", r.report, file_name, "r.json", "Write the report as JSON");
    add_flag(app, "--quiet", r.quiet, "Print nothing but errors");
}

exit_status report(const product_request& request, const product_results& results)
{
    if (!request.quiet) std::cout << report_text(results) << std::flush;
    write_file(request.report, report_json(results));
    if (results.failed) std::rethrow_exception(results.failed);
    return results.interrupted ? exit_not_converged : exit_converged;
}

bool format_watch::operator()(const tune_progress& progress)
{
    if (line_.due())
        line_.show(std::string(name(in_)) +
                   print(": format %zu of %zu, ", progress.tried + 1, progress.total) +
                   std::string(to_string(progress.next.format)));
    return !interrupt_.requested();
}

}  // namespace ddla::cli
