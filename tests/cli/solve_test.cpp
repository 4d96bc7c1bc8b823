// ddla solve: exit status, tables, reports, files.
#include "catch.hpp"
#include "process.hpp"
#include "support/json.hpp"
#include "support/patterns.hpp"

#include "ddla/generate.hpp"
#include "ddla/matrix_market.hpp"
#include "ddla/solve.hpp"
#include "ddla/text.hpp"

#include <cmath>

using namespace cli_test;
using json = nlohmann::json;

namespace {

/// An easy system, on which both precisions converge.
std::string easy(const scratch& folder)
{
    const std::string file = (folder / "easy.mtx").string();
    ddla::write_matrix(file, ddla::generate::random(300, 7, 0.5, 1));
    return file;
}

/// Double claims to converge and does not; double-double does.
std::string hard(const scratch& folder)
{
    const std::string file = (folder / "hard.mtx").string();
    ddla::write_matrix(file, ddla::generate::toeplitz(200, 1.9));
    return file;
}

json report_of(const scratch& folder, arguments options, int exit_status)
{
    if (std::find(options.begin(), options.end(), "--method") == options.end())
        options.insert(options.begin(), {"--method", "bicgstab"});
    options.insert(options.begin(), "solve");
    options.insert(options.end(), {"--report", (folder / "r.json").string()});
    const result r = run(options);
    INFO(r.out << r.err);
    CHECK(r.exit_status == exit_status);
    CHECK(r.err == "");
    return json::parse(read_file(folder / "r.json"));
}

void check_schema(const json& report)
{
    for (const char* key : {"rows", "columns", "nonzeros"})
        CHECK(report.at("matrix").at(key).is_number_integer());
    for (const json& solve : report.at("solves")) {
        for (const char* key : {"precision", "method", "precond", "place", "status"})
            CHECK(solve.at(key).is_string());
        for (const char* key : {"threads", "iterations", "bytes_per_iteration", "peak_bytes"})
            CHECK(solve.at(key).is_number_integer());
        for (const char* key : {"relative_residual", "true_relative_residual", "seconds",
                                "seconds_per_iteration", "copy_bytes_per_second", "share_of_copy"})
            CHECK((solve.at(key).is_number() || solve.at(key).is_null()));
        CHECK(test::is_match(solve.at("solution_hash").get<std::string>(), "[0-9a-f]{16}"));
    }
}

std::size_t widest_line(const std::string& text)
{
    std::size_t widest = 0, begin = 0;
    for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
        widest = std::max(widest, end - begin);
    return widest;
}

}  // namespace

TEST_CASE("solve converges with its defaults and says so")
{
    const scratch folder;
    const std::string a = easy(folder);
    const result r = run({"solve", "--method", "bicgstab", a});
    CHECK(r.exit_status == 0);
    CHECK(r.err == "");
    CHECK(r.out.find("easy.mtx: 300 x 300, 2100 nonzeros") != std::string::npos);
    CHECK(r.out.find("double-double reaches") != std::string::npos);
    CHECK(widest_line(r.out) <= 80);
}

TEST_CASE("the JSON report has the schema and the defaults")
{
    const scratch folder;
    const json report = report_of(folder, {easy(folder)}, 0);
    check_schema(report);
    CHECK(report["matrix"]["rows"] == 300);
    CHECK(report["matrix"]["columns"] == 300);
    CHECK(report["matrix"]["nonzeros"] == 2100);
    REQUIRE(report["solves"].size() == 1);
    const json& solve = report["solves"][0];
    CHECK(solve["precision"] == "dd");
    CHECK(solve["method"] == "bicgstab");
    CHECK(solve["precond"] == "none");
    CHECK(solve["place"] == "host");
    CHECK(solve["status"] == "converged");
    CHECK(solve["true_relative_residual"].get<double>() <= 1e-12);
    CHECK(solve["interrupted"] == false);
    CHECK(solve["breakdown"].is_null());
}

