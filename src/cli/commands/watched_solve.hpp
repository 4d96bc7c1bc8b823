// A solve that shows its progress and that Ctrl-C ends.
#pragma once

#include "cli/options/solve_request.hpp"
#include "cli/report/next_try.hpp"
#include "cli/shell/command.hpp"
#include "cli/shell/interrupt.hpp"
#include "cli/shell/progress.hpp"

#include "ddla/error.hpp"

namespace ddla::cli {

/// What the request says of the solve; on the host with the number of iterations between two looks.
solve_options options_of(const solve_request& r, place where, index_t rows, index_t nonzeros);

/// "double-double: iteration 12, residual 1.0e-03, 100 iterations/s"
std::string progress_text(precision in, const solve_progress& progress, double elapsed);

/// Where parts of a solve work that say so on the way; empty: where A is.
struct places_by_work {
    std::function<place()> iterations = {};  ///< instead of factors
    std::function<place(double work)> factors = {};
};

/// What work() has against the system gets the name of the file.
template <class Work>
auto naming_the_file(const solve_request& r, const Work& work)
try {
    return work();
} catch (const pivot_error& e) {
    throw advised_input_error(r.matrix.string() + ": " + e.what(), next_try_after(e));
} catch (const input_error& e) {
    throw input_error(r.matrix.string() + ": " + e.what());
}

/// solve_now(options), in the precision T, with options_of() the request and the system.
template <scalar T, class Solve>
solve_report watched(const solve_request& r, solve_options options, bool record_history,
                     const interrupt_guard& interrupt, const places_by_work& places,
                     const Solve& solve_now)
{
    options.record_history = record_history;
    options.place_of_iterations = places.iterations;
    options.place_of_factors = places.factors;
    progress_line line(r.quiet);
    options.watch = [&](const solve_progress& progress) {
        if (line.due()) line.show(progress_text(precision_of<T>, progress, line.elapsed()));
        return !interrupt.requested();
    };
    return naming_the_file(r, [&] { return solve_now(options); });
}

/// The library's solve.
template <scalar T, scalar V>
solve_report watched_solve(const solve_request& r, const csr_matrix<V>& a, const vector<T>& b,
                           vector<T>& x, bool record_history, const interrupt_guard& interrupt)
{
    return watched<T>(r, options_of(r, a.where(), a.rows(), a.nonzeros()), record_history,
                      interrupt, {},
                      [&](const solve_options& options) { return solve(a, b, x, options); });
}

}  // namespace ddla::cli
