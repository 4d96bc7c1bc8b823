// Inputs of the kinds that users of other programs reported, as those users would try them:
// validation/cases/README.md has the sources.
#include "advice.hpp"
#include "catch.hpp"
#include "failures.hpp"
#include "process.hpp"

using namespace cli_test;

namespace {

std::string file(const std::string& name)
{
    return DDLA_CASES "/" + name;
}

arguments solve(const std::string& name, const std::string& b = "", const arguments& options = {})
{
    arguments line{"solve", file(name + ".mtx")};
    if (!b.empty()) line.insert(line.end(), {"--rhs", file(b + ".mtx")});
    line.insert(line.end(), options.begin(), options.end());
    return line;
}

void check_refused(const result& r, const std::string& sentence)
{
    check_failure_of("ddla", r, 2, {sentence});
}

/// Line breaks are those of the width.
bool says(const result& r, const std::string& sentence)
{
    std::string text = r.out;
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text.find(sentence) != std::string::npos;
}

}  // namespace

TEST_CASE("public reports: files that are refused say where, and what is wanted")
{
    check_refused(run(solve("near-largest", "near-largest-inf.b")),
                  "near-largest-inf.b.mtx:3: value 'Inf' is not a finite number");
    check_refused(run(solve("skew-array-with-diagonal")),
                  "skew-array-with-diagonal.mtx:4: one value too many: a skew-symmetric array of "
                  "2 x 2 has 1, those below the diagonal");
    check_refused(run(solve("size-line-of-two")),
                  "size-line-of-two.mtx:2: the size line has 2 words, not 3: rows, columns, "
                  "entries");
    check_refused(run(solve("fewer-entries")),
                  "fewer-entries.mtx:4: the file ends after 2 entries: the size line declares 3");
    check_refused(run(solve("no-header")),
                  "no-header.mtx:1: the first line begins with '2', not with %%MatrixMarket: such "
                  "a file needs a first line like \"%%MatrixMarket matrix coordinate real "
                  "general\"");
}

TEST_CASE("public reports: the line that a message asks for makes the file readable")
{
    const scratch folder;
    const std::string text = read_file(file("no-header.mtx"));
    const std::string a =
        folder.write("a.mtx", "%%MatrixMarket matrix coordinate real general\n" + text);
    CHECK(run({"solve", a}).exit_status == 0);
}

TEST_CASE("public reports: blanks before the header are read over")
{
    const result r = run(solve("spaces-before-header"));
    CHECK(r.exit_status == 0);
    CHECK(says(r, "double-double has 31 digits right"));
}

TEST_CASE("public reports: the rows and columns that a singular matrix lacks are named")
{
    const struct {
        const char *name, *sentence;
    } all[] = {
        {"last-diagonal-zero", "of rank 3. Rank: row 4 is zero; column 4 is zero."},
        {"empty-row-and-column", "of rank 2. Rank: row 2 is zero; column 2 is zero."},
        {"constraint-twice", "of rank 3. Rank: a combination of rows 3, 4 is zero; a combination "
                             "of columns 3, 4 is zero."},
        {"equal-rows", "of rank 3. Rank: a combination of rows 1, 2 is zero; a combination of "
                       "columns 1, 2 is zero."},
        {"stored-zeros", "of rank 2. Rank: a combination of rows 1, 2, 3 is zero; a combination "
                         "of columns 1, 2 is zero."},
        {"cycle-of-four", "of rank 3. Rank: a combination of rows 1, 2, 3, 4 is zero; a "
                          "combination of columns 1, 2, 3, 4 is zero."},
        {"identity-with-corners", "of rank 5. Rank: a combination of rows 1, 6 is zero; a "
                                  "combination of columns 1, 6 is zero."},
        {"entries-in-parts", "of rank 2. Rank: row 3 is zero; column 3 is zero."},
    };
    for (const auto& [name, sentence] : all) {
        INFO(name);
        const result r = run(solve(name, std::string(name) + ".b"));
        CHECK(r.exit_status == 0);
        CHECK(says(r, std::string("by one of many x: A is singular, ") + sentence));
    }
}

TEST_CASE("public reports: a b that no x reaches ends with 1, and least squares help")
{
    const arguments line = solve("stored-zeros", "stored-zeros-other.b");
    const result r = run(line);
    CHECK(r.exit_status == 1);
    CHECK(says(r, "finds A singular, of rank 2, and no solution for this b"));
    CHECK(says(r, "b is 3.7e-02 of its norm from the range of A."));
    fails_then_succeeds(line, "--method lsmr");
    // And LSMR names the command that tells the rank.
    arguments least = line;
    least.insert(least.end(), {"--method", "lsmr"});
    const result found = run(least);
    CHECK(says(found, "double-double finds least squares"));
    CHECK(says(found,
               "digits, or the rank of a singular A: ddla solve " + line[1] + " --rhs " + line[3]));
}

TEST_CASE("public reports: the rank of a column without entries")
{
    const result r = run(solve("no-entries", "no-entries.b"));
    CHECK(r.exit_status == 0);
    CHECK(says(r, "Not factored: A has rank 0, less than its 1 columns."));
}

TEST_CASE("public reports: what is beyond double-double is not claimed, and something helps")
{
    for (const char* const name : {"tiny-couplings", "smallest-pivot"}) {
        INFO(name);
        const arguments line = solve(name, std::string(name) + ".b");
        const result r = run(line);
        CHECK(r.exit_status == 1);
        CHECK(says(r, "double-double cannot be sure of the digits asked for"));
        CHECK(advice_of(r) ==
              "ddla-validate " + line[1] + " --rhs " + line[3] + ", which computes in more digits");
    }
}

TEST_CASE("public reports: nothing is said of zeros that were not looked for")
{
    // The exact x is (1, 0, ...), and the condition beyond what factors in double-double tell.
    const scratch folder;
    const std::string x = (folder / "x.mtx").string();
    const arguments line =
        solve("constraint-nearly-twice", "constraint-nearly-twice.b", {"--output", x});
    const result r = run(line);
    CHECK(r.exit_status == 1);
    CHECK_FALSE(says(r, "it is not zero"));
    CHECK(says(r, "too little of x settled to tell whether it is zero"));
    const result checked = run({"check", line[1], x, "--rhs", line[3]});
    CHECK(checked.exit_status == 1);
    CHECK_FALSE(says(checked, "it is not zero"));
}

TEST_CASE("public reports: methods for symmetric matrices say so of one that is not")
{
    const result r = run(
        solve("not-symmetric", "not-symmetric.b", {"--method", "cg", "--max-iterations", "50"}));
    CHECK(r.exit_status == 1);
    CHECK(says(r, "Note: A is not symmetric, which CG needs."));
    check_refused(
        run(solve("not-symmetric", "not-symmetric.b", {"--method", "cg", "--precond", "ic"})),
        "IC(0) needs a symmetric matrix, but entry (2, 1) differs from entry (1, 2)");
}

TEST_CASE("decimals that make A singular, in double-double: least squares are left")
{
    const scratch folder;
    // Row 2 is three times row 1 as written, not as rounded; the condition is beyond 1e32.
    const std::string a =
        folder.write("a.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 9\n"
                              "1 1 0.1\n1 2 0.2\n1 3 0.7\n2 1 0.3\n2 2 0.6\n2 3 2.1\n"
                              "3 1 0.5\n3 2 0.9\n3 3 0.4\n");
    const arguments line{"solve", a, "--values", "dd"};
    CHECK(says(run(line), "double-double cannot be sure of the digits asked for"));
    fails_then_succeeds(line, "--method lsmr");
}
