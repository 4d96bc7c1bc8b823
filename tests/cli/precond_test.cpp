// Preconditioners of ddla solve: what building them took, and pivots that they do not have.
#include "advice.hpp"
#include "failures.hpp"
#include "support/json.hpp"
#include "support/patterns.hpp"

#include "ddla/generate.hpp"
#include "ddla/matrix_market.hpp"

using namespace cli_test;
using json = nlohmann::json;

namespace {

const std::string header = "%%MatrixMarket matrix coordinate real general\n";
/// No pivot without a matching.
const std::string exchange = header + "2 2 3\n1 2 1\n2 1 1\n2 2 0.5\n";
/// Positive definite, but IC(0) leaves 3 - 4/3 - 4/0.6 = -5 in row 4 (Kershaw 1978).
const std::string kershaw = header + "4 4 12\n1 1 3\n1 2 -2\n1 4 2\n2 1 -2\n2 2 3\n2 3 -2\n"
                                     "3 2 -2\n3 3 3\n3 4 -2\n4 1 2\n4 3 -2\n4 4 3\n";

json solve_of(const scratch& folder, arguments line)
{
    line.insert(line.begin(), "solve");
    line.insert(line.end(), {"--report", (folder / "r.json").string()});
    const result r = run(line);
    INFO(r.out << r.err);
    CHECK(r.exit_status == 0);
    return json::parse(read_file(folder / "r.json"))["solves"][0];
}

/// The cell of a line of the table.
std::string cell(const std::string& table, const std::string& label)
{
    const auto found = test::matches_in(table, "\n  " + label + "  +(.*)");
    return found.empty() ? "" : found.front()[1];
}

}  // namespace

TEST_CASE("a refused pivot is named with its row, and shifting it helps")
{
    const scratch folder;
    const std::string a = folder.write("exchange.mtx", exchange);
    const std::string k = folder.write("kershaw.mtx", kershaw);
    for (const char* const kind : {"ilu", "ilut"}) {
        const arguments line{"solve", a,         "--method", "gmres",    "--precond",
                             kind,    "--match", "none",     "--pivots", "refuse"};
        const result refused = run(line);
        INFO(refused.err);
        CHECK(refused.exit_status == 2);
        CHECK(refused.out == "");
        CHECK(refused.err.find(a) != std::string::npos);
        CHECK(refused.err.find("row 1 is zero") != std::string::npos);
        fails_then_succeeds(line, "--pivots shift");
    }
    const arguments line{"solve", k, "--method", "cg", "--precond", "ic", "--pivots", "refuse"};
    const result refused = run(line);
    INFO(refused.err);
    CHECK(refused.exit_status == 2);
    CHECK(refused.err.find("no pivot in row 4, where elimination leaves -1.667 of the row's") !=
          std::string::npos);
    fails_then_succeeds(line, "--pivots shift");
}

TEST_CASE("a shifted pivot is in the report, with its row")
{
    const scratch folder;
    const std::string a = folder.write("exchange.mtx", exchange);
    const arguments line{a,         "--method", "gmres",   "--precond", "ilu",
                         "--match", "none",     "--scale", "none"};
    const json built = solve_of(folder, line)["preconditioner"];
    CHECK(built["name"] == "ilu");
    CHECK(built["shifts"] == 1);
    CHECK(built["bad_row"] == 1);
    CHECK(built["smallest_pivot"] == 0x1p-16);
    CHECK(built["smallest_pivot_row"] == 1);
    arguments shown = line;
    shown.insert(shown.begin(), {"solve", "--verbose"});
    const std::string table = run(shown).out;
    INFO(table);
    CHECK(cell(table, "pivots shifted") == "1, first row 1");
    CHECK(cell(table, "smallest pivot") == "1.5e-05, row 1");
}

TEST_CASE("what IC cannot factor is said with the row")
{
    const scratch folder;
    const auto ic = [](const std::string& file) {
        return arguments{"solve", file, "--method", "cg", "--precond", "ic"};
    };
    const std::string differs =
        folder.write("differs.mtx", header + "2 2 4\n1 1 2\n1 2 1\n2 1 -1\n2 2 2\n");
    check_failure_of("ddla", run(ic(differs)), 2,
                     {"symmetric", "entry (2, 1) differs from entry (1, 2)", "take ILU"});
    const std::string absent = folder.write("absent.mtx", header + "2 2 3\n1 1 2\n1 2 1\n2 2 2\n");
    check_failure_of("ddla", run(ic(absent)), 2,
                     {"symmetric", "entry (1, 2) is stored, not entry (2, 1)", "take ILU"});
    const std::string negative =
        folder.write("negative.mtx", header + "3 3 3\n1 1 2\n2 2 -1\n3 3 1\n");
    const result refused = run(ic(negative));
    INFO(refused.err);
    CHECK(refused.exit_status == 2);
    CHECK(refused.err.find("the diagonal entry of row 2 is -1") != std::string::npos);
    fails_then_succeeds(ic(negative), "--method bicgstab --precond ilu");
    const std::string far =
        folder.write("far.mtx", header + "2 2 4\n1 1 1\n1 2 1e6\n2 1 1e6\n2 2 1\n");
    const result hopeless = run(ic(far));
    INFO(hopeless.err);
    CHECK(hopeless.err.find("no pivot in row 2, nor any with 1024 times the diagonal") !=
          std::string::npos);
    fails_then_succeeds(ic(far), "--method bicgstab --precond ilu");
}

