// Every end that is a failure says what to try next, and that helps.
#include "advice.hpp"

#include "ddla/generate.hpp"
#include "ddla/matrix_market.hpp"

using namespace cli_test;

namespace {

std::string toeplitz(const scratch& folder, ddla::index_t n = 200, double gamma = 1.9)
{
    const std::string file = (folder / "t.mtx").string();
    ddla::write_matrix(file, ddla::generate::toeplitz(n, gamma));
    return file;
}

const std::string header = "%%MatrixMarket matrix coordinate real general\n";
const std::string singular = header + "2 2 4\n1 1 1\n1 2 2\n2 1 2\n2 2 4\n";
/// The more rows, the harder.
std::string hilbert(const scratch& folder, ddla::index_t n)
{
    const std::string file = (folder / ("h" + std::to_string(n) + ".mtx")).string();
    ddla::write_matrix(file, ddla::generate::hilbert_like<double>(n, n));
    return file;
}

}  // namespace

TEST_CASE("a success needs no advice")
{
    const scratch folder;
    const std::string a = toeplitz(folder), x = (folder / "x.mtx").string();
    CHECK(advice_of(run({"solve", a, "--output", x})) == "");
    CHECK(advice_of(run({"check", a, x})) == "");
}

TEST_CASE("at the floor: more words")
{
    const scratch folder;
    const std::string a = toeplitz(folder);
    fails_then_succeeds({"solve", a, "--precision", "double", "--tol", "1e-25"}, "--precision dd");
    fails_then_succeeds({"solve", a, "--tol", "1e-50"}, "--solution-words 4");
    fails_then_succeeds({"solve", a, "--tol", "1e-90", "--solution-words", "4"}, "--tol ");
}

TEST_CASE("another method gets a line of its own where it refuses an option of this one")
{
    const scratch folder;
    const std::string a = toeplitz(folder);
    const arguments line{"solve", a, "--method", "bicgstabl", "--max-iterations", "2"};
    fails_then_succeeds(line, "--method auto, which factors A and refines x");
    arguments with_l = line;
    with_l.insert(with_l.end(), {"--l", "4"});
    CHECK(advice_of(run(with_l)) ==
          "ddla solve " + a + " --method auto, which factors A and refines x");
    CHECK(run({"solve", a, "--method", "auto"}).exit_status == 0);
}

TEST_CASE("singular: least squares")
{
    const scratch folder;
    const std::string a = folder.write("s.mtx", singular);
    fails_then_succeeds({"solve", a}, "--method lsmr");
    const std::string x = (folder / "x.mtx").string();
    ddla::write_vector(x, ddla::vector<double>{1, 1});
    const std::string said = advice_of(run({"check", a, x}));
    CHECK(said == "ddla solve " + a + " --method lsmr, which finds least squares");
    const std::string b =
        folder.write("b.mtx", "%%MatrixMarket matrix array real general\n2 1\n1\n3\n");
    CHECK(advice_of(run({"check", a, x, "--rhs", b})) ==
          "ddla solve " + a + " --rhs " + b + " --method lsmr, which finds least squares");
    const std::string tall =
        folder.write("r.mtx", header + "3 2 6\n1 1 1\n1 2 2\n2 1 2\n2 2 4\n3 1 3\n3 2 6\n");
    CHECK(advice_of(run({"check", tall, x})) ==
          "ddla solve " + tall + " --method lsmr, which finds least squares");
}

TEST_CASE("factors past their limits: higher limits")
{
    const scratch folder;
    const std::string a = toeplitz(folder), x = (folder / "x.mtx").string();
    fails_then_succeeds({"solve", a, "--method", "refine", "--most-work", "1e-7"}, "--most-work 4");
    fails_then_succeeds({"solve", a, "--method", "refine", "--most-memory", "9999"},
                        "--most-memory 8589934592");
    CHECK(run({"solve", a, "--output", x}).exit_status == 0);
    fails_then_succeeds({"solve", a, "--method", "gmres", "--precond", "lu", "--most-work", "1e-7"},
                        "--most-work 4");
    for (const char* const kind : {"ilut", "block_jacobi"})
        fails_then_succeeds(
            {"solve", a, "--method", "gmres", "--precond", kind, "--most-work", "1e-7"},
            "--most-work 4");
    fails_then_succeeds(
        {"solve", a, "--method", "gmres", "--precond", "ilu", "--most-memory", "999"},
        "--most-memory 8589934592");
    const result check = run({"check", a, x, "--most-work", "1e-7"});
    CHECK(check.exit_status == 3);
    CHECK(advice_of(check) == "--most-work 4");
    CHECK(run({"check", a, x, "--most-work", "4"}).exit_status == 0);
    // Automatic solves iterate then; where that fails, too, factors may be what helps.
    const std::string grid = (folder / "p.mtx").string();
    ddla::write_matrix(grid, ddla::generate::poisson2d(30, 30));
    fails_then_succeeds({"solve", grid, "--most-work", "1e-6", "--max-iterations", "3"},
                        "--most-work 4, for factors");
}

