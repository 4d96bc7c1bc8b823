// What a solve leaves: x in a file, reports, the exit status.
#include "solve_outputs.hpp"

#include "cli/report/convergence.hpp"
#include "cli/report/report_json.hpp"
#include "cli/shell/text_format.hpp"

#include "ddla/version.hpp"

#include <iostream>

namespace ddla::cli {
namespace {

std::string comment_of(const solve_request& r, const outcome& done)
{
    return one_line("ddla " DDLA_VERSION ": A x = b, A = " + r.matrix.string() +
                    ", b = " + r.right_hand_side + ", " + std::string(name(done.in)) + ", " +
                    std::string(to_string(done.report.status)) + ", true relative residual " +
                    shortest(done.report.true_relative_residual));
}

}  // namespace

void write_solution(const solve_request& r, solve_results& results,
                    const std::function<void(const std::string&)>& write)
try {
    write(comment_of(r, results.solves.back()));
} catch (const error&) {
    results.failed_output = std::current_exception();
}

std::exception_ptr write_reports(const solve_request& r, const solve_results& results)
{
    std::exception_ptr failed = results.failed_output;
    const auto attempt = [&](const std::filesystem::path& file, const std::string& text) {
        try {
            write_file(file, text);
        } catch (const error&) {
            if (!failed) failed = std::current_exception();
        }
    };
    if (!r.quiet) std::cout << solve_table(r, results) << std::flush;
    attempt(r.report, json_report(r, results));
    if (!r.history.empty()) attempt(r.history, history_csv(results));
    if (!r.plot.empty()) attempt(r.plot, history_svg(r, results));
    return failed;
}

exit_status status_of(const solve_request& r, const solve_results& results,
                      const std::exception_ptr& failed)
try {
    if (failed) std::rethrow_exception(failed);
    const outcome& last = results.solves.back();
    const bool complete = last.in == r.precisions.back();
    return complete && last.report.status == solve_status::converged ? exit_converged
                                                                     : exit_not_converged;
} catch (const input_error& e) {
    std::cerr << "ddla: " + one_line(e.what()) + '\n';
    return exit_not_converged;
}

}  // namespace ddla::cli
