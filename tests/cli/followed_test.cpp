// Every advice is followed: the program takes it, and the second run tells something else.
#include "advice.hpp"
#include "support/patterns.hpp"

#include "ddla/generate.hpp"
#include "ddla/matrix_market.hpp"

using namespace cli_test;

namespace {

const std::string banner = "%%MatrixMarket matrix coordinate real general\n";
const std::string array_banner = "%%MatrixMarket matrix array real general\n";

/// "status", "digits right", "Exit": the lines that must not both stay.
std::string told(const result& r)
{
    std::string text = std::to_string(r.exit_status);
    for (const auto& line :
         test::matches_in(r.out, "\n *(status|digits right|right digits|residual of A)[^\n]*"))
        text += line[0];
    return text;
}

/// `without --digits: x is one of many`: these options, of a value each but --normwise.
arguments shortened(const arguments& line, const std::string& said)
{
    arguments rest;
    for (std::size_t k = 0; k < line.size(); ++k) {
        const bool is_dropped = line[k].rfind("--", 0) == 0 &&
                                said.substr(0, said.find(':')).find(line[k]) != std::string::npos;
        if (!is_dropped) rest.push_back(line[k]);
        if (is_dropped && line[k] != "--normwise") ++k;
    }
    return rest;
}

/// The advice as the run of a command: of ddla or ddla-validate, whole or in options that replace
/// others.
result followed(const arguments& line, const std::string& said)
{
    const scratch folder;
    arguments words = options_of(said);
    for (std::string& word : words)
        if (word == "x.mtx") word = (folder / word).string();
    if (words.front() == "ddla") return run({words.begin() + 1, words.end()});
    if (words.front() == "without") return run(shortened(line, said));
#ifdef DDLA_VALIDATE
    if (words.front() == "ddla-validate")
        return run_program(DDLA_VALIDATE, {words.begin() + 1, words.end()});
#endif
    return run(replaced(line, words));
}

struct advised {
    arguments line;
    std::string advice;  ///< begins so
};

/// Fails with this advice; the program takes it, and tells something else.
void check_advice(const advised& row)
{
    const result first = run(row.line);
    const std::string said = advice_of(first);
    INFO(first.out << first.err << "\nadvice: " << said << "\nexpected: " << row.advice);
    CHECK(first.exit_status != 0);
    REQUIRE(said.rfind(row.advice, 0) == 0);
#ifndef DDLA_VALIDATE
    if (said.rfind("ddla-validate", 0) == 0) return;
#endif
    const result second = followed(row.line, said);
    INFO(second.out << second.err);
    CHECK((second.exit_status == 0 || second.exit_status == 1));
    CHECK(told(second) != told(first));
}

std::string generated(const scratch& folder, const char* name, const ddla::csr_matrix<double>& a)
{
    ddla::write_matrix((folder / name).string(), a);
    return (folder / name).string();
}

}  // namespace

TEST_CASE("advice that is followed brings another status or other digits", "[advice]")
{
    const scratch folder;
    const std::string singular =
        folder.write("s.mtx", banner + "2 2 4\n1 1 1\n1 2 2\n2 1 2\n2 2 4\n");
    const std::string x = folder.write("x.mtx", array_banner + "2 1\n1\n1\n");
    const std::string line =
        folder.write("line.mtx", array_banner + "3 2\n1\n1\n1\n1000000\n1000001\n1000003\n");
    const std::string wide = folder.write("wide.mtx", array_banner + "2 3\n1\n1\n1\n2\n1\n3\n");
    const std::string grid = (folder / "grid.mtx").string();
    ddla::write_matrix(grid, ddla::generate::poisson2d(20, 20));
    const std::vector<arguments> table{
        {"solve", singular},
        {"solve", singular, "--digits", "15"},
        {"solve", singular, "--solution-words", "4"},
        {"solve", singular, "--method", "gmres", "--precond", "jacobi"},
        {"check", singular, x},
        {"check", line, x},
        {"solve", grid, "--method", "cg", "--tol", "1e-60"},
        {"solve", grid, "--precision", "double", "--tol", "1e-30"},
        {"solve", grid, "--tol", "1e-60"},
        {"solve", grid, "--most-work", "2e-7", "--max-iterations", "2"},
        {"solve", grid, "--method", "cg", "--max-iterations", "2"},
        {"solve", line, "--digits", "20", "--most-work", "1e-12"},
        {"solve", wide, "--digits", "20", "--most-memory", "9"},
        {"solve", line, "--method", "lsmr", "--max-iterations", "1"},
        {"solve", wide, "--method", "lsmr", "--tol", "1e-40"},
        {"check", line, x, "--normwise"},
    };
    for (const arguments& options : table) {
        const result first = run(options);
        const std::string said = advice_of(first);
        INFO(first.out << first.err << "\nadvice: " << said);
        CHECK(first.exit_status == 1);
        REQUIRE(said != "");
        const result second = followed(options, said);
        INFO(second.out << second.err);
        CHECK(second.exit_status <= 1);
        CHECK(told(second) != told(first));
    }
}

