// `ddla solve` by its default method, and `ddla check`: what they say and how they end.
#include "catch.hpp"
#include "process.hpp"
#include "support/json.hpp"

#include "ddla/generate.hpp"
#include "ddla/matrix_market.hpp"

#include <cstdio>
#include <sstream>
#include <utility>
#include <vector>

using namespace cli_test;
using nlohmann::json;

namespace {

const char* const singular = "%%MatrixMarket matrix coordinate real general\n"
                             "2 2 4\n1 1 1\n1 2 2\n2 1 2\n2 2 4\n";

std::string toeplitz(const scratch& folder)
{
    const std::string file = (folder / "t.mtx").string();
    ddla::write_matrix(file, ddla::generate::toeplitz(200, 1.9));
    return file;
}

json report_of(const scratch& folder, arguments options, int exit_status)
{
    options.insert(options.end(), {"--report", (folder / "r.json").string()});
    const result r = run(options);
    INFO(r.out << r.err);
    CHECK(r.exit_status == exit_status);
    CHECK(r.err == "");
    return json::parse(read_file(folder / "r.json"));
}

}  // namespace

TEST_CASE("solve says how many digits are right")
{
    const scratch folder;
    const std::string a = toeplitz(folder);
    const result r = run({"solve", a, "--precision", "both", "--verbose"});
    CHECK(r.exit_status == 0);
    for (const char* text :
         {"Auto, 12 right digits of every component, b = ones", "digits right", "condition (Skeel)",
          "Plan, double-double:", "factor in double", "refine", "digits right, as estimated"})
        CHECK(r.out.find(text) != std::string::npos);
    const json solves = report_of(folder, {"solve", a, "--precision", "both"}, 0)["solves"];
    REQUIRE(solves.size() == 2);
    for (const json& solve : solves) {
        CHECK(solve["method"] == "auto");
        CHECK(solve["goal"] == "digits");
        CHECK(solve["digits"] >= 12);
        CHECK(solve["tolerance"].is_null());
        CHECK(solve["forward_error_trusted"] == true);
        CHECK(solve["plan"].size() >= 2);
        CHECK(solve["plan"][0]["stage"] == "factor in double");
        CHECK(solve["condition"]["value"] >= 1);
        CHECK(solve["rank"].is_null());
    }
    CHECK(solves[1]["digits"] > 25);
}

TEST_CASE("the text of a solve with factors has each estimate of the JSON")
{
    const scratch folder;
    const std::string a = toeplitz(folder), x = (folder / "x.mtx").string();
    const std::string report = (folder / "r.json").string();
    const result solved = run({"solve", a, "--output", x, "--report", report, "--verbose"});
    const json solve = json::parse(read_file(report))["solves"][0];
    const std::string checked = run({"check", a, x, "--verbose"}).out;
    const auto shown = [](const std::string& text, const std::string& label) {
        const std::size_t at = text.find("\n  " + label + "  ");
        REQUIRE(at != std::string::npos);
        std::istringstream line(text.substr(at + 3 + label.size()));
        std::string cell;
        line >> cell;
        return cell;
    };
    const std::vector<std::pair<const char*, json>> lines = {
        {"error, each component", solve["forward_error_estimate"]["componentwise"]},
        {"error, normwise", solve["forward_error_estimate"]["normwise"]},
        {"backward error", solve["componentwise_backward_error"]},
        {"backward error, omega1", solve["omega1"]},
        {"backward error, omega2", solve["omega2"]},
        {"pivot growth", solve["pivot_growth"]},
        {"condition (Skeel)", solve["condition"]["value"]},
        {"condition (kappa_1)", solve["condition_1"]["value"]}};
    for (const auto& [label, value] : lines) {
        INFO(label);
        char text[32];
        std::snprintf(text, sizeof text, "%.1e", value.get<double>());
        CHECK(shown(solved.out, label) == text);
        if (std::string(label).substr(0, 5) != "error") CHECK(shown(checked, label) != "-");
    }
    CHECK(solve["pivot_growth"] > 0);
}

TEST_CASE("the fields of factors are null where there are none")
{
    const scratch folder;
    const json report = report_of(folder, {"solve", toeplitz(folder), "--method", "bicgstab"}, 0);
    const json& solve = report["solves"][0];
    CHECK(solve["goal"] == "residual");
    CHECK(solve["plan"].empty());
    for (const char* field : {"digits", "backward_error", "componentwise_backward_error", "omega1",
                              "omega2", "condition", "condition_1", "data_digits", "rank"})
        CHECK(solve[field].is_null());
    CHECK(solve["forward_error_trusted"] == false);
}

