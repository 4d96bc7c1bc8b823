// Systems in files of other programs: b that stands with A, lists of numbers, names of what is not
// read.
#include "catch.hpp"
#include "failures.hpp"
#include "process.hpp"

#include <string>

using namespace cli_test;

namespace {

// A = (2 1; 0 4), b = (4, 8): x = (1, 2).  Lis also stores x = (5, 6), Harwell-Boeing a guess
// (5, 6) and a solution (1, 2).
const std::string lis = "%%MatrixMarket matrix coordinate real general\n"
                        "2 2 3 1 1\n1 1 2\n1 2 1\n2 2 4\n1 4\n2 8\n1 5\n2 6\n";
const std::string harwell_boeing =
    "A system                                                                two     \n"
    "             6             1             1             1             3\n"
    "RUA                        2             2             3             0\n"
    "(3I4)           (3I4)           (3F8.2)             (2F8.2)\n"
    "FGX                        1             0\n"
    "   1   2   4\n   1   1   2\n    2.00    1.00    4.00\n"
    "    4.00    8.00\n    5.00    6.00\n    1.00    2.00\n";
const std::string system_without_b =
    "%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 2\n1 2 1\n2 2 4\n";

/// The numbers of a vector that the command has written.
std::string numbers_of(const std::filesystem::path& file)
{
    const std::string text = read_file(file);
    const auto sizes = text.find("\n2 1\n");
    return sizes == std::string::npos ? text : text.substr(sizes + 5);
}

std::string solved(const scratch& folder, arguments options)
{
    const std::string x = (folder / "x.mtx").string();
    options.insert(options.begin(), "solve");
    options.insert(options.end(), {"--output", x});
    const result r = run(options);
    CHECK(r.err == "");
    CHECK(r.exit_status == 0);
    return numbers_of(x);
}

}  // namespace

TEST_CASE("b that stands in the file of A is solved for, unless --rhs names another")
{
    const scratch folder;
    for (const std::string& text : {lis, harwell_boeing}) {
        const std::string a = folder.write("a", text);
        CHECK(solved(folder, {a}) == "1\n2\n");
        CHECK(run({"solve", a}).out.find("b = a\n") != std::string::npos);
        CHECK(solved(folder, {a, "--rhs", "ones"}) == "0.375\n0.25\n");
        CHECK(solved(folder, {a, "--rhs", "A*ones"}) == "1\n1\n");
        CHECK(solved(folder, {folder.write("m.mtx", system_without_b), "--rhs", a}) == "1\n2\n");
        CHECK(run({"solve", a, "--dry-run"}).exit_status == 0);
    }
    CHECK(solved(folder, {folder.write("m.mtx", system_without_b)}) == "0.375\n0.25\n");
}

TEST_CASE("x that stands in the file of A is a guess or a solution")
{
    const scratch folder;
    const std::string a = folder.write("a.rua", harwell_boeing), b = folder.write("a.mtx", lis);
    // From the exact x nothing changes; from elsewhere rounding errors stay.
    const auto from = [&](std::string text, const std::string& guess, const std::string& exact) {
        const std::string at = text.replace(text.find(guess), guess.size(), exact);
        const std::string file = folder.write("g", at);
        return solved(folder, {file, "--guess", file, "--method", "gmres", "--precond", "none"});
    };
    CHECK(from(harwell_boeing, "5.00    6.00", "1.00    2.00") == "1\n2\n");
    CHECK(from(lis, "1 5\n2 6\n", "1 1\n2 2\n") == "1\n2\n");
    CHECK(from(harwell_boeing, "5.00    6.00", "5.00    6.00") != "1\n2\n");
    CHECK(from(lis, "1 5\n2 6\n", "1 5\n2 6\n") != "1\n2\n");
    const result right = run({"check", a, a});
    CHECK(right.exit_status == 0);
    CHECK(right.out.find("PASS") != std::string::npos);
    const result wrong = run({"check", b, b});  // Lis's x is (5, 6)
    CHECK(wrong.exit_status == 1);
    CHECK(wrong.out.find("FAIL: 0.0 digits") != std::string::npos);
}

TEST_CASE("a list of numbers is b")
{
    const scratch folder;
    const std::string a = folder.write("a.mtx", system_without_b);
    CHECK(solved(folder, {a, "--rhs", folder.write("b.txt", "# b\n4\n8\n")}) == "1\n2\n");
    CHECK(solved(folder, {a, "--rhs", folder.write("b.csv", "4, 8\n")}) == "1\n2\n");
    check_failure_of("ddla", run({"solve", a, "--rhs", folder.write("c.txt", "1\n2\n3\n")}), 2,
                     {"c.txt", "holds 3 numbers", "has 2 rows"});
    check_failure_of("ddla", run({"solve", a, "--rhs", folder.write("d.txt", "1\ntwo\n")}), 2,
                     {"d.txt:2: value 'two' is not a finite number"});
}

TEST_CASE("b in a pipe with A is not taken for ones")
{
    const scratch folder;
    const std::string a = folder.write("a.rua", harwell_boeing);
    const auto piped = [&](const std::string& options) {
        return run_program(
            "/bin/sh",
            {"-c", "cat " + a + " | '" DDLA_COMMAND "' solve /dev/stdin --quiet " + options});
    };
    check_failure_of("ddla", piped(""), 2,
                     {"/dev/stdin: holds a right-hand side, but cannot be read twice"});
    CHECK(piped("--rhs " + a).exit_status == 0);
    CHECK(piped("--rhs ones").exit_status == 0);
}

TEST_CASE("files that are not read are named with a command, with 2")
{
    const scratch folder;
    const std::string a = folder.write("a.mtx.bz2", "BZh91AY&SY...");
    check_failure_of("ddla", run({"solve", a}), 2,
                     {a, "compressed by bzip2", "convert it by bunzip2 -k " + a});
    check_failure_of("ddla",
                     run({"info", folder.write("b.rua",
                                               [] {
                                                   std::string elemental = harwell_boeing;
                                                   return elemental.replace(elemental.find("RUA"),
                                                                            3, "RUE");
                                               }())}),
                     2, {"b.rua:3: the type 'RUE' is an elemental"});
}