TEST_CASE("advice on digits is followed", "[advice]")
{
    const scratch folder;
    const auto [hard, of_hard] = system_near_powers(folder);
    const std::string harder = nearly_singular(folder);
    const std::string near_lost = folder.write("x.mtx", array_banner + "2 1\n0\n1e-200\n");
    const std::string ones = (folder / "ones.mtx").string();
    ddla::write_vector(ones, ddla::vector<double>(8, 1.0));
    const std::string three =
        folder.write("three.mtx", array_banner + "3 3\n3\n1\n0\n1\n3\n1\n0\n1\n3\n");
    const std::string tiny =
        folder.write("tiny.mtx", array_banner + "3 1\n1e-300\n1e-300\n1e-300\n");
    // x = (-1e-400, 1e-200).
    const std::string lost = folder.write("lost.mtx", array_banner + "2 2\n1\n0\n1e-200\n1\n");
    const std::string of_lost = folder.write("of_lost.mtx", array_banner + "2 1\n0\n1e-200\n");
    const std::string twice = folder.write("y.mtx", array_banner + "2 1\n0\n2e-200\n");
    const std::string without_pivot = folder.write(
        "p.mtx", banner + "4 4 10\n1 1 1\n1 3 1\n1 4 1\n2 2 1\n2 3 1\n2 4 "
                          "1.0000000000000002220446049250313\n3 1 1\n3 2 1\n4 1 1\n4 2 "
                          "1.0000000000000002220446049250313\n");
    const std::string four = folder.write("four.mtx", array_banner + "4 1\n1\n2\n3\n4\n");
    const std::string far = folder.write("far.mtx", banner + "2 2 2\n1 1 1e-200\n2 2 1e-200\n");
    const std::string large = folder.write("large.mtx", array_banner + "2 1\n1e200\n1e200\n");
    const std::vector<advised> table{
        {{"solve", hard, "--rhs", of_hard, "--digits", "31"}, "--solution-words 4"},
        {{"solve", hard, "--rhs", of_hard, "--factors", "double"}, "--factors auto"},
        {{"solve", hard, "--rhs", of_hard, "--digits", "60", "--solution-words", "4"},
         "--digits 5"},
        // More words hold no more digits of x near the smallest double.
        {{"solve", three, "--rhs", tiny, "--digits", "31"}, "--digits 22"},
        {{"solve", three, "--rhs", tiny, "--tol", "1e-50"}, "--tol "},
        {{"solve", harder}, "ddla-validate "},
        {{"solve", without_pivot, "--rhs", four}, "ddla-validate "},
        {{"solve", far, "--rhs", large}, "ddla-validate "},
        {{"check", harder, ones}, "ddla-validate "},
        {{"solve", lost, "--rhs", of_lost}, "--normwise"},
        {{"check", lost, near_lost, "--rhs", of_lost}, "--normwise"},
        // Nothing is known of the first component, and the second is wrong.
        {{"check", lost, twice, "--rhs", of_lost, "--normwise"}, "ddla solve "},
    };
    for (const advised& row : table) check_advice(row);
}

