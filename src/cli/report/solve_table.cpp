// The report of `ddla solve` for people.
#include "cli/options/solve_request.hpp"

#include "answer_text.hpp"
#include "cli/shell/text_format.hpp"
#include "format_text.hpp"
#include "next_try.hpp"
#include "read_notes.hpp"
#include "solve_sentence.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace ddla::cli {
namespace {

std::string heading(const solve_request& r, const solve_results& results)
{
    const std::string precond(title(r.used_precond()));
    const std::string how =
        method_text(r) +
        (r.uses_factors() ? shape_text(results.matrix) : ", " + precond + " preconditioner, ") +
        goal_text(r, results.solves.back().report.goal) + ", b = " + right_hand_side_text(r);
    return matrix_line(results.matrix) + one_line(how) + '\n' + read_notes(results.matrix.read);
}

std::string iteration_time(const solve_report& r)
{
    return r.iterations > 0 ? duration(r.seconds_per_iteration()) : unknown;
}

std::string iteration_bytes(const solve_report& r)
{
    return r.iterations > 0 ? memory(r.bytes_per_iteration) : unknown;
}

std::string share_of_copy(const outcome& done)
{
    const double share = done.share_of_copy();
    return share > 0 ? print("%.0f %%", 100 * share) : unknown;
}

/// One line of the table: a label, and a cell for each solve.
std::string line(const std::string& label, const solve_results& results,
                 const std::function<std::string(const outcome&)>& cell)
{
    std::string text = print("  %-22s", label.c_str());
    for (const outcome& done : results.solves) text += print("  %18s", cell(done).c_str());
    return text + '\n';
}

/// What ranks have sent; nothing of a process alone.
std::string ranks_lines(const solve_results& results)
{
    const auto of = [&](const char* label, const auto& text) {
        return line(label, results, [&](const outcome& o) { return text(o.report.ranks); });
    };
    using report = const ranks_report&;
    if (results.solves.front().report.ranks.count == 0) return "";
    return of("ranks", [](report r) { return std::to_string(r.count); }) +
           of("messages", [](report r) { return std::to_string(r.messages); }) +
           of("bytes of messages", [](report r) { return memory(r.bytes); }) +
           of("sums, numbers sent",
              [](report r) { return std::to_string(r.sums) + ", " + std::to_string(r.numbers); }) +
           of("memory of a rank", [](report r) { return memory(r.resident_bytes); });
}

const char* place_label(const solve_results& results)
{
    return results.place_reason.empty() ? "place" : "place (auto)";
}

/// The precisions; the sentence below the table names the one of a single solve, too.
std::string precisions_line(const solve_results& results, bool verbose)
{
    if (!verbose && results.solves.size() == 1) return "";
    return line("", results, [](const outcome& o) { return std::string(name(o.in)); });
}

/// The table of solves with factors.
std::string answer_table(const solve_results& results, bool verbose)
{
    const auto field = [&](const std::string& label, auto get) {
        return line(label, results, [&](const outcome& o) { return get(o.report); });
    };
    using report = const solve_report&;
    std::string text = precisions_line(results, verbose) + field("status", status_text);
    const auto is_estimated = [](const outcome& o) { return !o.report.digits_proved; };
    const auto some = std::find_if(results.solves.begin(), results.solves.end(), is_estimated);
    const auto labels =
        error_cells((some == results.solves.end() ? results.solves.front() : *some).report);
    // Where digits were not the goal, as of a singular A, the residual is what is known.
    const bool by_digits = std::any_of(results.solves.begin(), results.solves.end(), [](auto& o) {
        return o.report.goal == solve_goal::digits || o.report.normwise_digits;
    });
    const auto is_shown = [&](const labelled& l) {
        return verbose || (by_digits ? !l.is_detail : l.label == "residual, true");
    };
    for (std::size_t k = 0; k < labels.size(); ++k)
        if (is_shown(labels[k]))
            text += field(labels[k].label, [k](report r) { return error_cells(r)[k].cell; });
    text += field("time", [](report r) { return seconds(r.seconds); });
    if (!verbose) return text;
    return text + field("peak memory", [](report r) { return memory(r.peak_bytes); }) +
           field(place_label(results), [](report r) { return place_text(r.where, r.threads); }) +
           ranks_lines(results) +
           field("solution hash", [](report r) { return hash_text(r.solution_hash); });
}

std::string pivot_text(const build_report& b)
{
    if (!std::isfinite(b.smallest_pivot)) return unknown;
    return scientific(b.smallest_pivot) +
           (b.smallest_pivot_row < 0 ? "" : ", row " + std::to_string(b.smallest_pivot_row + 1));
}

std::string shifts_text(const build_report& b)
{
    return std::to_string(b.shifts) +
           (b.bad_row < 0 ? "" : ", first row " + std::to_string(b.bad_row + 1));
}

bool is_built(const outcome& o)
{
    return o.report.preconditioner.has_value();
}

/// Which preconditioner was built, if one was.
std::string preconditioner_name(const solve_results& results)
{
    if (std::none_of(results.solves.begin(), results.solves.end(), is_built)) return "";
    return line("preconditioner", results, [](const outcome& o) {
        return is_built(o) ? o.report.preconditioner->name : std::string(unknown);
    });
}

/// What building the preconditioner took and gave, if there was one.
std::string preconditioner_lines(const solve_results& results)
{
    if (std::none_of(results.solves.begin(), results.solves.end(), is_built)) return "";
    const auto field = [&](const char* label, const auto& get) {
        return line(label, results, [&](const outcome& o) {
            return is_built(o) ? get(o.report.preconditioner->built) : std::string(unknown);
        });
    };
    using built = const build_report&;
    return preconditioner_name(results) +
           field("preconditioner built", [](built b) { return duration(b.seconds); }) +
           field("preconditioner memory", [](built b) { return memory(b.bytes); }) +
           field("fill, over A",
                 [](built b) { return std::isfinite(b.fill) ? print("%.2f", b.fill) : unknown; }) +
           field("smallest pivot", pivot_text) + field("pivots shifted", shifts_text);
}

/// The heading names the preconditioner, unless ddla chose it.
std::string table(const solve_results& results, bool verbose, bool names_chosen)
{
    const auto field = [&](const std::string& label, auto get) {
        return line(label, results, [&](const outcome& o) { return get(o.report); });
    };
    using report = const solve_report&;
    const bool least_squares = results.solves.front().report.normal_residual.has_value();
    std::string text = precisions_line(results, verbose) + field("status", status_text) +
                       field("iterations", [](report r) { return std::to_string(r.iterations); });
    if (verbose)
        text +=
            field("residual, recurrence", [](report r) { return scientific(r.relative_residual); });
    text += field("residual, true", [](report r) { return scientific(r.true_relative_residual); }) +
            (least_squares ? field("residual of A^T", normal_residual_text) : "") +
            field("time", [](report r) { return seconds(r.seconds); });
    if (!verbose) return text + (names_chosen ? preconditioner_name(results) : "");
    return text + field("time per iteration", iteration_time) +
           field("bytes per iteration", iteration_bytes) +
           line("share of copy speed", results, share_of_copy) + preconditioner_lines(results) +
           field("peak memory", [](report r) { return memory(r.peak_bytes); }) +
           field(place_label(results), [](report r) { return place_text(r.where, r.threads); }) +
           line("format", results, [](const outcome& o) { return format_name(o.format); }) +
           ranks_lines(results) +
           field("solution hash", [](report r) { return hash_text(r.solution_hash); });
}

/// The limit that factors would have passed.
std::string limit_note(const solve_results& results)
{
    for (const outcome& done : results.solves)
        if (!done.report.limit.empty())
            return wrapped("Not factored: " + done.report.limit + ".", text_width) + '\n';
    return "";
}

/// The limit that conditions would have passed, once there were factors.
std::string unjudged_note(const solve_results& results)
{
    for (const outcome& done : results.solves)
        if (done.report.limited == limit_subject::conditions)
            return wrapped("Not judged: " + done.report.limit + ".", text_width) + '\n';
    return "";
}

/// Why it is there, if nobody asked for a place.
std::string place_reason(const solve_results& results)
{
    if (results.place_reason.empty()) return "";
    const place where = results.solves.back().report.where;
    return wrapped(one_line("Place " + to_string(where) + ": " + results.place_reason + "."),
                   text_width) +
           '\n';
}

/// Of a right-hand side; with a star if digits are known of the largest component alone.
std::string digits_cell(const solve_report& r)
{
    if (has_normwise_alone(r)) return print("%.1f*", *r.normwise_digits);
    return r.digits ? print("%.1f", *r.digits) : unknown;
}

/// A line for each right-hand side, in the order of the file.
std::string column_lines(const outcome& done)
{
    const auto row = [](const char* column, const std::string& status, const char* iterations,
                        const std::string& residual, const std::string& digits,
                        const std::string& hash) {
        return print("  %6s  %-15s  %10s  %14s  %6s  %16s\n", column, status.c_str(), iterations,
                     residual.c_str(), digits.c_str(), hash.c_str());
    };
    std::string text =
        std::string(name(done.in)) + ":\n" +
        row("column", "status", "iterations", "residual, true", "digits", "solution hash");
    for (std::size_t j = 0; j < done.columns.size(); ++j) {
        const solve_report& r = done.columns[j];
        text +=
            row(std::to_string(j + 1).c_str(), status_text(r), std::to_string(r.iterations).c_str(),
                scientific(r.true_relative_residual), digits_cell(r), hash_text(r.solution_hash));
    }
    std::size_t bytes = 0;
    for (const solve_report& r : done.columns) bytes = std::max(bytes, r.peak_bytes);
    if (std::any_of(done.columns.begin(), done.columns.end(), has_normwise_alone))
        text += "  * of the largest component\n";
    return text + "  time " + seconds(done.seconds) + ", peak memory " + memory(bytes) + ", " +
           place_text(done.report.where, done.report.threads) + ", format " +
           format_name(done.format) + "\n\n";
}

/// Why the formats were chosen, a sentence for each.
std::string format_reasons(const solve_results& results)
{
    std::string text, last;
    for (const outcome& done : results.solves) {
        const std::string reason =
            "Format " + format_name(done.format) + ": " + done.format.reason + ".";
        if (reason != last) text += wrapped(one_line(reason), text_width) + '\n';
        last = reason;
    }
    return text;
}

/// For how many right-hand sides errors have a proved bound; nothing where none was asked for.
std::string proved_columns(const outcome& done)
{
    std::size_t proved = 0;
    double largest = 0;
    for (const solve_report& r : done.columns) {
        if (!r.bound) return {};
        if (!r.bound->certified) continue;
        ++proved;
        largest = std::max(largest, r.bound->normwise.value_or(HUGE_VAL));
    }
    const std::string of = std::to_string(proved) + " of " + std::to_string(done.columns.size());
    return wrapped(std::string(name(done.in)) + ": normwise errors of " + of +
                       " right-hand sides have a proved bound" +
                       (proved > 0 ? ", at most " + scientific(1.05 * largest) : "") + ".",
                   text_width) +
           '\n';
}

/// Why errors have no proved bound, a sentence for each reason.
std::string bound_notes(const solve_results& results)
{
    std::string text, last;
    const auto add = [&](const solve_report& r) {
        const std::string note = bound_note(r.bound);
        if (!note.empty() && note != last) text += wrapped(note, text_width) + '\n';
        last = note;
    };
    for (const outcome& done : results.solves) {
        if (done.columns.empty())
            add(done.report);
        else
            text += proved_columns(done);
        for (const solve_report& r : done.columns) add(r);
    }
    return text;
}

}  // namespace