TEST_CASE("reports say what each preconditioner took")
{
    const scratch folder;
    const std::string a = (folder / "p.mtx").string();
    ddla::write_matrix(a, ddla::generate::poisson2d(20, 20));
    const auto built = [&](const char* kind, arguments more = {}) {
        more.insert(more.begin(), {a, "--method", "gmres", "--precond", kind});
        return solve_of(folder, more)["preconditioner"];
    };
    CHECK(built("none").is_null());
    CHECK(built("jacobi").is_null());
    for (const char* const kind : {"lu", "ilu", "ilut", "ic", "block_jacobi"}) {
        INFO(kind);
        const json k = built(kind);
        CHECK(k["name"] == kind);
        CHECK(k["seconds"].get<double>() > 0);
        CHECK(k["bytes"].get<double>() > 400 * 8);
        CHECK(k["fill"].get<double>() > 0.5);
        CHECK(k["operations"].get<double>() > 0);
        CHECK(k["smallest_pivot"].get<double>() > 0);
        CHECK(k["smallest_pivot_row"].get<int>() > 0);
        CHECK(k["shifts"] == 0);
        CHECK(k["bad_row"].is_null());
    }
    CHECK(built("ilu")["fill"] == 1);
    CHECK(built("ilu", {"--fill", "2"})["fill"].get<double>() > 1.2);
    const json polynomial = built("polynomial");
    CHECK(polynomial["fill"].is_null());
    CHECK(polynomial["smallest_pivot"] == 4);
    // Automatic solves that iterate: the last one.
    CHECK(solve_of(folder, {a, "--most-work", "1e-9"})["preconditioner"]["name"] == "ic");
    const json refining = solve_of(folder, {a, "--method", "refine", "--precond", "ilu"});
    CHECK(refining["preconditioner"]["name"] == "ilu");
    CHECK(refining["preconditioner"]["fill"] == 1);
    CHECK(solve_of(folder, {a})["preconditioner"].is_null());
}

TEST_CASE("the table says what a preconditioner took, for both precisions and several columns")
{
    const scratch folder;
    const std::string a = (folder / "p.mtx").string(), b = (folder / "b.mtx").string();
    ddla::write_matrix(a, ddla::generate::poisson2d(10, 10));
    const ddla::vector<double> one(100, 1.0);
    ddla::write_vectors(b, std::vector{one, one});
    const arguments line{"solve", a, "--method", "bicgstab", "--precond", "ilu", "--verbose"};
    for (const arguments& more : {arguments{"--precision", "both"}, arguments{"--rhs", b}}) {
        arguments all = line;
        all.insert(all.end(), more.begin(), more.end());
        const std::string table = run(all).out;
        INFO(table);
        for (const char* const label :
             {"preconditioner built", "preconditioner memory", "smallest pivot", "pivots shifted"})
            CHECK(cell(table, label) != "");
        CHECK(cell(table, "fill, over A").substr(0, 4) == "1.00");
    }
    const std::string plain = run({"solve", a, "--method", "bicgstab", "--verbose"}).out;
    CHECK(cell(plain, "preconditioner built") == "");
}

TEST_CASE("polynomials of the command: which one, of which degree")
{
    const scratch folder;
    const std::string a = (folder / "p.mtx").string();
    ddla::write_matrix(a, ddla::generate::poisson2d(30, 30));
    const auto iterations = [&](const char* which, const char* degree) {
        return solve_of(folder, {a, "--method", "cg", "--precond", "polynomial", "--polynomial",
                                 which, "--degree", degree})["iterations"]
            .get<int>();
    };
    CHECK(iterations("chebyshev", "6") < iterations("neumann", "6"));
    CHECK(iterations("chebyshev", "6") < iterations("chebyshev", "2"));
    check_failure_of("ddla", run({"solve", a, "--degree", "-1"}), 2, {"--degree"});
    check_failure_of("ddla", run({"solve", a, "--pivots", "drop"}), 2,
                     {"--pivots", "shift, refuse"});
}
