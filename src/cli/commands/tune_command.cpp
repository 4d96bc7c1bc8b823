// ddla tune: measure the formats of a matrix, and tell the options of the fastest.
#include "cli/shell/command.hpp"

#include "cli/shell/arguments.hpp"
#include "cli/shell/text_format.hpp"
#include "products.hpp"

#include <algorithm>
#include <memory>
#include <optional>

namespace ddla::cli {
namespace {

const char* const examples_of_tune =
    "Examples:\n"
    "  ddla tune a.mtx\n"
    "  ddla tune a.mtx --precision both --place device --report r.json\n"
    "  ddla solve a.mtx --format slices   # what the last line of the report tells\n\n"
    "Results have the same bits in all formats.  Exit status: 0 done, 1 interrupted,\n"
    "2 bad usage or input, 3 internal or resource failure.";

/// Those that were refused come last.
bool is_faster(const measured_format& a, const measured_format& b)
{
    if (a.was_measured() != b.was_measured()) return a.was_measured();
    return a.seconds < b.seconds;
}

/// What makes `ddla solve` and `ddla spmv` take it for the same products.
std::string options_of(const measured_format& fastest, const product_request& r, precision in,
                       place where)
{
    std::string text = "--format " + std::string(to_string(fastest.options.format)) + " --place " +
                       (where.is_host() ? "host" : "device") + " --precision " +
                       std::string(word(in));
    if (r.values != precision_of<double>) text += " --values " + std::string(word(r.values));
    return text;
}

template <scalar T, scalar V>
void tune_in(const product_request& r, const interrupt_guard& interrupt, csr_matrix<V>& a,
             product_results& results)
{
    constexpr precision in = precision_of<T>;
    tuning found = [&] {
        format_watch watch(in, r.quiet, interrupt);
        const watched_scope scope([&] { return !interrupt.requested(); });
        return tune<T>(a, {.measure = r.measure,
                           .memory_limit = static_cast<std::size_t>(r.memory_limit),
                           .watch = std::ref(watch)});
    }();
    std::stable_sort(found.formats.begin(), found.formats.end(), is_faster);
    products p{in, found.formats, found.copy_bandwidth, found.reason, {}, {}};
    results.interrupted = found.interrupted;
    if (!found.interrupted) p.options = options_of(found.fastest.value(), r, in, a.where());
    results.all.push_back(p);
}

exit_status run(const product_request& r)
{
    check_values(r);
    check_files({{"A.mtx", r.matrix}}, {{"--report", r.report}});
    const interrupt_guard interrupt;
    std::optional<watched_work> reading;  // what is measured later is reported
    reading.emplace("reading " + r.matrix.string(), interrupt, r.quiet);
    product_results results = measure_products(r, [&]<class T>(auto& a, product_results& into) {
        reading.reset();
        tune_in<T>(r, interrupt, a.numbers, into);
    });
    results.sorted = true;
    return report(r, results);
}

}  // namespace

command add_tune_command(CLI::App& app)
{
    CLI::App* tune = add_command(app, "tune", "Find the fastest format of a matrix.");
    const auto request = std::make_shared<product_request>();
    require(add_matrix(*tune, *request));
    add_product_options(*tune, *request, "measure");
    add_footer(*tune, examples_of_tune);
    return {tune, [request] { return run(*request); }};
}

}  // namespace ddla::cli
