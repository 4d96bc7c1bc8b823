// What is wrong with options or files ends with 2 and one line; what the machine cannot do, with 3.
#include "catch.hpp"
#include "failures.hpp"
#include "process.hpp"
#include "support/patterns.hpp"

#include "ddla/generate.hpp"
#include "ddla/matrix_market.hpp"

#include <algorithm>

using namespace cli_test;

namespace {

const std::string banner = "%%MatrixMarket matrix coordinate real general\n";
const std::string array = "%%MatrixMarket matrix array real general\n";

void check_failure(const result& r, int exit_status, const std::vector<std::string>& parts)
{
    check_failure_of("ddla-validate", r, exit_status, parts);
}

const std::vector<bad_options> all_bad_options{
    {{"--digits", "0"}, {"--digits", "\"0\"", "from 1 to 40"}},
    {{"--digits", "41"}, {"--digits", "\"41\""}},
    {{"--digits", "six"}, {"--digits", "\"six\""}},
    {{"--max-memory", "0"}, {"--max-memory", "\"0\""}},
    {{"--max-seconds", "-1"}, {"--max-seconds", "\"-1\""}},
    {{"--max-bits", "128"}, {"--max-bits", "\"128\""}},
    {{"--tol", "2"}, {"--tol", "\"2\""}},
    {{"--solution", ""}, {"--solution"}},
    {{"--solution", "missing.mtx"}, {"missing.mtx: cannot be read"}},
    {{"--rhs", "missing.mtx"}, {"missing.mtx: cannot be read"}},
    {{"--solution", "x.mtx", "--tol", "1e-3"}, {"--solution", "--tol"}},
    {{"--solution", "x.mtx", "--precision", "dd"}, {"--solution", "--precision"}},
    {{"--restart", "3", "--method", "cg"},
     {"--restart: has no effect with --method cg and --precond none; it is for "}},
    {{"--fill", "1"},
     {"--fill: has no effect with --method auto; it is for --precond ilu and --precond ilut"}},
    {{"--report", "same", "--html", "same"}, {"--html", "--report"}},
    {{"--frobnicate"}, {"--frobnicate"}},
    {{"b.mtx"}, {"b.mtx"}},
};

}  // namespace

TEST_CASE("bad options end with 2 and a line that names them")
{
    const scratch folder;
    const std::string a = folder.write("a.mtx", banner + "2 2 2\n1 1 2\n2 2 3\n");
    CHECK(run({a, "--quiet"}).exit_status == 0);
    for (const auto& [options, parts] : all_bad_options) {
        arguments all{a};
        all.insert(all.end(), options.begin(), options.end());
        check_failure(run(all), 2, parts);
    }
    check_failure(run({"--quiet"}), 2, {"A.mtx"});
    CHECK(folder.files() == 1);
}

TEST_CASE("bad files end with 2 and a line that names file, line and numbers")
{
    const scratch folder;
    const std::string a = folder.write("a.mtx", banner + "2 2 2\n1 1 2\n2 2 3\n");
    const std::string longer = folder.write("longer.mtx", array + "3 1\n1\n2\n3\n");
    const std::string word = folder.write("word.mtx", array + "2 1\n1\ntwo\n");
    for (const char* option : {"--rhs", "--solution", "--guess"}) {
        check_failure(run({a, option, longer}), 2, {longer, "3 numbers", "2 rows"});
        check_failure(run({a, option, word}), 2, {word + ":4: "});
    }
    const std::string broken = folder.write("broken.mtx", banner + "2 2 1\n3 1 1\n");
    check_failure(run({broken}), 2, {broken + ":3: "});
    const std::string wide = folder.write("wide.mtx", banner + "2 3 1\n1 1 2\n");
    check_failure(run({wide}), 2, {wide, "2 x 3", "not square"});
    const std::string none = folder.write("none.mtx", banner + "0 0 0\n");
    check_failure(run({none}), 2, {none});
}

TEST_CASE("singular matrices end with 2 and name the column, for solves and given x")
{
    const scratch folder;
    const std::string x = folder.write("x.mtx", array + "2 1\n1\n1\n");
    const std::string values =
        folder.write("values.mtx", banner + "2 2 4\n1 1 1\n1 2 2\n2 1 2\n2 2 4\n");
    const std::string empty = folder.write("empty.mtx", banner + "2 2 2\n1 1 1\n2 1 2\n");
    for (const arguments& more : {arguments{}, {"--solution", x}}) {
        for (const auto& [file, part] : {std::pair{values, "as far as 4096 bits can tell"},
                                         std::pair{empty, "column 2 is empty"}}) {
            arguments all{file, "--max-iterations", "5"};
            if (!more.empty()) all = {file, "--solution", x};
            check_failure(run(all), 2, {file + ": the matrix is singular: ", part, "column "});
        }
    }
}

TEST_CASE("work beyond the limits ends with 3 and numbers")
{
    const scratch folder;
    const std::string a = (folder / "a.mtx").string();
    ddla::write_matrix(a, ddla::generate::poisson2d(30, 30));
    check_failure(run({a, "--max-memory", "1e-4"}), 3, {a, "entries", "104.9 KiB", "--max-memory"});
    check_failure(run({a, "--max-seconds", "1e-6"}), 3, {a, "operations", "--max-seconds"});
}

TEST_CASE("outputs that cannot be written end with 3, and a full disk, too")
{
    const scratch folder;
    const std::string a = folder.write("a.mtx", banner + "1 1 1\n1 1 2\n");
    const std::string nowhere = (folder / "missing" / "file").string();
    for (const char* option : {"--report", "--html"}) {
        check_failure(run({a, option, nowhere}), 3, {nowhere + ": cannot be written"});
        check_failure(run({a, "--quiet", option, "/dev/full"}), 3, {"/dev/full"});
        check_failure(run({a, option, a}), 2, {option, "A.mtx"});
    }
    const arguments script{"-c", "'" DDLA_COMMAND "' " + a + " > /dev/full"};
    check_failure(run_program("/bin/sh", script), 3, {"standard output"});
    CHECK(folder.files() == 1);
}

TEST_CASE("the help fits 80 columns, and without arguments it is shown with 2")
{
    const result none = run({});
    CHECK(none.exit_status == 2);
    CHECK(none.err.find("Usage: ddla-validate ") != std::string::npos);
    const result help = run({"--help"});
    CHECK(help.exit_status == 0);
    for (std::size_t begin = 0, end; (end = help.out.find('\n', begin)) != std::string::npos;
         begin = end + 1)
        CHECK(end - begin <= 80);
    CHECK(run({"--version"}).out.rfind("ddla-validate 0.", 0) == 0);
}

TEST_CASE("the manual page is well-formed and names every option")
{
    const std::string manual = read_file(DDLA_MANUAL);
    const auto options = test::matches_in(run({"--help"}).out, "\n  (?:-h,)?--([a-z-]+)");
    for (const auto& option : options) {
        INFO("option --" << option[1]);
        CHECK(manual.find("Fl -" + option[1]) != std::string::npos);
    }
    CHECK(options.size() > 15);
    if (run_program("/bin/sh", {"-c", "command -v mandoc"}).exit_status != 0)
        SKIP_CASE("mandoc is not installed");
    // Not style: that of a page which names ddla(1) depends on whether that is installed.
    const result lint = run_program("mandoc", {"-Tlint", "-Wwarning", DDLA_MANUAL});
    CHECK(lint.out + lint.err == "");
}
