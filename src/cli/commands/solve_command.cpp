// ddla solve: read a system, solve it in one or two precisions, report.
#include "cli/shell/command.hpp"

#include "cli/options/place_by_work.hpp"
#include "cli/options/solve_options.hpp"
#include "cli/report/next_try.hpp"
#include "cli/shell/ranks.hpp"
#include "dry_run.hpp"
#include "sides.hpp"
#include "solve_on_ranks.hpp"
#include "solve_outputs.hpp"
#include "watched_solve.hpp"

#include "ddla/error.hpp"
#include "ddla/matrix_info.hpp"
#include "ddla/matrix_market.hpp"
#include "ddla/tune.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>

namespace ddla::cli {
namespace {

/// How small and how large components are: near underflow no words hold more digits.
template <scalar T>
void note_sizes(const vector<T>& x, outcome& of)
{
    const vector<T> here = x.to(host);
    for (index_t i = 0; i < here.size(); ++i) {
        const double size = std::fabs(double(here[i]));
        if (!(size > 0)) continue;
        const double smallest = of.smallest_component;
        of.smallest_component = smallest == 0 ? size : std::min(smallest, size);
        of.largest_component = std::max(of.largest_component, size);
    }
}

/// Solves in one precision; the results get the report, the file of the output gets x.
template <scalar T, scalar V>
class solver_in {
public:
    solver_in(const solve_request& r, const csr_matrix<V>& a, format_report format,
              const interrupt_guard& interrupt, solve_results& results)
        : r_(r), a_(a), format_(std::move(format)), interrupt_(interrupt), results_(results)
    {
    }

    /// Several right-hand sides.
    void solve_all(sides<T>& s)
    {
        std::vector<solve_report> reports;
        const auto began = std::chrono::steady_clock::now();
        const solve_report report = watched_by([&](const solve_options& options) {
            reports = solve(a_, s.b.numbers, s.x.numbers, options);
            return reports[deciding_column(reports)];
        });
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - began;
        results_.solves.push_back({in, format_, report, 0, reports, taken.count()});
        if (is_last(report)) write_solution(r_, results_, writer_of(r_, s.x));
    }

    void solve_one(sides<T>& s)
    {
        if constexpr (words_of<T> == 2)
            if (s.four_words) {
                auto& [high, low] = s.x_in_four_words.numbers;
                return solve_for(s, s.x_in_four_words, high, low);
            }
        solve_for(s, s.x, s.x.numbers.front());
    }

private:
    static constexpr precision in = precision_of<T>;

    template <class Solve>
    solve_report watched_by(const Solve& solve_now)
    {
        const auto note = [this](const chosen_place& chosen) {
            results_.place_reason = chosen.reason;
            return chosen.where;
        };
        places_by_work places;
        if (r_.place == place_choice::automatic)
            places = {[&] { return note(place_of_iterations(r_, a_.rows(), a_.nonzeros())); },
                      [&](double work) { return note(place_of_factors(r_, work)); }};
        return watched<T>(r_, options_of(r_, a_.where(), a_.rows(), a_.nonzeros()),
                          !r_.history.empty() || !r_.plot.empty(), interrupt_, places, solve_now);
    }
    /// x goes to the file, if there is one.
    bool is_last(const solve_report& report) const
    {
        return !r_.output.empty() && (in == r_.precisions.back() || report.interrupted);
    }
    template <class Written, class... Parts>
    void solve_for(const sides<T>& s, const Written& written, Parts&... parts)
    {
        const solve_report report = watched_by([&](const solve_options& options) {
            return solve(a_, s.b.numbers.front(), parts..., options);
        });
        results_.solves.push_back({in, format_, report, 0});
        if (report.status != solve_status::converged && !s.four_words)
            note_sizes(s.x.numbers.front(), results_.solves.back());
        if (is_last(report)) write_solution(r_, results_, writer_of(r_, written));
    }

