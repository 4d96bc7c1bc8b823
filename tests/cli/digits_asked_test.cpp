// Digits that are asked for are judged, refused, or said not to be judged.
#include "advice.hpp"
#include "support/json.hpp"

#include "ddla/generate.hpp"
#include "ddla/matrix_market.hpp"
#include "ddla/solve_options.hpp"

#include <cmath>

using namespace cli_test;
using nlohmann::json;

namespace {

std::string grid(const scratch& folder)
{
    const std::string file = (folder / "grid.mtx").string();
    ddla::write_matrix(file, ddla::generate::poisson2d(20, 20));
    return file;
}

const std::string singular = "%%MatrixMarket matrix coordinate real general\n"
                             "2 2 4\n1 1 1\n1 2 2\n2 1 2\n2 2 4\n";

/// Whether the text has it, in however many lines.
bool has(std::string text, const char* part)
{
    INFO(text);
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("digits are refused where only the residual is judged")
{
    const scratch folder;
    const std::string a = grid(folder);
    std::vector<arguments> methods = {{"refine", "--precond", "ilu"}};
    for (const auto& one : ddla::method_names)
        if (one.value != ddla::method::automatic) methods.push_back({std::string(one.name)});
    for (const arguments& method : methods) {
        arguments line{"solve", a, "--digits", "20", "--method"};
        line.insert(line.end(), method.begin(), method.end());
        const result refused = run(line);
        INFO(method.front() << refused.out);
        CHECK(refused.exit_status == 2);
        CHECK(refused.out == "");
        CHECK(has(refused.err, "20 digits were asked for, but with method "));
        line.erase(line.begin() + 2, line.begin() + 4);
        CHECK(run(line).exit_status == 0);
        line.emplace_back("--normwise");
        const result normwise = run(line);
        INFO(normwise.out);
        CHECK(normwise.exit_status == 2);
        CHECK(normwise.out == "");
        CHECK(has(normwise.err, "normwise digits were asked for, but with method "));
    }
}

TEST_CASE("an automatic solve that iterates names the goal it judged")
{
    const scratch folder;
    const std::string a = grid(folder), report = (folder / "r.json").string();
    const arguments small{"solve", a, "--most-work", "1e-8", "--report", report};
    const result without = run(small);
    CHECK(without.exit_status == 0);
    CHECK(has(without.out, "Auto, tolerance 1e-12 of the residual alone, b = ones"));
    CHECK(has(without.out, "; only the residual was judged."));
    CHECK(json::parse(read_file(report))["solves"][0]["goal"] == "residual");

    arguments line = small;
    line.insert(line.end(), {"--digits", "12"});
    const result asked = run(line);
    CHECK(asked.exit_status == 1);
    CHECK(has(asked.out, "Auto, tolerance 1e-12 of the residual alone, not the 12 digits asked "
                         "for, b = ones"));
    CHECK(has(asked.out, "  residual only "));
    CHECK(has(asked.out, ", but 12 digits were asked for, and only the residual was judged"));
    const json solve = json::parse(read_file(report))["solves"][0];
    CHECK(solve["status"] == "residual_only");
    CHECK(solve["goal"] == "residual");
    CHECK(solve["digits"].is_null());
    CHECK(advice_of(asked).find("--most-work ") == 0);
    fails_then_succeeds({"solve", a, "--most-work", "4e-8", "--digits", "12"}, "--most-work");

    arguments of_largest = small;
    of_largest.emplace_back("--normwise");
    const result normwise = run(of_largest);
    CHECK(normwise.exit_status == 1);
    CHECK(has(normwise.out, ", not the 12 digits of the largest component asked for, b = ones"));
    CHECK(has(normwise.out, "12 digits of the largest component were asked for, and only the"));
    CHECK(json::parse(read_file(report))["solves"][0]["status"] == "residual_only");
}

TEST_CASE("one of many x has no right digits that could be asked for")
{
    const scratch folder;
    const std::string a = folder.write("s.mtx", singular);
    CHECK(run({"solve", a, "--rhs", "A*ones"}).exit_status == 0);
    const result asked = run({"solve", a, "--rhs", "A*ones", "--digits", "5"});
    CHECK(asked.exit_status == 1);
    CHECK(has(asked.out, "by one of many x: A is singular, of rank 1, but 5 digits"));
    CHECK(advice_of(asked).find("without --digits") == 0);
}

TEST_CASE("LSMR says that digits are unknown, and the command that tells them")
{
    const scratch folder;
    const std::string a = folder.write("line.mtx", "%%MatrixMarket matrix coordinate real general\n"
                                                   "3 2 5\n1 1 1\n2 1 1\n2 2 1\n3 1 1\n3 2 2\n");
    const std::string b = folder.write("b b.mtx", "%%MatrixMarket matrix array real general\n"
                                                  "3 1\n1\n3\n4\n");
    const result found = run({"solve", a, "--rhs", b, "--method", "lsmr"});
    CHECK(found.exit_status == 0);
    CHECK(has(found.out, "digits of x are unknown"));
    const std::string wanted = "digits: ddla solve " + a + " --rhs '" + b + "' ";
    CHECK(has(found.out, wanted.c_str()));
    const result told = run({"solve", a, "--rhs", b});
    CHECK(told.exit_status == 0);
    CHECK(has(told.out, "digits right, as estimated"));
    CHECK_FALSE(has(told.out, "digits: "));
}

TEST_CASE("a condition that no solve reaches has no number")
{
    // A Hilbert matrix to 32 digits: its condition, 2e28, is beyond factors in double-double.
    const scratch folder;
    const ddla::index_t n = 24;
    std::vector<ddla::index_t> begin{0};
    std::vector<ddla::column_t> column;
    ddla::vector<ddla::dd_real> values(n * n);
    for (ddla::index_t i = 0; i < n; ++i) {
        for (ddla::index_t j = 0; j < n; ++j) {
            values[i * n + j] = ddla::dd_real(1) / ddla::dd_real(static_cast<double>(i + j + 1));
            column.push_back(static_cast<ddla::column_t>(j));
        }
        begin.push_back(static_cast<ddla::index_t>(column.size()));
    }
    const std::string a = (folder / "h.mtx").string(), report = (folder / "r.json").string();
    ddla::write_matrix(a, ddla::csr_matrix<ddla::dd_real>(n, n, begin, column, std::move(values)));
    const result r = run({"solve", a, "--values", "dd", "--report", report});
    CHECK(r.exit_status == 1);
    CHECK_FALSE(has(r.out, "> 0.0"));
    const json solve = json::parse(read_file(report))["solves"][0];
    CHECK(solve["condition"].is_null());
    CHECK(solve["condition_1"].is_null());
    CHECK(solve["data_digits"].is_null());
}