TEST_CASE("conditions past their limit: a higher one")
{
    // Factors of three diagonals take few multiplications, conditions more than 16 times as many.
    const scratch folder;
    constexpr ddla::index_t n = 60'000;
    ddla::coordinates<double> all{.rows = n, .columns = n};
    for (ddla::index_t i = 0; i < n; ++i) {
        all.add(i, i, 4);
        if (i > 0) all.add(i, i - 1, -1);
        if (i + 1 < n) all.add(i, i + 1, -1);
    }
    const std::string a = (folder / "d.mtx").string();
    ddla::write_matrix(a, ddla::csr_matrix<double>(all));
    const arguments line{"solve", a, "--digits", "12", "--most-work", "1e-3"};
    CHECK(run(line).out.find("Not judged: conditions and bounds of errors need more work") !=
          std::string::npos);
    fails_then_succeeds(line, "--most-work 4");
}

TEST_CASE("iterations that end early: factors")
{
    const scratch folder;
    const std::string a = toeplitz(folder);
    for (const char* method : {"bicgstab", "idr", "bicgstabl", "gmres"})
        fails_then_succeeds({"solve", a, "--method", method, "--max-iterations", "3"},
                            "--method auto");
    fails_then_succeeds({"solve", a, "--method", "lsmr", "--max-iterations", "10"},
                        "--max-iterations 100");
    // Breakdown: (r0, v) = 0 for a rotation and b = ones.
    const std::string rotation = folder.write("r.mtx", header + "2 2 2\n1 2 -1\n2 1 1\n");
    const arguments breaks_down{"solve", rotation, "--method", "bicgstab"};
    CHECK(run(breaks_down).out.find("breaks down") != std::string::npos);
    fails_then_succeeds(breaks_down, "--method auto");
    // Stagnation: a cycle of one iteration brings nothing for the same matrix.
    const arguments gets_stuck{"solve", rotation, "--method", "gmres", "--restart", "1"};
    CHECK(run(gets_stuck).out.find("gets stuck") != std::string::npos);
    fails_then_succeeds(gets_stuck, "--restart 2");
}

TEST_CASE("numbers past the range of double: what scales, or has a larger range")
{
    const scratch folder;
    const std::string a = folder.write("a.mtx", header + "2 2 2\n1 1 1e-200\n2 2 1e-200\n");
    const std::string b =
        folder.write("b.mtx", "%%MatrixMarket matrix array real general\n2 1\n1e200\n1e200\n");
    CHECK(advice_of(run({"solve", a, "--rhs", b})) ==
          "ddla-validate " + a + " --rhs " + b + ", which computes in more digits");
    const std::string huge =
        folder.write("h.mtx", header + "2 2 4\n1 1 1e308\n1 2 1e308\n2 1 -1e308\n2 2 1e308\n");
    const result r = run({"solve", huge, "--method", "bicgstab"});
    CHECK(r.out.find("is not finite") != std::string::npos);
    CHECK(advice_of(r).find("--method auto") == 0);
}

TEST_CASE("too few digits: more words, then as many digits as are right")
{
    const scratch folder;
    const auto [a, b] = system_near_powers(folder);
    fails_then_succeeds({"solve", a, "--rhs", b, "--digits", "31"}, "--solution-words 4");
    fails_then_succeeds({"solve", a, "--rhs", b, "--digits", "60", "--solution-words", "4"},
                        "--digits 5");
}

TEST_CASE("too few digits: those that are asked for, by a solve")
{
    const scratch folder;
    const std::string a = hilbert(folder, 40);

    const std::string x = (folder / "x.mtx").string();
    CHECK(run({"solve", a, "--precision", "double", "--output", x}).exit_status == 0);
    const std::string said = advice_of(run({"check", a, x, "--digits", "20"}));
    CHECK(said == "ddla solve " + a + " --digits 20 --output x.mtx");
    CHECK(run({"solve", a, "--digits", "20", "--output", x}).exit_status == 0);
    CHECK(run({"check", a, x, "--digits", "20"}).exit_status == 0);
}

TEST_CASE("nothing that can be trusted: a reference in more digits")
{
    const scratch folder;
    const std::string a = nearly_singular(folder), x = (folder / "x.mtx").string();
    CHECK(advice_of(run({"solve", a, "--output", x})) ==
          "ddla-validate " + a + ", which computes in more digits");
    CHECK(advice_of(run({"check", a, x})) ==
          "ddla-validate " + a + " --solution " + x + ", which computes in more digits");
}

TEST_CASE("names of files come as a shell reads them")
{
    const scratch folder;
    const std::string a = folder.write("it's s.mtx", singular);
    const std::string x = (folder / "x.mtx").string();
    ddla::write_vector(x, ddla::vector<double>{1, 1});
    CHECK(advice_of(run({"check", a, x})).find("/it'\\''s s.mtx' --method lsmr") !=
          std::string::npos);
}
