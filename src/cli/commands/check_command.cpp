// ddla check: how many digits of a solution are right, whoever computed it.
#include "cli/shell/command.hpp"

#include "cli/options/described_options.hpp"
#include "cli/options/solve_options.hpp"
#include "cli/options/system_files.hpp"
#include "cli/report/answer_text.hpp"
#include "cli/report/next_try.hpp"
#include "cli/report/read_notes.hpp"
#include "cli/shell/arguments.hpp"
#include "cli/shell/text_format.hpp"
#include "watched_solve.hpp"

#include "ddla/check.hpp"
#include "ddla/report_json.hpp"
#include "ddla/text.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>

namespace ddla::cli {
namespace {

struct check_request : solve_request {
    std::filesystem::path solution;
    check_request() { digits = check_options().digits; }
};

const char* const examples_of_check =
    "Examples:\n"
    "  ddla check a.mtx x.mtx\n"
    "  ddla check a.mtx x.mtx --rhs b.mtx --digits 10 --report r.json\n"
    "  ddla check a.mtx x.mtx --solution-words 4 --digits 50\n\n"
    "x is compared with a solution in as many words that is computed anew: of an A\n"
    "that is not square least squares, or the answer of least norm.  (With\n"
    "ddla-validate the comparison is one with a reference of 40 digits and more.)\n"
    "Exit status: 0 so many digits are right, 1 not, or it cannot be told, 2 bad\n"
    "usage or input, 3 internal or resource failure.";

std::string digits_text(const std::optional<double>& digits)
{
    return digits ? print("%.1f", *digits) : "-";
}

std::string number_text(const check_request& r, dd_real x, dd_real low)
{
    return to_string(x, low, r.solution_words == 4 ? 64 : 32);
}

std::string worst_text(const check_request& r, const solution_check& found, bool is_complex)
{
    std::string text = found.worst_five.empty() ? "" : "\nThe worst components:\n";
    for (const checked_component& c : found.worst_five)
        text += print("  %-10s digits %4.1f   x       %s\n%26s better  %s\n",
                      component_text(c.index, is_complex).c_str(), c.digits,
                      number_text(r, c.x, c.x_low).c_str(), "",
                      number_text(r, c.better, c.better_low).c_str());
    return text;
}

std::string histogram_text(const solution_check& found)
{
    const index_t most = *std::max_element(found.histogram.begin(), found.histogram.end());
    if (most == 0) return "";
    std::string text = "\nRight digits: components\n";
    for (std::size_t d = 0; d < found.histogram.size(); ++d) {
        const index_t count = found.histogram[d];
        if (count == 0) continue;
        const auto length = static_cast<std::size_t>((50 * count + most - 1) / most);
        text += print("  %2zu  %9lld  ", d, static_cast<long long>(count)) +
                std::string(length, '#') + '\n';
    }
    return text;
}

std::string check_text(const check_request& r, const reported_matrix& a,
                       const solution_check& found)
{
    const auto line = [](const char* label, const std::string& cell) {
        return print("  %-26s  %14s\n", label, cell.c_str());
    };
    std::string text =
        matrix_line(a) +
        one_line("x = " + r.solution.filename().string() + ", b = " + right_hand_side_text(r)) +
        '\n' + read_notes(a.read) + '\n' + line("right digits, worst", digits_text(found.worst)) +
        (found.worst_five.empty()
             ? ""
             : line("worst component",
                    component_text(found.worst_five.front().index, a.is_complex))) +
        line("right digits, median", digits_text(found.median)) +
        line("right digits, normwise", digits_text(found.normwise)) +
        (r.verbose ? line("residual, true", scientific(found.true_relative_residual)) : "");
    for (const labelled& l : bound_cells(found.bound)) text += line(l.label.c_str(), l.cell);
    const std::vector<labelled> of_system =
        found.normal_residual ? least_squares_cells(found.errors, found.normal_residual)
                              : system_cells(found.errors, found.rank);
    for (const labelled& l : of_system)
        if (r.verbose || !l.is_detail) text += line(l.label.c_str(), l.cell);
    const std::string note = bound_note(found.bound);
    if (!note.empty()) text += '\n' + wrapped(note, text_width) + '\n';
    const std::string components = component_notes(found.errors, a.is_complex);
    if (!components.empty()) text += '\n' + components;
    if (r.verbose) text += histogram_text(found) + worst_text(r, found, a.is_complex);
    return text + '\n' + wrapped(verdict(found, r.wanted_digits(), r.normwise), text_width) + '\n' +
           (found.passed || found.interrupted ? ""
                                              : advice_line(next_try(r, r.solution, a, found)));
}

std::string check_json(const check_request& r, const reported_matrix& a,
                       const solution_check& found)
{
    return report_json(
        a, {found, r.wanted_digits(), r.normwise, r.solution.string(), r.solution_words});
}

template <scalar V>
solution_check checked(const check_request& r, any_matrix<V>& a, read_files* read)
try {
    const interrupt_guard interrupt;
    const auto watched = [&](const auto& now) {
        const watched_work reading("reading b and x", interrupt, r.quiet);
        return now();
    };
    auto b = watched([&] { return right_hand_side<dd_real>(r, a, read); });
    progress_line progress(r.quiet);
    const check_options options{
        .digits = r.wanted_digits(),
        .normwise = r.normwise,
        .factorisation = r.factorisation,
        .certify = r.certify,
        .watch = [&](const solve_progress& p) {
            if (progress.due())
                progress.show(progress_text(precision_of<dd_real>, p, progress.elapsed()));
            return !interrupt.requested();
        }};
    if (r.solution_words == 2) {
        auto x = watched([&] {
            return read_sized<dd_real>(r.solution, columns_of(r.matrix, a), read, "solution");
        });
        agree(a, b, x);
        return check(a.numbers, b.numbers, x.numbers, options);
    }
    auto x = watched([&] {
        return read_sized_four_words(r.solution, columns_of(r.matrix, a), read, "solution");
    });
    agree(a, b, x);
    return check(a.numbers, b.numbers, x.numbers.first, x.numbers.second, options);
} catch (const limit_error&) {
    throw;  // run() says what to try
} catch (const resource_error& e) {
    throw resource_error(r.matrix.string() + ": " + e.what());
}

template <scalar V>
exit_status check_with(const check_request& r)
{
    read_files read;
    any_matrix<V> a = read_noted<V>(r, &read);
    const solution_check found = checked(r, a, &read);
    reported_matrix as = reported_of(r.matrix, a);
    as.read = std::move(read);
    if (!r.quiet) std::cout << check_text(r, as, found) << std::flush;
    write_file(r.report, check_json(r, as, found));
    return found.passed ? exit_converged : exit_not_converged;
}

exit_status run(const check_request& given)
{
    const check_request r = with_b_of_file(given);
    const std::string b = r.right_hand_side_is_file() ? r.right_hand_side : "";
    check_digits(r, r.solution_words);
    check_amount_of_text(r);
    check_files({{"A.mtx", r.matrix}, {"x.mtx", r.solution}, {"--rhs", b}},
                {{"--report", r.report}});
    exit_status status = exit_failure;
    try {
        in_precision(r.values, [&]<scalar V>() { status = check_with<V>(r); });
    } catch (const limit_error& e) {
        throw advised_error(r.matrix.string() + ": " + e.what(), next_try_after(r, e));
    }
    return status;
}

}  // namespace

command add_check_command(CLI::App& app)
{
    CLI::App* const check =
        add_command(app, "check", "Tell how many digits of a solution are right.");
    const auto r = std::make_shared<check_request>();
    require(add_matrix(*check, *r));
    require(
        add_option(*check, "x.mtx", r->solution, input_file, "", "The solution, of any solver"));
    add_right_hand_side(*check, *r);
    add_values_of_system(*check, *r);
    add_described_options<check_options>(*check, *r);
    add_option(*check, "--solution-words", r->solution_words, one_of<int>({{"2", 2}, {"4", 4}}),
               "2|4", "Doubles that a component of x is read as: 2, or\n4 for about 64 digits (2)");
    add_factor_options(*check, *r);
    add_option(*check, "--report", r->report, file_name, "r.json", "Write the report as JSON");
    add_amount_of_text(*check, *r);
    add_footer(*check, examples_of_check);
    return {check, [r] { return run(*r); }};
}

}  // namespace ddla::cli
