// The options of `ddla solve`, and what they must fulfil together.
#include "solve_options.hpp"

#include "cli/shell/arguments.hpp"
#include "described_options.hpp"
#include "effects.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <limits>

namespace ddla::cli {
namespace {

const char* const examples =
    "Examples:\n"
    "  ddla solve a.mtx\n"
    "  ddla solve a.mtx --digits 20 --report r.json\n"
    "  ddla solve a.mtx --method bicgstab --precision both\n"
    "  ddla solve a.mtx.gz --method cg --precond jacobi --tol 1e-20\n"
    "  ddla solve a.mtx --rhs b.mtx --output x.mtx --report r.json --history h.csv\n"
    "  ddla solve a.mtx --precision both --plot h.svg\n"
    "  ddla solve a.mtx --rhs 'A*ones' --guess x.mtx --quiet\n"
    "  ddla solve a.mtx --dry-run\n\n"
    "A file called ones is ./ones.  Ctrl-C ends the solve and reports what is there.\n"
    "Exit status: 0 converged (with both: in double-double), 1 not converged, 2 bad\n"
    "usage or input, 3 internal or resource failure.";

void add_system_options(CLI::App& app, solve_request& r)
{
    add_matrix(app, r)->required();
    add_right_hand_side(app, r);
    add_option(app, "--guess", r.guess, input_file, "FILE", "The first iterate (zeros)");
    add_values_of_system(app, r);
}

void add_output_options(CLI::App& app, solve_request& r)
{
    add_option(app, "--output", r.output, file_name, "x.mtx",
               "Write the last iterate (with both: of\ndouble-double), converged or not");
    add_option(app, "--report", r.report, file_name, "r.json", "Write the report as JSON");
    add_option(app, "--history", r.history, file_name, "h.csv",
               "Write the residual after each iteration as CSV");
    add_option(app, "--plot", r.plot, file_name, "h.svg",
               "Draw the residual after each iteration as SVG");
    add_described_options<plan_choices>(app, r);
    add_amount_of_text(app, r);
}

/// With auto, which the command resolves by the method.
void add_precond(CLI::App& app, const about::option<about::names<preconditioning>>& about,
                 solve_request& r)
{
    using choice = std::optional<preconditioning>;
    std::vector<std::pair<std::string, choice>> words;
    for (const auto& [name, value] : preconditioning_names) {
        words.emplace_back(name, value);
        if (value == preconditioning::none) words.emplace_back("auto", std::nullopt);
    }
    const one_of<choice> parse(std::move(words));
    const std::string option = dashed_name(about);
    const auto take = [option, parse, &r](const std::string& value) {
        const choice chosen = parse(option, value);
        r.chooses_precond = !chosen;
        r.precond = chosen.value_or(preconditioning::none);
    };
    add_text_option(app, option, take, parse.joined("|"), parse.joined("|"),
                    help_of(about, r.precond));
}

/// Digits, normwise, certify: what is judged.
constexpr bool is_goal(std::string_view name)
{
    return name == "digits" || name == "normwise" || name == "certify";
}

/// Those of solve_options that say what is judged, or the others.
void add_of_solves(CLI::App& app, solve_request& r, bool goals)
{
    const solve_options presets;
    describe(
        described<solve_options>(),
        [&](const auto& about, auto& field, const auto& preset) {
            if (is_goal(about.name) != goals) return;
            if constexpr (std::is_same_v<decltype(field), preconditioning&>)
                add_precond(app, about, r);
            else
                add_described(app, about, field, preset);
        },
        r, presets);
}

}  // namespace

void add_right_hand_side(CLI::App& app, solve_request& r)
{
    add_option(
        app, "--rhs", r.right_hand_side,
        [&r](auto& option, auto& value) {
            r.names_right_hand_side = true;
            return input_file(option, value).string();
        },
        "FILE|ones|A*ones",
        "The right-hand side (that of the matrix's\nfile, else ones); - is the standard input")
        ->type_name("FILE|ones|A*ones");
}

void add_values_of_system(CLI::App& app, solve_request& r)
{
    add_values(app, r, "A and b");
    std::vector<std::pair<std::string, precision>> choices;
    for (const precision p : all_precisions()) choices.push_back({std::string(word(p)), p});
    add_option(app, "--rhs-values", r.rhs_values, one_of<precision>(choices), "double|dd",
               "The same of b alone (as --values says)");
}

void add_method_options(CLI::App& app, solve_request& r)
{
    add_precision(app, r, "the solve");
    add_of_solves(app, r, false);
}

void add_goal_options(CLI::App& app, solve_request& r)
{
    add_of_solves(app, r, true);
    add_solution_words(app, r);
}

void add_solution_words(CLI::App& app, solve_request& r)
{
    add_option(app, "--solution-words", r.solution_words, one_of<int>({{"2", 2}, {"4", 4}}), "2|4",
               "Doubles a component of x: 2, or 4 for about 64\ndigits, with auto or refine (2)");
}

void add_preconditioner_options(CLI::App& app, solve_request& r)
{
    add_described_options<preconditioner_options>(app, r.preconditioner);
}

void add_amount_of_text(CLI::App& app, solve_request& r)
{
    app.add_flag("--verbose", r.verbose,
                 "Print the whole report: errors, conditions, stages,\nmemory, place, hash of x");
    app.add_flag("--quiet", r.quiet, "Print nothing but errors");
}

void add_factor_options(CLI::App& app, solve_request& r)
{
    add_described_options<factorisation_options>(app, r.factorisation);
    add_memory_limit(app, r);
}

void add_solve_options(CLI::App& app, solve_request& request)
{
    add_system_options(app, request);
    add_method_options(app, request);
    add_goal_options(app, request);
    add_preconditioner_options(app, request);
    add_factor_options(app, request);
    add_machine(app, request, "solve");
    add_format(app, request.format);
    add_output_options(app, request);
    app.footer(examples);
}

namespace {

void check_words(const solve_request& r)
{
    if (r.solution_words == 2) return;
    if (r.precisions.back() == precision_of<double>)
        throw input_error("--solution-words: 4, but the solve is in double");
    if (!r.uses_factors())
        throw input_error(
            "--solution-words: 4, which needs --method auto or refine, without --precond");
}

}  // namespace

void check_amount_of_text(const solve_request& r)
{
    if (r.verbose && r.quiet)
        throw input_error("--verbose: prints the whole report, but --quiet prints none");
}

void check_digits(const solve_request& r, int words)
{
    const int most = words == 4 ? 60 : words == 2 ? 31 : std::numeric_limits<double>::digits10;
    const char* const what = words == 4   ? "four words have"
                             : words == 2 ? "double-double has"
                                          : "double has";
    if (r.wanted_digits() > most)
        throw input_error("--digits: " + std::to_string(r.wanted_digits()) + ", but " + what +
                          " only " + std::to_string(most));
}

namespace {

void check_rhs_values(const solve_request& r)
{
    const precision narrowest = *std::min_element(r.precisions.begin(), r.precisions.end());
    if (narrowest < r.values_of_b()) {
        const std::string values(word(r.values_of_b()));
        throw input_error("--rhs-values: \"" + values + "\" needs --precision " + values + ": " +
                          std::string(name(narrowest)) + " cannot hold b");
    }
}

}  // namespace

void check(const solve_request& r)
{
    check_values(r);
    check_rhs_values(r);
    check_amount_of_text(r);
    if (r.json && !r.dry_run)
        throw input_error("--json: needs --dry-run; --report FILE writes the report of a solve");
    if (r.certify && !r.uses_factors())
        throw input_error("--certify needs --method auto or refine, without --precond");
    check_words(r);
    if (r.method == method::automatic)
        check_digits(r, r.precisions.front() == precision_of<double> ? 1 : r.solution_words);
    check_effects(r);
    check_is_read_once(r, "--rhs", r.right_hand_side);
    check_is_read_once(r, "--guess", r.guess);
    const std::string b = r.right_hand_side_is_file() ? r.right_hand_side : "";
    check_files({{"A.mtx", r.matrix}, {"--rhs", b}, {"--guess", r.guess}},
                {{"--output", r.output, file_form::matrix_market},
                 {"--report", r.report},
                 {"--history", r.history, file_form::csv},
                 {"--plot", r.plot, file_form::svg}});
}

}  // namespace ddla::cli
