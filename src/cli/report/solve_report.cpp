// The report of `ddla solve` in files: JSON, CSV and SVG.
#include "cli/options/solve_request.hpp"

#include "cli/shell/text_format.hpp"
#include "convergence.hpp"

#include "ddla/report_json.hpp"

#include <algorithm>

namespace ddla::cli {

std::string json_report(const solve_request& request, const solve_results& results)
{
    std::vector<reported_solve> solves;
    for (const outcome& done : results.solves) {
        reported_solve& s = solves.emplace_back();
        s.report = done.report;
        s.precision = word(done.in);
        s.method = request.method;
        s.preconditioner = to_string(request.used_precond());
        s.format = done.format;
        s.tolerance = request.tolerance;
        s.normwise = request.normwise;
        s.copy_bandwidth = done.copy_bandwidth;
        s.place_reason = results.place_reason;
        s.columns = done.columns;
    }
    return report_json(results.matrix, solves);
}

std::size_t deciding_column(const std::vector<solve_report>& columns)
{
    const auto first = [&](const auto& is_one) {
        return static_cast<std::size_t>(std::find_if(columns.begin(), columns.end(), is_one) -
                                        columns.begin());
    };
    const auto fails = [](const solve_report& r) { return r.status != solve_status::converged; };
    const std::size_t interrupted =
        first([&](const solve_report& r) { return fails(r) && r.interrupted; });
    if (interrupted < columns.size()) return interrupted;
    return std::min(first(fails), columns.size() - 1);
}

std::string history_csv(const solve_results& results)
{
    const bool several = !results.solves.front().columns.empty();
    std::string csv = several ? "precision,column,iteration,relative_residual\n"
                              : "precision,iteration,relative_residual\n";
    const auto add = [&](precision in, const std::string& column, const solve_report& r) {
        std::size_t iteration = 0;
        for (const double residual : r.history)
            csv.append(word(in)).append("," + column + std::to_string(iteration++) + "," +
                                        shortest(residual) + "\n");
    };
    for (const outcome& done : results.solves) {
        if (!several) add(done.in, "", done.report);
        for (std::size_t j = 0; j < done.columns.size(); ++j)
            add(done.in, std::to_string(j + 1) + ",", done.columns[j]);
    }
    return csv;
}

namespace {

/// Those that iterated; each begins where the one before it ended.
std::vector<curve::stage> stages_of(const solve_report& r)
{
    std::vector<curve::stage> stages;
    std::int64_t begin = 0;
    for (const solve_stage& s : r.plan) {
        if (s.iterations > begin) stages.push_back({begin, s.name});
        begin = std::max(begin, s.iterations);
    }
    return stages;
}

}  // namespace

std::string history_svg(const solve_request& request, const solve_results& results)
{
    std::vector<curve> curves;
    double limit = request.tolerance.value_or(0);
    for (const outcome& done : results.solves) {
        const solve_report& r = done.report;
        curves.push_back(
            {std::string(name(done.in)) + ": " + status_text(r), r.history, stages_of(r)});
        if (r.goal == solve_goal::residual) limit = request.tolerance.value_or(usual_tolerance);
    }
    return convergence_file(one_line(request.matrix.filename().string() + ", " +
                                     method_text(request) +
                                     ", b = " + right_hand_side_text(request)),
                            curves, limit);
}

}  // namespace ddla::cli
