// The options of `ddla solve`, and what they must fulfil together.
#include "solve_options.hpp"

#include "arguments.hpp"

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
    "  ddla solve a.mtx --rhs 'A*ones' --guess x.mtx --quiet\n\n"
    "A file called ones is ./ones.  Ctrl-C ends the solve and reports what is there.\n"
    "Exit status: 0 converged (with both: in double-double), 1 not converged, 2 bad\n"
    "usage or input, 3 internal or resource failure.";

void add_system_options(CLI::App& app, solve_request& r)
{
    add_matrix(app, r)->required();
    add_right_hand_side(app, r);
    add_option(app, "--guess", r.guess, file_name, "FILE", "The first iterate (zeros)");
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
    add_amount_of_text(app, r);
}

one_of<std::optional<preconditioning>> precond_names()
{
    std::vector<std::pair<std::string, std::optional<preconditioning>>> words;
    for (const auto& [name, value] : preconditioning_names) words.emplace_back(name, value);
    words.emplace(words.begin() + 1, "auto", std::nullopt);
    return one_of<std::optional<preconditioning>>(std::move(words));
}

}  // namespace

void add_right_hand_side(CLI::App& app, solve_request& r)
{
    add_option(
        app, "--rhs", r.right_hand_side,
        [](auto& option, auto& value) { return file_name(option, value).string(); },
        "FILE|ones|A*ones", "The right-hand side (ones)")
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
    add_option(
        app, "--method", r.method,
        one_of<method>({{"auto", method::automatic},
                        {"refine", method::refinement},
                        {"gmres", method::fgmres},
                        {"bicgstab", method::bicgstab},
                        {"cg", method::cg},
                        {"fgmres", method::fgmres},
                        {"bicgstabl", method::bicgstabl},
                        {"minres", method::minres},
                        {"idr", method::idr},
                        {"lsmr", method::lsmr}}),
        "METHOD",
        "The method (auto): factors and refines, or\niterates if factors are too large.  Others: "
        "refine,\ngmres, bicgstab, bicgstabl, idr; cg for symmetric\npositive definite matrices, "
        "minres for symmetric\nones.  auto, refine and lsmr take any shape: least\nsquares");
    add_option(
        app, "--precond", r.asked_precond, precond_names(),
        "none|auto|jacobi|lu|ilu|ilut|ic|block_jacobi|polynomial",
        "The preconditioner of iterations but lsmr\n(none); auto: ilu of fill 2, ic with cg;\n"
        "factors: as the options for them say.  With\nrefine all but lu: corrections are solved\n"
        "for in double, by cg with ic, else by bicgstab");
    add_option(
        app, "--tol", r.tolerance,
        number_where("a number above 0 and below 1", [](double x) { return x > 0 && x < 1; }), "T",
        "Stop at ||b - A x|| <= T ||b|| (1e-12; with auto\nnothing, unless it is given)");
    add_option(app, "--max-iterations", r.max_iterations, integer_between(1, 1'000'000'000'000),
               "N", "Give up after N iterations (10000)");
    add_option(app, "--restart", r.restart, integer_between(1, 1'000'000), "M",
               "gmres: restart after M iterations (50)");
    add_option(app, "--l", r.l, integer_between(1, 16), "L",
               "bicgstabl: degree of its polynomials (2)");
    add_option(app, "--s", r.s, integer_between(1, 64), "S",
               "idr: dimension of its shadow space (4)");
}

void add_goal_options(CLI::App& app, solve_request& r)
{
    add_option(app, "--digits", r.asked_digits, integer_between(1, 60), "D",
               "With auto: digits of every component that must\nbe right, as estimated (12)");
    app.add_flag("--normwise", r.normwise, "Digits relative to the largest component");
    add_solution_words(app, r);
}

void add_solution_words(CLI::App& app, solve_request& r)
{
    add_option(app, "--solution-words", r.solution_words, one_of<int>({{"2", 2}, {"4", 4}}), "2|4",
               "Doubles a component of x: 2, or 4 for about 64\ndigits, with auto or refine (2)");
}

