// The report of `ddla solve` for programs: JSON and CSV.
#include "solve_request.hpp"

#include "text_format.hpp"

#include "ddla/report_json.hpp"

namespace ddla::cli {

std::string json_report(const solve_request& request, const solve_results& results)
{
    std::vector<reported_solve> solves;
    for (const outcome& done : results.solves) {
        reported_solve& s = solves.emplace_back();
        s.report = done.report;
        s.precision = word(done.in);
        s.method = request.method;
        s.preconditioner = to_string(request.precond);
        s.format = done.format.report;
        s.format.reason = done.format.reason;
        s.tolerance = request.tolerance;
        s.normwise = request.normwise;
        s.copy_bandwidth = done.copy_bandwidth;
        s.place_reason = results.place_reason;
    }
    return report_json({results.rows, results.columns, results.nonzeros, request.matrix.string()},
                       solves);
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