TEST_CASE("advice on methods and limits is followed", "[advice]")
{
    const scratch folder;
    const std::string grid = generated(folder, "grid.mtx", ddla::generate::poisson2d(20, 20));
    const std::string hard = generated(folder, "hard.mtx", ddla::generate::toeplitz(600, 3));
    const std::string singular =
        folder.write("s.mtx", banner + "2 2 4\n1 1 1\n1 2 2\n2 1 2\n2 2 4\n");
    const std::string hilbert =
        generated(folder, "hilbert.mtx", ddla::generate::hilbert_like<double>(12, 12));
    const std::string rotation = folder.write("r.mtx", banner + "2 2 2\n1 2 -1\n2 1 1\n");
    const std::string swap = folder.write("swap.mtx", banner + "2 2 2\n1 2 1\n2 1 1\n");
    const std::string block =
        folder.write("b.mtx", banner + "3 3 5\n1 1 1\n1 2 1\n2 1 1\n2 2 1\n3 3 1\n");
    const std::string huge =
        folder.write("h.mtx", banner + "2 2 4\n1 1 1e308\n1 2 1e308\n2 1 -1e308\n2 2 1e308\n");
    const std::vector<advised> table{
        {{"solve", grid, "--most-work", "1e-8", "--digits", "8"}, "--most-work 4, for factors"},
        {{"solve", grid, "--most-memory", "999", "--digits", "8"},
         "--most-memory 8589934592, for factors"},
        {{"solve", grid, "--most-work", "1e-8", "--max-iterations", "2"},
         "--most-work 4, for factors"},
        {{"solve", grid, "--most-memory", "999", "--max-iterations", "2"},
         "--most-memory 8589934592, for factors"},
        {{"solve", grid, "--most-work", "1e-8", "--normwise"}, "--most-work 4, for factors"},
        {{"solve", grid, "--method", "refine", "--most-work", "1e-9"}, "--most-work 4"},
        {{"solve", grid, "--method", "refine", "--most-memory", "999"}, "--most-memory 8589934592"},
        {{"solve", singular, "--rhs", "A*ones", "--digits", "5"}, "without --digits: "},
        {{"solve", singular, "--rhs", "A*ones", "--normwise"}, "without --normwise: "},
        {{"solve", singular, "--rhs", "A*ones", "--digits", "5", "--normwise"},
         "without --digits and --normwise: "},
        {{"solve", rotation, "--method", "gmres", "--restart", "1"}, "--restart 2"},
        {{"solve", rotation, "--method", "bicgstab"}, "--method auto"},
        {{"solve", huge, "--method", "bicgstab"}, "--method auto"},
        {{"solve", swap, "--method", "cg", "--precond", "ic", "--pivots", "refuse"},
         "--method bicgstab --precond ilu"},
        {{"solve", block, "--method", "bicgstab", "--precond", "ilu", "--pivots", "refuse"},
         "--pivots shift"},
        {{"solve", hilbert, "--method", "refine", "--precond", "ilut"}, "--method bicgstab"},
        {{"solve", grid, "--method", "refine", "--precond", "ilu", "--precision", "double", "--tol",
          "1e-18"},
         "--precision dd"},
        {{"solve", hard, "--method", "refine", "--factors", "double"}, "--"},
    };
    for (const advised& row : table) check_advice(row);
}

TEST_CASE("advice of higher limits ends after two steps", "[advice][repeats]")
{
    const scratch folder;
    const auto file = [&](const char* name, const ddla::csr_matrix<double>& a) {
        ddla::write_matrix((folder / name).string(), a);
        return (folder / name).string();
    };
    const std::vector<std::string> systems{
        file("four.mtx", ddla::generate::toeplitz(4, 1.5)),
        file("dense.mtx", ddla::generate::random(60, 60, 0.1, 1)),
        file("grid.mtx", ddla::generate::poisson2d(20, 20)),
        file("large.mtx", ddla::generate::poisson2d(100, 100))};
    const std::vector<arguments> ways{
        {"--digits", "3"}, {"--method", "refine"}, {"--method", "gmres", "--precond", "lu"}};
    const std::vector<arguments> limits{
        {"--most-work", "1e-12"}, {"--most-work", "1e-6"}, {"--most-memory", "9"}};
    int with_limits = 0;
    for (const std::string& a : systems)
        for (const arguments& way : ways)
            for (const arguments& limit : limits) {
                arguments line = replaced(replaced({"solve", a}, way), limit);
                result last = run(line);
                for (int steps = 0; advice_of(last).find("--most-") == 0; ++steps, ++with_limits) {
                    INFO(a << ": " << last.out << last.err);
                    REQUIRE(steps < 2);
                    last = run(line = replaced(line, options_of(advice_of(last))));
                }
                INFO(a << ": " << last.out << last.err);
                CHECK(last.exit_status == 0);
            }
    CHECK(with_limits >= 30);
}

TEST_CASE("an x of many is not compared")
{
    const scratch folder;
    const std::string thin = folder.write("thin.mtx", array_banner + "3 2\n1\n1\n1\n1\n1\n1\n");
    const std::string x = folder.write("x.mtx", array_banner + "2 1\n1\n1\n");
    const result r = run({"check", thin, x});
    CHECK(r.exit_status == 1);
    CHECK(r.out.find("UNKNOWN: A has rank 1, less than its 2 columns") != std::string::npos);
    CHECK(advice_of(r).find("ddla solve " + thin + " --method lsmr") == 0);
    CHECK(run({"check", thin, x, "--certify"}).exit_status == 2);
}

namespace {

/// A check of x = (1, 1) beside the least squares of a11 x1 = b1, x2 = 1 and x2 = 1.
arguments check_of_fit(const scratch& folder, const std::string& a11, const std::string& b1)
{
    return {"check", folder.write("a.mtx", array_banner + "3 2\n" + a11 + "\n0\n0\n0\n1\n1\n"),
            folder.write("x.mtx", array_banner + "2 1\n1\n1\n"), "--rhs",
            folder.write("b.mtx", array_banner + "3 1\n" + b1 + "\n1\n1\n")};
}

}  // namespace