TEST_CASE("both precisions stand side by side")
{
    const scratch folder;
    const json report = report_of(folder, {hard(folder), "--precision", "both"}, 0);
    check_schema(report);
    REQUIRE(report["solves"].size() == 2);
    const json &fp64 = report["solves"][0], &dd = report["solves"][1];
    CHECK(fp64["precision"] == "double");
    CHECK(fp64["status"] != "converged");
    CHECK(dd["precision"] == "dd");
    CHECK(dd["status"] == "converged");

    const result r = run({"solve", "--method", "bicgstab", (folder / "hard.mtx").string(),
                          "--precision", "both", "--verbose"});
    CHECK(r.exit_status == 0);
    CHECK(test::has_match(r.out, "\n +double +double-double\n"));
    CHECK(r.out.find(fp64["solution_hash"]) != std::string::npos);
    CHECK(r.out.find(dd["solution_hash"]) != std::string::npos);
    CHECK(test::has_match(r.out, "\ndouble [^;]*;\\sdouble-double\\sreaches"));
    CHECK(widest_line(r.out) <= 80);
}

TEST_CASE("the peak memory is a number of bytes, and readable in the table")
{
    const scratch folder;
    const std::string a = easy(folder), file = (folder / "r.json").string();
    const result r = run(
        {"solve", "--method", "bicgstab", a, "--precision", "both", "--report", file, "--verbose"});
    CHECK(r.exit_status == 0);
    const json report = json::parse(read_file(file));
    // 2100 entries and 301 offsets, and at least b, x and six vectors of 300.
    const std::size_t matrix = 2100 * 12 + 301 * 8;
    CHECK(report["solves"][0]["peak_bytes"] >= matrix + 8 * 300 * 8);
    CHECK(report["solves"][1]["peak_bytes"] >= matrix + 8 * 300 * 16);
    CHECK(report["solves"][1]["peak_bytes"] < 2 * (matrix + 8 * 300 * 16));
    CHECK(test::has_match(r.out, "\n  peak memory +[0-9.]+ KiB +[0-9.]+ KiB\n"));

    const std::string large = (folder / "large.mtx").string();
    ddla::write_matrix(large, ddla::generate::poisson2d(100, 100));
    const result more =
        run({"solve", "--method", "bicgstab", large, "--max-iterations", "1", "--verbose"});
    CHECK(test::has_match(more.out, "\n  peak memory +[12][.][0-9] MiB\n"));
}

TEST_CASE("costs are in the table and in the report")
{
    const scratch folder;
    const std::string a = easy(folder), file = (folder / "r.json").string();
    const result r = run({"solve", "--method", "bicgstab", a, "--precision", "both", "--format",
                          "csr", "--report", file, "--verbose"});
    CHECK(r.exit_status == 0);
    for (const char* line :
         {"time per iteration( +[0-9.]+ (us|ms|s)){2}", "bytes per iteration +98.5 KiB +143.0 KiB",
          "share of copy speed( +[0-9]+ %){2}"}) {
        INFO(line << " in\n" << r.out);
        CHECK(test::has_match(r.out, "\n  " + std::string(line) + "\n"));
    }
    const json report = json::parse(read_file(file));
    for (int words : {1, 2}) {
        const json& solve = report["solves"][std::size_t(words - 1)];
        // 2100 entries, 301 offsets, twice; 19 vectors of 300.
        const int bytes = 2 * (2100 * 12 + 301 * 8) + 19 * 300 * 8 * words;
        const double time = solve["seconds_per_iteration"], copy = solve["copy_bytes_per_second"];
        CHECK(solve["bytes_per_iteration"] == bytes);
        CHECK(time * solve["iterations"].get<double>() <= solve["seconds"].get<double>());
        CHECK(solve["share_of_copy"].get<double>() == Approx(bytes / time / copy));
    }
}

TEST_CASE("what was not measured is not told")
{
    const scratch folder;
    const std::string a = easy(folder), zero = (folder / "zero.mtx").string();
    ddla::write_vector(zero, ddla::vector<double>(300));
    const json quiet = report_of(folder, {a, "--quiet"}, 0)["solves"][0];
    CHECK(quiet["seconds_per_iteration"] > 0);
    CHECK(quiet["copy_bytes_per_second"].is_null());
    CHECK(quiet["share_of_copy"].is_null());
    const json none = report_of(folder, {a, "--rhs", zero}, 0)["solves"][0];
    CHECK(none["seconds_per_iteration"].is_null());
    CHECK(none["share_of_copy"].is_null());
    const result r = run({"solve", "--method", "bicgstab", a, "--rhs", zero, "--verbose"});
    for (const char* label : {"time per iteration ", "bytes per iteration", "share of copy speed"})
        CHECK(test::has_match(r.out, "\n  " + std::string(label) + " +-\n"));
}