TEST_CASE("a tolerance that storage does not allow is said to be so")
{
    const scratch folder;
    const json report = report_of(
        folder, {"solve", toeplitz(folder), "--precision", "double", "--tol", "1e-30"}, 1);
    CHECK(report["solves"][0]["status"] == "at_floor");
    const result r = run({"solve", toeplitz(folder), "--tol", "1e-60"});
    CHECK(r.exit_status == 1);
    CHECK(r.out.find("as small as rounding x allows") != std::string::npos);
}

TEST_CASE("a singular matrix is named, with its rank")
{
    const scratch folder;
    const std::string a = folder.write("s.mtx", singular);
    const json report = report_of(folder, {"solve", a}, 1);
    CHECK(report["solves"][0]["status"] == "singular");
    CHECK(report["solves"][0]["rank"]["value"] == 1);
    CHECK(report["solves"][0]["rank"]["consistent"] == false);
    const result r = run({"solve", a});
    CHECK(r.out.find("finds A singular, of rank 1") != std::string::npos);
}

TEST_CASE("a singular matrix is named where an x solves the system, too")
{
    const scratch folder;
    const std::string a = folder.write("s.mtx", singular);
    const std::vector<std::string> solve = {"solve", a, "--rhs", "A*ones"};
    const json report = report_of(folder, solve, 0);
    const json& rank = report["solves"][0]["rank"];
    CHECK(report["solves"][0]["status"] == "converged");
    CHECK(rank["value"] == 1);
    CHECK(rank["consistent"] == true);
    CHECK(rank["row_weights"].size() == rank["combined_rows"].size());
    CHECK(rank["column_weights"].size() == rank["combined_columns"].size());
    CHECK(rank["numerically_singular"] == true);
    const result r = run(solve);
    CHECK(r.out.find("by one of many x: A is singular, of rank 1") != std::string::npos);
    CHECK(r.out.find("Rank: a combination of rows 1, 2 is zero") != std::string::npos);
    CHECK(r.out.find("try:") == std::string::npos);
}

TEST_CASE("a matrix of full rank that is singular in double is said to be so")
{
    const scratch folder;
    const auto file = [&](const std::string& last) {
        return folder.write("n.mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n1\n1\n" +
                                         last + "\n");
    };
    const std::string said = "Numerically singular in double: some change of A by 5.6e-17 of its";
    const result r = run({"solve", file("1.0000000000000002")});
    CHECK(r.exit_status == 0);
    CHECK(r.out.find(said) != std::string::npos);
    const json report = report_of(folder, {"solve", file("1.0000000000001")}, 0);
    CHECK(report["solves"][0]["rank"]["numerically_singular"] == false);
    CHECK(run({"solve", file("1.0000000000001")}).out.find("Numerically") == std::string::npos);
}

TEST_CASE("limits of factors lead to iterations, or to a failure of refine")
{
    const scratch folder;
    const std::string a = toeplitz(folder);
    const json report = report_of(folder, {"solve", a, "--most-work", "1e-7"}, 0);
    CHECK(report["solves"][0]["goal"] == "residual");
    CHECK(report["solves"][0]["plan"].back()["stage"] == "bicgstab in double");
    CHECK(report["solves"][0]["limit"].get<std::string>().find("most_work") != std::string::npos);
    const result iterated = run({"solve", a, "--most-work", "1e-7", "--verbose"});
    CHECK(iterated.out.find("factor in double, too large") != std::string::npos);
    CHECK(iterated.out.find("Not factored: factors need more work than") != std::string::npos);
    CHECK(report_of(folder, {"solve", a}, 0)["solves"][0]["limit"].is_null());
    const result r = run({"solve", a, "--most-work", "1e-7", "--method", "refine"});
    CHECK(r.exit_status == 3);
    CHECK(r.err.find("most_work") != std::string::npos);
}