TEST_CASE("where nothing tells more, there is no advice")
{
    const scratch folder;
    // x1 = 1e600.  Least squares have no reference in more digits.
    const result r = run(check_of_fit(folder, "1e-300", "1e300"));
    CHECK(r.exit_status == 1);
    CHECK(r.out.find("Nothing that tells more of this system is known to ddla.") !=
          std::string::npos);
    CHECK(advice_of(r) == "");
}

TEST_CASE("components of least squares that are not known are not compared")
{
    const scratch folder;
    // x1 = 3e-320, a value of four digits at most; x2 = 1.
    arguments check = check_of_fit(folder, "1e300", "3e-20");
    const result r = run(check);
    INFO(r.out);
    CHECK(r.exit_status == 1);
    CHECK(r.out.find("UNKNOWN: fewer digits of the better x are known") != std::string::npos);
    CHECK(r.out.find("FAIL") == std::string::npos);
    // The largest component, x2, is right; the least one, 3e-320, is 1.
    check.push_back("--normwise");
    const result normwise = run(check);
    CHECK(normwise.out.find("FAIL: 0.0 digits are right normwise") != std::string::npos);
    // x1 = 3e-345, which no double holds.
    const result none = run(check_of_fit(folder, "1e300", "3e-45"));
    INFO(none.out);
    CHECK(none.exit_status == 1);
    CHECK(none.out.find("UNKNOWN: 1 components of the better x are not known, the first is 1: ") !=
          std::string::npos);
}

TEST_CASE("the digits of least squares and of least norm are checked")
{
    const scratch folder;
    // x = (1, 2) leaves (1, -2, 1), at right angles to both columns.
    const std::string a = folder.write("a.mtx", array_banner + "3 2\n1\n1\n1\n0\n1\n2\n");
    const std::string b = folder.write("b.mtx", array_banner + "3 1\n2\n1\n6\n");
    const std::string right = folder.write("r.mtx", array_banner + "2 1\n1\n2\n");
    const std::string wrong = folder.write("w.mtx", array_banner + "2 1\n1\n2.00001\n");
    CHECK(run({"check", a, right, "--rhs", b, "--digits", "30"}).exit_status == 0);
    CHECK(run({"check", a, wrong, "--rhs", b, "--digits", "5"}).exit_status == 0);
    CHECK(run({"check", a, wrong, "--rhs", b, "--digits", "6"}).exit_status == 1);
    CHECK(run({"check", a, right, "--rhs", b, "--solution-words", "4", "--digits", "60"})
              .exit_status == 0);
    // 2 x1 + x2 = 5: the shortest is (2, 1).
    const std::string wide = folder.write("wide.mtx", array_banner + "1 2\n2\n1\n");
    const std::string five = folder.write("five.mtx", array_banner + "1 1\n5\n");
    const std::string least = folder.write("l.mtx", array_banner + "2 1\n2\n1\n");
    const std::string other = folder.write("o.mtx", array_banner + "2 1\n1\n3\n");
    CHECK(run({"check", wide, least, "--rhs", five, "--digits", "30"}).exit_status == 0);
    const result r = run({"check", wide, other, "--rhs", five});
    CHECK(r.exit_status == 1);
    CHECK(r.out.find("FAIL: 0.0 digits") != std::string::npos);
}

TEST_CASE("the distance of b from the range of a singular matrix is told")
{
    const scratch folder;
    const std::string a =
        folder.write("s.mtx", banner + "3 3 6\n1 1 1\n1 2 -1\n2 1 -1\n2 2 1\n3 3 1\n3 1 0\n");
    // The null vector is (1, 1, 0): of b = (3, 4, 12), 7/sqrt(2) over 13.
    const std::string b = folder.write("b.mtx", array_banner + "3 1\n3\n4\n12\n");
    CHECK(run({"solve", a, "--rhs", b}).out.find("b is 3.8e-01 of") != std::string::npos);
    // 1 and -(1 - 2^-53): 2^-53/sqrt(2) over sqrt(2).
    const std::string near =
        folder.write("n.mtx", array_banner + "3 1\n1\n-0.99999999999999988897769753748\n0\n");
    const result r = run({"solve", a, "--rhs", near});
    CHECK(r.out.find("b is 5.6e-17 of") != std::string::npos);
    CHECK(advice_of(r).find("--method lsmr") == 0);
    // Two null vectors, (1, -1, 0, 0) and (0, 0, 1, -1): 1 over sqrt(2).
    const std::string two = folder.write("two.mtx", banner + "4 4 4\n1 1 1\n2 1 1\n3 2 1\n4 2 1\n");
    const std::string of_two = folder.write("t.mtx", array_banner + "4 1\n1\n0\n1\n0\n");
    CHECK(run({"solve", two, "--rhs", of_two}).out.find("b is 7.1e-01 of") != std::string::npos);
}