/// --fill, --drop, --block-rows, --bad-pivot, --polynomial, --degree
void add_preconditioner_options(CLI::App& app, solve_request& r)
{
    preconditioner_options& p = r.preconditioner;
    add_option(app, "--fill", p.fill, integer_between(0, 1'000'000), "K",
               "ilu: levels of fill (0); ilut: entries of half a\nrow beyond those of A (10)");
    add_option(app, "--drop", p.drop,
               number_where("a number from 0 to below 1", [](double x) { return x >= 0 && x < 1; }),
               "T", "ilut: leave out entries below T times their\nrow's largest (0.001)");
    add_option(app, "--block-rows", p.block_rows, integer_between(256, INT64_MAX), "N",
               "block_jacobi: rows of a block, a multiple of 256\n(256)");
    add_option(app, "--bad-pivot", p.pivots,
               one_of<bad_pivot>({{"shift", bad_pivot::shift}, {"refuse", bad_pivot::refuse}}),
               "shift|refuse", "ilu, ilut, ic: what is done with a zero or tiny\npivot (shift)");
    add_option(app, "--polynomial", p.polynomial,
               one_of<polynomial_kind>({{"neumann", polynomial_kind::neumann},
                                        {"chebyshev", polynomial_kind::chebyshev}}),
               "neumann|chebyshev", "polynomial: which one (neumann)");
    add_option(app, "--degree", p.degree, integer_between(0, 1000), "N",
               "polynomial: its degree, a product each (4)");
}

void add_amount_of_text(CLI::App& app, solve_request& r)
{
    app.add_flag("--verbose", r.verbose,
                 "Print the whole report: errors, conditions, stages,\nmemory, place, hash of x");
    app.add_flag("--quiet", r.quiet, "Print nothing but errors");
}

void add_certify(CLI::App& app, solve_request& r)
{
    app.add_flag(
        "--certify", r.certify,
        "Prove a bound of the error of x, if that can be\ndone within the limits of factors");
}

void add_factor_options(CLI::App& app, solve_request& r)
{
    factorisation_options& f = r.factorisation;
    add_option(app, "--factors", f.factors, one_of<factor_precision>(factor_precision_names),
               "auto|double|dd",
               "Factors in double, in double-double, or in both\nif need be (auto)");
    add_option(app, "--ordering", f.ordering, one_of<column_ordering>(ordering_names),
               "auto|natural|amd|colamd|rcm|multicolour", "The order of elimination (auto)");
    const auto on_or_off = one_of<bool>({{"auto", true}, {"none", false}});
    add_option(app, "--scale", f.scale, on_or_off, "auto|none",
               "Scale rows and columns by powers of two (auto)");
    add_option(app, "--match", f.match, on_or_off, "auto|none",
               "Permute large entries to the diagonal (auto)");
    const auto positive = number_where("a number above 0", [](double x) { return x > 0; });
    add_option(app, "--most-work", f.most_work, positive, "GFLOP",
               "Most work of factors, in 10^9 multiplications\nwith a subtraction (4)");
    add_option(app, "--most-memory", f.most_memory, integer_between(1, INT64_MAX), "BYTES",
               "Most memory of factors (8589934592)");
    add_memory_limit(app, r);
}

void add_solve_options(CLI::App& app, solve_request& request)
{
    add_system_options(app, request);
    add_method_options(app, request);
    add_goal_options(app, request);
    add_preconditioner_options(app, request);
    add_factor_options(app, request);
    add_certify(app, request);
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
    if (r.digits() > most)
        throw input_error("--digits: " + std::to_string(r.digits()) + ", but " + what + " only " +
                          std::to_string(most));
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
    if (r.certify && !r.uses_factors())
        throw input_error("--certify needs --method auto or refine, without --precond");
    check_words(r);
    if (r.method == method::automatic)
        check_digits(r, r.precisions.front() == precision_of<double> ? 1 : r.solution_words);
    const std::string b = r.right_hand_side_is_file() ? r.right_hand_side : "";
    check_files({{"A.mtx", r.matrix}, {"--rhs", b}, {"--guess", r.guess}},
                {{"--output", r.output},
                 {"--report", r.report},
                 {"--history", r.history},
                 {"--plot", r.plot}});
}

}  // namespace ddla::cli
