// ddla tune: measure the formats of a matrix, and remember the fastest.
#include "cli/shell/command.hpp"

#include "cli/options/format_choice.hpp"
#include "cli/shell/arguments.hpp"
#include "cli/shell/text_format.hpp"
#include "products.hpp"

#include "ddla/format_memory.hpp"

#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>

namespace ddla::cli {
namespace {

struct tune_request : product_request {
    bool forget = false;
};

const char* const examples =
    "Examples:\n"
    "  ddla tune a.mtx\n"
    "  ddla tune a.mtx --precision both --place device --report r.json\n"
    "  ddla tune --forget\n\n"
    "Later runs of ddla take the fastest format by themselves; results have the same\n"
    "bits in all of them.  Exit status: 0 done, 1 interrupted, 2 bad usage or input,\n"
    "3 internal or resource failure, as when nothing can be remembered.";

/// Those that were refused come last.
bool is_faster(const measured_format& a, const measured_format& b)
{
    if (a.was_measured() != b.was_measured()) return a.was_measured();
    return a.seconds < b.seconds;
}

template <scalar T, scalar V>
void tune_in(const tune_request& r, const interrupt_guard& interrupt, csr_matrix<V>& a,
             format_chooser& chooser, product_results& results)
{
    constexpr precision in = precision_of<T>;
    chooser.recall<T>(a);  // tells what is wrong with the memory before it is replaced
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
    try {
        if (!found.interrupted) p.remembered = remember_format<T>(a, found.fastest.value());
    } catch (const error&) {
        results.failed = std::current_exception();
    }
    results.all.push_back(p);
}

exit_status forget(const tune_request& r)
{
    if (!r.matrix.empty()) throw input_error("--forget: forgets all matrices, and takes none");
    const std::string file = one_line(format_memory().string());
    const bool forgotten = forget_formats();
    if (!r.quiet)
        std::cout << (forgotten ? "Removed " + file + ".\n" : "Nothing was remembered.\n");
    return exit_converged;
}

exit_status run(const tune_request& r)
{
    if (r.forget) return forget(r);
    if (r.matrix.empty()) throw input_error("A.mtx: missing (see ddla tune --help)");
    check_values(r);
    check_files({{"A.mtx", r.matrix}}, {{"--report", r.report}});
    const interrupt_guard interrupt;
    std::optional<watched_work> reading;  // what is measured later is reported
    reading.emplace("reading " + r.matrix.string(), interrupt, r.quiet);
    format_chooser chooser(sparse_format::automatic, r.memory_limit, r.quiet);
    product_results results = measure_products(r, [&]<class T>(auto& a, product_results& into) {
        reading.reset();
        tune_in<T>(r, interrupt, a.numbers, chooser, into);
    });
    results.sorted = true;
    return report(r, results);
}

}  // namespace

command add_tune_command(CLI::App& app)
{
    CLI::App* tune = add_command(app, "tune", "Find the fastest format of a matrix.");
    const auto request = std::make_shared<tune_request>();
    add_matrix(*tune, *request);
    add_product_options(*tune, *request, "measure");
    add_flag(*tune, "--forget", request->forget, "Forget what was found for all matrices");
    add_footer(*tune, examples);
    return {tune, [request] { return run(*request); }};
}

}  // namespace ddla::cli