TEST_CASE("check tells right solutions from wrong ones")
{
    const scratch folder;
    const std::string a = toeplitz(folder), x = (folder / "x.mtx").string();
    CHECK(run({"solve", a, "--output", x, "--quiet"}).exit_status == 0);
    const json report = report_of(folder, {"check", a, x, "--digits", "25"}, 0);
    CHECK(report["passed"] == true);
    CHECK(report["digits_worst"] > 25);
    CHECK(report["histogram"].size() == 33);
    CHECK(report["forward_error_trusted"] == true);

    auto wrong = ddla::read_vector<ddla::dd_real>(x);
    wrong[41] = wrong[41] * ddla::dd_real(1 + 1e-4);
    ddla::write_vector(x, wrong);
    const result r = run({"check", a, x, "--verbose"});
    CHECK(r.exit_status == 1);
    CHECK(r.out.find("FAIL: 4.0 digits are right in each component") != std::string::npos);
    CHECK(r.out.find("  42 ") != std::string::npos);
    CHECK(run({"check", a, x, "--digits", "3"}).exit_status == 0);
    CHECK(run({"check", a, x, "--digits", "3", "--quiet"}).out == "");
}

TEST_CASE("four words of x are written with 64 digits, read back and judged")
{
    const scratch folder;
    const std::string a = toeplitz(folder), x = (folder / "x.mtx").string();
    const arguments four{"--solution-words", "4", "--digits", "55"};
    const auto with_four = [&](arguments options) {
        options.insert(options.end(), four.begin(), four.end());
        return options;
    };
    const json report =
        report_of(folder, with_four({"solve", a, "--tol", "1e-50", "--output", x}), 0);
    const json& solve = report["solves"][0];
    CHECK(solve["solution_words"] == 4);
    CHECK(solve["digits"] > 55);
    CHECK(solve["true_relative_residual"] < 1e-55);
    CHECK(ddla::read_four_words(x).second[3].hi != 0);
    CHECK(run(with_four({"solve", a, "--quiet"})).exit_status == 0);
    CHECK(run(with_four({"solve", a})).out.find("x in four words") != std::string::npos);

    const json checked = report_of(folder, with_four({"check", a, x}), 0);
    CHECK(checked["solution_words"] == 4);
    CHECK(checked["digits_worst"] > 55);
    CHECK(checked["histogram"].size() == 65);
    // In two words the same file has 31 digits.
    CHECK(run({"check", a, x, "--digits", "31"}).exit_status == 0);
    CHECK(report_of(folder, {"solve", a}, 0)["solves"][0]["solution_words"] == 2);

    // The guess is read in four words: no correction is left to add but noise.
    const json again = report_of(folder, with_four({"solve", a, "--guess", x}), 0);
    CHECK(again["solves"][0]["iterations"] < solve["iterations"]);
}

TEST_CASE("four words are refused where there are none")
{
    const scratch folder;
    const std::string a = toeplitz(folder);
    const auto refused = [&](const arguments& options, const char* why) {
        const result r = run(options);
        CHECK(r.exit_status == 2);
        CHECK(r.err.find(why) != std::string::npos);
    };
    refused({"solve", a, "--solution-words", "4", "--precision", "double"}, "in double");
    refused({"solve", a, "--solution-words", "4", "--method", "cg"}, "auto or refine");
    refused({"solve", a, "--solution-words", "3"}, "--solution-words");
    refused({"solve", a, "--digits", "32"}, "double-double has only 31");
    const result r = run({"solve", a, "--solution-words", "4", "--most-work", "1e-7"});
    CHECK(r.exit_status == 3);
    CHECK(r.err.find("most_work") != std::string::npos);
}

TEST_CASE("check cannot tell for a singular matrix")
{
    const scratch folder;
    const std::string a = folder.write("s.mtx", singular);
    const std::string x = (folder / "x.mtx").string();
    ddla::write_vector(x, ddla::vector<double>{1, 1});
    const result r = run({"check", a, x});
    CHECK(r.exit_status == 1);
    CHECK(r.out.find("UNKNOWN: A is singular") != std::string::npos);
}

TEST_CASE("check refuses what does not fit")
{
    const scratch folder;
    const std::string a = toeplitz(folder), x = (folder / "x.mtx").string();
    ddla::write_vector(x, ddla::vector<double>{1, 1});
    const result r = run({"check", a, x});
    CHECK(r.exit_status == 2);
    CHECK(r.err.find("2 numbers") != std::string::npos);
    CHECK(run({"check", a}).exit_status == 2);
    CHECK(run({"check", a, x, "--digits", "40"}).exit_status == 2);
}