std::string method_text(const solve_request& r)
{
    const std::string name(title(r.method));
    const auto with = [](const char* method, std::int64_t number) {
        return std::string(method) + "(" + std::to_string(number) + ")";
    };
    if (r.method == method::fgmres) return with("FGMRES", r.restart);
    if (r.method == method::bicgstabl) return with("BiCGStab", r.l);
    if (r.method == method::idr) return with("IDR", r.s);
    return name;
}

std::string status_text(const solve_report& r)
{
    if (r.interrupted) return "interrupted";
    std::string text(to_string(r.status));
    for (char& c : text)
        if (c == '_') c = ' ';
    return text;
}

std::string right_hand_side_text(const solve_request& r)
{
    if (!r.right_hand_side_is_file()) return r.right_hand_side;
    return std::filesystem::path(r.right_hand_side).filename().string();
}

std::string solve_notes(const solve_request& request, const solve_results& results)
{
    const outcome& last = results.solves.back();
    if (last.report.interrupted) return "";
    std::string notes;
    const std::string rank = rank_note(last.report, results.matrix.is_complex);
    if (!rank.empty()) notes += wrapped(rank, text_width) + '\n';
    if (last.columns.empty() || last.report.status != solve_status::converged)
        notes += component_notes(last.report.errors, results.matrix.is_complex);
    if (last.report.status == solve_status::converged) {
        const std::string data = last.columns.empty() ? data_note(request, last.report) : "";
        return notes + (data.empty() ? "" : wrapped(data, text_width) + '\n') +
               digits_note(request, results);
    }
    if (!results.symmetric)
        notes += "Note: A is not " +
                 std::string(results.matrix.is_complex ? "hermitian" : "symmetric") + ", which " +
                 std::string(title(request.method)) + " needs.\n";
    return notes + advice_line(next_try(request, results));
}

