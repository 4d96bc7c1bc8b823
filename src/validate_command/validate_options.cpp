#include "validate_options.hpp"

#include "cli/options/solve_options.hpp"
#include "cli/shell/arguments.hpp"
#include "cli/shell/help_text.hpp"

#include "ddla/version.hpp"

#include <memory>

namespace ddla::validate {

using namespace cli;

namespace {

const char* const examples =
    "Examples:\n"
    "  ddla-validate a.mtx\n"
    "  ddla-validate a.mtx --rhs b.mtx --solution x.mtx --digits 10\n"
    "  ddla-validate a.mtx --tol 1e-20 --report r.json --html r.html\n\n"
    "A and b are taken as they are in double.  Ctrl-C ends the work.\n"
    "Exit status: 0 the digits are right (with both: those of double-double), 1 not,\n"
    "or interrupted, 2 bad usage or input, or a singular matrix, 3 internal or\n"
    "resource failure.";

void add_judgement(CLI::App& app, validate_request& r)
{
    add_option(app, "--digits", r.right_digits, integer_between(1, most_digits), "D",
               "Right digits that are asked for (6)");
    app.add_flag("--normwise", r.normwise,
                 "Ask for them in the maximum norm, not in each\ncomponent");
    add_option(app, "--report", r.report, file_name, "r.json", "Write the report as JSON");
    add_option(app, "--html", r.html, file_name, "r.html", "Write the report as an HTML page");
    app.add_flag("--quiet", r.quiet, "Print nothing but errors");
}

void add_limits(CLI::App& app, validate_request& r)
{
    const auto above_zero = number_where("a number above 0", [](double x) { return x > 0; });
    add_option(app, "--max-memory", r.max_memory, above_zero, "G",
               "GiB that factors of A may take (half of the\nmachine's memory)");
    add_option(app, "--max-seconds", r.limits.seconds, above_zero, "S",
               "Seconds that the reference and the judgement\nmay take (3600)");
    add_option(app, "--max-bits", r.limits.bits, integer_between(256, 65536), "N",
               "Bits that the reference may take (4096)");
}

/// Those that mean nothing where nothing is solved.
void add_options_of_a_solve(CLI::App& app, validate_request& r)
{
    add_option(app, "--guess", r.guess, file_name, "FILE", "The first iterate (zeros)");
    add_method_options(app, r);
    add_preconditioner_options(app, r);
    add_factor_options(app, r);
    add_place(app, r, "solve");
}

}  // namespace

void add_options(CLI::App& app, validate_request& r)
{
    r.precisions = all_precisions();
    app.set_help_flag("-h,--help", "Print this help and exit");
    app.set_version_flag("--version", "ddla-validate " DDLA_VERSION);
    app.formatter(std::make_shared<help_text>(""));
    add_matrix(app, r)->required();
    add_right_hand_side(app, r);
    CLI::Option* const solution = add_option(app, "--solution", r.solution, file_name, "x.mtx",
                                             "Validate this x, and solve nothing");
    const std::size_t before = app.get_options().size();
    add_options_of_a_solve(app, r);
    const std::vector<CLI::Option*> all = app.get_options();
    for (std::size_t k = before; k < all.size(); ++k) solution->excludes(all[k]);
    add_threads(app, r);
    add_judgement(app, r);
    add_limits(app, r);
    app.footer(examples);
}

}  // namespace ddla::validate