    const solve_request& r_;
    const csr_matrix<V>& a_;
    format_report format_;
    const interrupt_guard& interrupt_;
    solve_results& results_;
};

/// The system in one precision: b and x at the place of A.
template <scalar T, scalar V>
void solve_in(const solve_request& r, any_matrix<V>& a, const interrupt_guard& interrupt,
              solve_results& results)
{
    std::optional<watched_work> preparing;
    preparing.emplace("reading b", interrupt, r.quiet);
    sides<T> s = read_sides<T>(r, a, &results.read);
    preparing->begin("storing A");
    const format_report format = set_format<T>(a.numbers, wanted_format(r));
    preparing.reset();
    solver_in<T, V> solver(r, a.numbers, format, interrupt, results);
    if (s.b.numbers.size() > 1)
        solver.solve_all(s);
    else
        solver.solve_one(s);
}

template <scalar V>
solve_results solve_all(const solve_request& r, place where, const interrupt_guard& interrupt)
{
    solve_results results;
    any_matrix<V> a = [&] {
        const watched_work reading("reading " + r.matrix.string(), interrupt, r.quiet);
        return r.takes_any_matrix() ? read_noted<V>(r, &results.read)
                                    : read_square<V>(r, &results.read);
    }();
    const chosen_place chosen = place_by_work(r, a.numbers.rows(), a.numbers.nonzeros());
    if (r.place == place_choice::automatic) where = chosen.where;
    if (!where.is_host()) a.numbers = a.numbers.to(where);
    results.place_reason = chosen.reason;
    for (const precision in : r.precisions) {
        in_precision(in, [&]<scalar T>() {
            if constexpr (acts_on<T, V>) solve_in<T>(r, a, interrupt, results);
        });
        if (results.solves.back().report.interrupted) break;
    }
    results.matrix = reported_of(r.matrix, a);
    results.matrix.read = std::move(results.read);
    const bool failed = results.solves.back().report.status != solve_status::converged;
    if (failed && needs_symmetry(r.method) && !interrupt.requested() && !r.quiet)
        results.symmetric = inspect(a.numbers).symmetric;
    return results;
}

/// Copies are measured when the systems are gone, in no more memory than they took, for at least 5
/// milliseconds and five copies: less than a few iterations, of those that take long.
void measure_copies(solve_results& results, const interrupt_guard& interrupt)
try {
    const watched_scope scope([&] { return !interrupt.requested(); });
    for (outcome& done : results.solves)
        if (done.report.iterations > 0 && done.columns.empty())
            done.copy_bandwidth = copy_bandwidth_of(done.report.peak_bytes, done.report.where,
                                                    {.seconds = 0.005, .repeats = 3});
} catch (const error&) {
    // A report without them is better than none, after a signal, too.
}

exit_status run(const solve_request& given)
{
    const solve_request r = with_b_of_file(given);
    check(r);
    if (ranks_of_command()) return solve_on_ranks(r, ranks_of_command());
    if (r.dry_run) return tell_plan(r);
    const interrupt_guard interrupt;
    matrix_choices first = r;
    // With auto a device starts when it is known to be worth it.
    if (r.place == place_choice::automatic) first.place = place_choice::host;
    const place at = set_up(first);
    solve_results results;
    try {
        in_precision(r.values, [&]<scalar V>() { results = solve_all<V>(r, at, interrupt); });
    } catch (const limit_error& e) {
        throw advised_error(e.what(), next_try_after(r, e));
    }
    const bool is_told = r.verbose || !r.report.empty();
    if (is_told && !r.quiet && !results.solves.back().report.interrupted)
        measure_copies(results, interrupt);
    return status_of(r, results, write_reports(r, results));
}

}  // namespace

command add_solve_command(CLI::App& app)
{
    CLI::App* solve = add_command(app, "solve", "Solve A x = b and say how many digits are right.");
    const auto request = std::make_shared<solve_request>();
    add_solve_options(*solve, *request);
    return {solve, [solve, request] {
                request->given = given_options(*solve);
                return run(*request);
            }};
}

}  // namespace ddla::cli