namespace {

/// Why formats and a place were chosen.
std::string choices_text(const solve_results& results)
{
    return format_reasons(results) + place_reason(results);
}

/// The report of several right-hand sides.
std::string columns_table(const solve_request& request, const solve_results& results)
{
    std::string text = heading(request, results) + '\n';
    for (const outcome& done : results.solves) text += column_lines(done);
    const std::string built = request.verbose          ? preconditioner_lines(results)
                              : request.uses_factors() ? preconditioner_name(results)
                                                       : "";
    if (!built.empty()) text += built + '\n';
    return text + limit_note(results) + (request.verbose ? choices_text(results) : "") +
           wrapped(columns_sentence(request, results), text_width) + '\n' + bound_notes(results) +
           solve_notes(request, results);
}

std::string plans_text(const solve_results& results)
{
    std::string plan;
    for (const outcome& done : results.solves)
        if (!done.report.plan.empty()) plan += plan_text(done);
    return plan;
}

}  // namespace

std::string solve_table(const solve_request& request, const solve_results& results)
{
    if (!results.solves.front().columns.empty()) return columns_table(request, results);
    const bool verbose = request.verbose;
    const bool factored = std::any_of(results.solves.begin(), results.solves.end(),
                                      [](const outcome& o) { return has_errors(o.report); });
    return heading(request, results) + '\n' +
           (factored ? answer_table(results, verbose)
                     : table(results, verbose, request.uses_factors())) +
           '\n' + (verbose ? plans_text(results) : "") +
           (factored ? unjudged_note(results)
                     : limit_note(results) + (verbose ? choices_text(results) : "")) +
           wrapped(solve_sentence(request, results), text_width) + '\n' + bound_notes(results) +
           solve_notes(request, results);
}

}  // namespace ddla::cli
