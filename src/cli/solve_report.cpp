// The report of `ddla solve` for programs: JSON and CSV.
#include "solve_request.hpp"

#include "answer_text.hpp"
#include "report_json.hpp"
#include "text_format.hpp"

#include "ddla/version.hpp"

namespace ddla::cli {
namespace {

json solve_json(const solve_request& request, const solve_results& results, const outcome& done)
{
    const solve_report& r = done.report;
    json solve;
    solve["precision"] = word(done.in);
    solve["method"] = to_string(request.method);
    solve["precond"] = to_string(request.precond);
    solve["place"] = to_string(r.where);
    solve["place_reason"] = results.place_reason.empty() ? json() : json(results.place_reason);
    solve["threads"] = r.threads;
    solve["format"] = format_json(done.format);
    solve["status"] = to_string(r.status);
    solve["iterations"] = r.iterations;
    solve["relative_residual"] = r.relative_residual;
    solve["true_relative_residual"] = r.true_relative_residual;
    if (r.normal_residual) solve["normal_residual"] = *r.normal_residual;
    solve["seconds"] = r.seconds;
    const auto known = [](double x) { return x > 0 ? json(x) : json(); };
    solve["seconds_per_iteration"] = known(r.seconds_per_iteration());
    solve["bytes_per_iteration"] = r.bytes_per_iteration;
    solve["copy_bytes_per_second"] = known(done.copy_bandwidth);
    solve["share_of_copy"] = known(done.share_of_copy());
    solve["peak_bytes"] = r.peak_bytes;
    solve["solution_words"] = r.solution_words;
    solve["solution_hash"] = hash_text(r.solution_hash);
    solve["tolerance"] = request.tolerance              ? json(*request.tolerance)
                         : r.goal == solve_goal::digits ? json()
                                                        : json(1e-12);
    solve["breakdown"] = r.breakdown.empty() ? json() : json(r.breakdown);
    solve["interrupted"] = r.interrupted;
    add_errors(solve, r, request.normwise);
    return solve;
}

}  // namespace

std::string json_report(const solve_request& request, const solve_results& results)
{
    json report;
    report["matrix"] = matrix_json(request.matrix, results.rows, results.columns, results.nonzeros);
    report["solves"] = json::array();
    for (const outcome& done : results.solves)
        report["solves"].push_back(solve_json(request, results, done));
    report["version"] = DDLA_VERSION;
    return text_of(report);
}

std::string history_csv(const solve_results& results)
{
    std::string csv = "precision,iteration,relative_residual\n";
    for (const outcome& done : results.solves) {
        std::size_t iteration = 0;
        for (const double residual : done.report.history)
            csv.append(word(done.in))
                .append("," + std::to_string(iteration++) + "," + shortest(residual) + "\n");
    }
    return csv;
}

}  // namespace ddla::cli
