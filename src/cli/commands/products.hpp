// Products y = A x in one or more formats: what `ddla tune` and `ddla spmv` ask for and report.
#pragma once

#include "cli/options/choices.hpp"
#include "cli/options/system_files.hpp"
#include "cli/shell/command.hpp"
#include "cli/shell/interrupt.hpp"
#include "cli/shell/progress.hpp"

#include "ddla/tune.hpp"

#include <exception>
#include <optional>

namespace ddla::cli {

struct product_request : matrix_choices {
    measure_options measure = {};
    std::filesystem::path report;
    bool quiet = false;
};

/// --precision, --values, --place, --threads, --repeat, --seconds, --report, --quiet.
void add_product_options(CLI::App& app, product_request& request, const std::string& verb);

/// The results of one precision.
struct products {
    precision in;
    std::vector<measured_format> formats = {};
    double bandwidth = 0;                    ///< of copies at the place
    std::string reason = {};                 ///< of the format that was chosen, if one was
    std::optional<std::uint64_t> hash = {};  ///< of y
    std::string options = {};                ///< that make other commands take the first format
};

struct product_results {
    reported_matrix matrix = {};
    place where = host;
    std::string operand;        ///< "x = ones"; empty where any x would do
    bool sorted = false;        ///< by time: the first one is the fastest
    std::vector<products> all;  ///< fewer than asked for after an interrupt
    bool interrupted = false;
    std::exception_ptr failed;  ///< told after the report
};

/// Prints and writes the report, then throws `failed`, if any; returns the exit status.
exit_status report(const product_request& request, const product_results& results);

/// Shows which format is being measured; false once an interrupt came.
class format_watch {
public:
    format_watch(precision in, bool quiet, const interrupt_guard& interrupt)
        : in_(in), line_(quiet), interrupt_(interrupt)
    {
    }
    bool operator()(const tune_progress& progress);

private:
    precision in_;
    progress_line line_;
    const interrupt_guard& interrupt_;
};

/// For each precision asked for, measure<T>(a, results) until an interrupt came.
template <scalar V, class Measure>
product_results in_each_precision(const product_request& r, place where, const Measure& measure)
{
    product_results results;
    any_matrix<V> a = read_noted<V>(r, &results.matrix.read);
    if (!where.is_host()) a.numbers = a.numbers.to(where);
    results.where = where;
    for (const precision in : r.precisions) {
        if (results.interrupted) break;
        in_precision(in, [&]<scalar T>() {
            if constexpr (acts_on<T, V>) measure.template operator()<T>(a, results);
        });
    }
    reported_matrix matrix = reported_of(r.matrix, a);
    matrix.read = std::move(results.matrix.read);
    results.matrix = std::move(matrix);
    return results;
}

/// The same for the values asked for.
template <class Measure>
product_results measure_products(const product_request& r, const Measure& measure)
{
    const place at = set_up(r);
    product_results results;
    in_precision(r.values, [&]<scalar V>() { results = in_each_precision<V>(r, at, measure); });
    return results;
}

}  // namespace ddla::cli