TEST_CASE("a solve that does not converge ends with 1")
{
    const scratch folder;
    const std::string a = hard(folder);
    const json in_double = report_of(folder, {a, "--precision", "double"}, 1);
    CHECK(in_double["solves"][0]["status"] != "converged");
    const json limited = report_of(folder, {a, "--max-iterations", "3"}, 1);
    CHECK(limited["solves"][0]["status"] == "iteration_limit");
    CHECK(limited["solves"][0]["iterations"] == 3);
    const result r = run({"solve", "--method", "bicgstab", a, "--max-iterations", "3"});
    CHECK(r.out.find("after 3 iterations") != std::string::npos);
}

TEST_CASE("a breakdown is a status, not an error")
{
    const scratch folder;
    // (r0, A r0) is 0 at the first step.
    const std::string a = folder.write("turn.mtx", "%%MatrixMarket matrix coordinate real general\n"
                                                   "2 2 2\n1 2 1\n2 1 -1\n");
    const json report = report_of(folder, {a}, 1);
    CHECK(report["solves"][0]["status"] == "breakdown");
    CHECK(report["solves"][0]["breakdown"].is_string());
    const result r = run({"solve", "--method", "bicgstab", a});
    CHECK(test::has_match(r.out, "double-double breaks down at .*: .* is 0\\."));
}

TEST_CASE("numbers past the range of double are a status, not an error")
{
    const scratch folder;
    const std::string a = folder.write("huge.mtx", "%%MatrixMarket matrix coordinate real general\n"
                                                   "2 2 4\n1 1 1e308\n1 2 1e308\n"
                                                   "2 1 -1e308\n2 2 1e308\n");
    const json report = report_of(folder, {a}, 1);
    CHECK(report["solves"][0]["status"] == "not_finite");
    CHECK(report["solves"][0]["breakdown"].is_string());
    CHECK(run({"solve", "--method", "bicgstab", a}).out.find("is not finite") != std::string::npos);
}

TEST_CASE("after a failure a note says what may help")
{
    const scratch folder;
    const std::string a = (folder / "t.mtx").string();
    ddla::write_matrix(a, ddla::generate::toeplitz(50, 1.5));
    const result cg = run({"solve", a, "--method", "cg", "--max-iterations", "9"});
    CHECK(cg.out.find("Note: A is not symmetric") != std::string::npos);
    CHECK(cg.out.find("try: --method auto") != std::string::npos);
    CHECK(run({"solve", "--method", "bicgstab", easy(folder)}).out.find("Note:") ==
          std::string::npos);
}

TEST_CASE("the number of threads never changes a bit")
{
    const scratch folder;
    const std::string a = easy(folder);
    const json one = report_of(folder, {a, "--precision", "both", "--threads", "1"}, 0);
    const json three = report_of(folder, {a, "--precision", "both", "--threads", "3"}, 0);
    CHECK(one["solves"][0]["solution_hash"] == three["solves"][0]["solution_hash"]);
    CHECK(one["solves"][1]["solution_hash"] == three["solves"][1]["solution_hash"]);
    CHECK(three["solves"][1]["threads"] == 3);
}

TEST_CASE("the solution file holds every bit")
{
    const scratch folder;
    const std::string a = easy(folder), x = (folder / "x.mtx").string();
    const json dd = report_of(folder, {a, "--output", x}, 0);
    const auto hash = ddla::hash_of(ddla::read_vector<ddla::dd_real>(x));
    CHECK(std::stoull(dd["solves"][0]["solution_hash"].get<std::string>(), nullptr, 16) == hash);

    const json both = report_of(folder, {a, "--precision", "both", "--output", x}, 0);
    CHECK(hash == ddla::hash_of(ddla::read_vector<ddla::dd_real>(x)));

    const json fp64 = report_of(folder, {a, "--precision", "double", "--output", x}, 0);
    CHECK(std::stoull(fp64["solves"][0]["solution_hash"].get<std::string>(), nullptr, 16) ==
          ddla::hash_of(ddla::read_vector<double>(x)));
}

