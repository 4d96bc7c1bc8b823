// The options of `ddla solve`, and what they must fulfil together.
#include "solve_options.hpp"

#include "arguments.hpp"

#include "ddla/output_file.hpp"

namespace ddla::cli {
namespace {

namespace fs = std::filesystem;

const char* const examples =
    "Examples:\n"
    "  ddla solve a.mtx\n"
    "  ddla solve a.mtx --precision both\n"
    "  ddla solve a.mtx.gz --method cg --precond jacobi --tol 1e-20\n"
    "  ddla solve a.mtx --rhs b.mtx --output x.mtx --report r.json --history h.csv\n"
    "  ddla solve a.mtx --rhs 'A*ones' --guess x.mtx --max-iterations 50000 --quiet\n\n"
    "A file called ones is ./ones.  Ctrl-C ends the solve and reports what is there.\n"
    "Exit status: 0 converged (with both: in double-double), 1 not converged, 2 bad\n"
    "usage or input, 3 internal or resource failure.";

void add_system_options(CLI::App& app, solve_request& r)
{
    add_option(app, "A.mtx", r.matrix, file_name, "", "The matrix, .mtx or .mtx.gz")->required();
    add_option(
        app, "--rhs", r.right_hand_side,
        [](auto& option, auto& value) { return file_name(option, value).string(); },
        "FILE|ones|A*ones", "The right-hand side (ones)");
    add_option(app, "--guess", r.guess, file_name, "FILE", "The first iterate (zeros)");
    add_option(app, "--values", r.values,
               one_of<precision>({{"double", precision::fp64}, {"dd", precision::dd}}), "double|dd",
               "How decimal values of A are rounded (double, so\n"
               "that both precisions solve one system); dd only\n"
               "with --precision dd");
}

void add_method_options(CLI::App& app, solve_request& r)
{
    using list = std::vector<precision>;
    add_option(app, "--precision", r.precisions,
               one_of<list>({{"double", {precision::fp64}},
                             {"dd", {precision::dd}},
                             {"both", {precision::fp64, precision::dd}}}),
               "double|dd|both", "The precision of the solve (dd)");
    add_option(app, "--method", r.method,
               one_of<method>({{"bicgstab", method::bicgstab}, {"cg", method::cg}}), "bicgstab|cg",
               "The method (bicgstab); cg needs a symmetric\npositive definite matrix");
    add_option(app, "--precond", r.precond,
               one_of<preconditioner>(
                   {{"none", preconditioner::none}, {"jacobi", preconditioner::jacobi}}),
               "none|jacobi", "The preconditioner (none)");
    add_option(
        app, "--tol", r.tolerance,
        number_where("a number above 0 and below 1", [](double x) { return x > 0 && x < 1; }), "T",
        "Stop at ||b - A x|| <= T ||b|| (1e-12)");
    add_option(app, "--max-iterations", r.max_iterations, integer_between(1, 1'000'000'000'000),
               "N", "Give up after N iterations (10000)");
}

void add_machine_options(CLI::App& app, solve_request& r)
{
    add_option(app, "--place", r.place,
               one_of<place_choice>({{"auto", place_choice::automatic},
                                     {"host", place_choice::host},
                                     {"device", place_choice::device}}),
               "auto|host|device", "Where to solve (auto); never changes a bit");
    add_option(app, "--threads", r.threads, integer_between(1, 1024), "N",
               "Threads of the host (DDLA_NUM_THREADS, or one a\n"
               "processor); never changes a bit");
}

void add_output_options(CLI::App& app, solve_request& r)
{
    add_option(app, "--output", r.output, file_name, "x.mtx",
               "Write the last iterate (with both: of\ndouble-double), converged or not");
    add_option(app, "--report", r.report, file_name, "r.json", "Write the report as JSON");
    add_option(app, "--history", r.history, file_name, "h.csv",
               "Write the residual after each iteration as CSV");
    app.add_flag("--quiet", r.quiet, "Print nothing but errors");
}

struct named_file {
    std::string option;
    fs::path file;
};

std::vector<named_file> inputs(const solve_request& r)
{
    std::vector<named_file> files{{"A.mtx", r.matrix}};
    if (r.right_hand_side_is_file()) files.push_back({"--rhs", r.right_hand_side});
    if (!r.guess.empty()) files.push_back({"--guess", r.guess});
    return files;
}

std::vector<named_file> outputs(const solve_request& r)
{
    std::vector<named_file> files;
    for (const named_file& f :
         {named_file{"--output", r.output}, {"--report", r.report}, {"--history", r.history}})
        if (!f.file.empty()) files.push_back(f);
    return files;
}

/// Two names for one file, be it there or not.
bool same_file(const fs::path& a, const fs::path& b)
{
    std::error_code ignored;
    if (fs::exists(a, ignored)) return fs::is_regular_file(a) && fs::equivalent(a, b, ignored);
    const auto full = [&](const fs::path& p) {
        return fs::weakly_canonical(fs::absolute(p, ignored), ignored);
    };
    return full(a) == full(b);
}

/// No file may be written twice, or read and written.
void check_distinct(const std::vector<named_file>& in, const std::vector<named_file>& out)
{
    std::vector<named_file> taken = in;
    for (const named_file& f : out) {
        for (const named_file& other : taken)
            if (same_file(f.file, other.file))
                throw input_error(f.option + ": \"" + f.file.string() + "\" is the file of " +
                                  other.option + ", too");
        taken.push_back(f);
    }
}

}  // namespace

void add_solve_options(CLI::App& app, solve_request& request)
{
    add_system_options(app, request);
    add_method_options(app, request);
    add_machine_options(app, request);
    add_output_options(app, request);
    app.footer(examples);
}

void check(const solve_request& r)
{
    const bool only_dd = r.precisions == std::vector<precision>{precision::dd};
    if (r.values == precision::dd && !only_dd)
        throw input_error("--values: \"dd\" needs --precision dd: a double solve cannot hold A");
    for (const named_file& f : inputs(r)) require_readable(f.file);
    check_distinct(inputs(r), outputs(r));
    for (const named_file& f : outputs(r)) require_writable(f.file);
}

}  // namespace ddla::cli