TEST_CASE("right-hand sides: ones, A*ones, a file")
{
    const scratch folder;
    const std::string a = easy(folder), x = (folder / "x.mtx").string();
    report_of(folder, {a, "--rhs", "A*ones", "--output", x, "--tol", "1e-25"}, 0);
    const auto ones = ddla::read_vector<ddla::dd_real>(x);
    for (ddla::index_t i = 0; i < ones.size(); ++i)
        CHECK(std::abs((ones[i] - ddla::dd_real(1)).hi) < 1e-22);

    const std::string b = (folder / "b.mtx").string();
    ddla::write_vector(b, ddla::vector<double>(300, 1.0));
    const json by_word = report_of(folder, {a, "--rhs", "ones"}, 0);
    const json by_file = report_of(folder, {a, "--rhs", b}, 0);
    CHECK(by_word["solves"][0]["solution_hash"] == by_file["solves"][0]["solution_hash"]);
}

TEST_CASE("a guess is where the solve starts")
{
    const scratch folder;
    const std::string a = easy(folder), x = (folder / "x.mtx").string();
    report_of(folder, {a, "--output", x, "--tol", "1e-20"}, 0);
    const json again = report_of(folder, {a, "--guess", x}, 0);
    CHECK(again["solves"][0]["iterations"] == 0);
}

TEST_CASE("decimal values can be read in double-double")
{
    const scratch folder;
    const std::string a =
        folder.write("third.mtx", "%%MatrixMarket matrix coordinate real general\n"
                                  "1 1 1\n1 1 0.1\n");
    const std::string x = (folder / "x.mtx").string();
    report_of(folder, {a, "--values", "dd", "--tol", "1e-30", "--output", x}, 0);
    const auto wide = ddla::read_vector<ddla::dd_real>(x);
    CHECK(std::abs((wide[0] - ddla::dd_real(10)).hi) < 1e-28);
    report_of(folder, {a, "--tol", "1e-30", "--output", x}, 0);
    const auto rounded = ddla::read_vector<ddla::dd_real>(x);
    CHECK(std::abs((rounded[0] - ddla::dd_real(10)).hi) > 1e-17);
}

TEST_CASE("the history has a line for each iteration")
{
    const scratch folder;
    const std::string h = (folder / "h.csv").string();
    const json report = report_of(folder, {easy(folder), "--precision", "both", "--history", h}, 0);
    const std::string csv = read_file(h);
    CHECK(csv.rfind("precision,iteration,relative_residual\ndouble,0,1\n", 0) == 0);
    CHECK(csv.find("\ndd,0,1\n") != std::string::npos);
    const auto lines = std::count(csv.begin(), csv.end(), '\n');
    CHECK(lines == 3 + report["solves"][0]["iterations"].get<int>() +
                       report["solves"][1]["iterations"].get<int>());
    CHECK(test::is_match(csv, "precision,iteration,relative_residual\n"
                              "((double|dd),[0-9]+,[0-9.e+-]+\n)+"));
}

TEST_CASE("--quiet prints nothing and still writes")
{
    const scratch folder;
    const std::string file = (folder / "r.json").string();
    const result r =
        run({"solve", "--method", "bicgstab", easy(folder), "--quiet", "--report", file});
    CHECK(r.exit_status == 0);
    CHECK(r.out == "");
    CHECK(r.err == "");
    CHECK(json::parse(read_file(file))["solves"].size() == 1);
}

TEST_CASE("an existing output is replaced, and nothing else is left")
{
    const scratch folder;
    const std::string a = easy(folder);
    folder.write("r.json", "old");
    folder.write("x.mtx", "old");
    report_of(folder, {a, "--output", (folder / "x.mtx").string()}, 0);
    CHECK(read_file(folder / "x.mtx") != "old");
    CHECK(folder.files() == 3);
}

TEST_CASE("a report can go to a pipe or a device file")
{
    const scratch folder;
    const result r =
        run({"solve", "--method", "bicgstab", easy(folder), "--quiet", "--report", "/dev/stdout"});
    CHECK(r.exit_status == 0);
    check_schema(json::parse(r.out));
}

TEST_CASE("b = 0 is solved by x = 0")
{
    const scratch folder;
    const std::string b = (folder / "b.mtx").string();
    ddla::write_vector(b, ddla::vector<double>(300));
    const json report = report_of(folder, {easy(folder), "--rhs", b}, 0);
    CHECK(report["solves"][0]["iterations"] == 0);
}
