// ddla solve --dry-run: the plan in place of the solve.
#include "catch.hpp"
#include "process.hpp"
#include "support/json.hpp"

#include "ddla/generate.hpp"
#include "ddla/matrix_market.hpp"
#include "ddla/plan.hpp"

using namespace cli_test;
using json = nlohmann::json;

namespace {

std::string grid(const scratch& folder)
{
    const std::string file = (folder / "grid.mtx").string();
    ddla::write_matrix(file, ddla::generate::poisson2d(9, 9));
    return file;
}

json plan_of(arguments options)
{
    options.insert(options.begin(), "solve");
    options.insert(options.end(), {"--dry-run", "--json"});
    const result r = run(options);
    INFO(r.out << r.err);
    CHECK(r.exit_status == 0);
    CHECK(r.err == "");
    return json::parse(r.out);
}

/// Of the stages that a report names.
std::vector<std::string> stages_of(const json& plan)
{
    std::vector<std::string> names;
    for (const json& stage : plan.at("stages"))
        if (stage.at("reported")) names.push_back(stage.at("stage"));
    return names;
}

}  // namespace

TEST_CASE("a dry run prints the stages and writes nothing")
{
    const scratch folder;
    const std::string a = grid(folder);
    const std::size_t files = folder.files();
    const result r = run({"solve", a, "--dry-run", "--output", (folder / "x.mtx").string(),
                          "--report", (folder / "r.json").string(), "--history",
                          (folder / "h.csv").string(), "--plot", (folder / "h.svg").string()});
    CHECK(r.exit_status == 0);
    CHECK(r.err == "");
    CHECK(folder.files() == files);
    for (const char* part :
         {"1  factor in double, L L^T\n", "refine\n", "if: factors of A are too large",
          "work: at most 4.00e+09", "iterations: at most 10000", "Nothing was solved.\n"}) {
        INFO(part << r.out);
        CHECK(r.out.find(part) != std::string::npos);
    }
    for (std::size_t at = 0; at < r.out.size();) {
        const std::size_t end = r.out.find('\n', at);
        CHECK(end - at <= 80);
        at = end + 1;
    }
    CHECK(run({"solve", a, "--dry-run", "--quiet"}).out == "");
}

TEST_CASE("a dry run tells in JSON the stages that the solve reports")
{
    const scratch folder;
    const std::string a = grid(folder), report = (folder / "r.json").string();
    const json told = plan_of({a, "--method", "refine", "--precond", "ic", "--precision", "both"});
    REQUIRE(told.at("plans").size() == 2);
    CHECK(told.at("matrix").at("rows") == 81);
    CHECK(told.at("plans")[0].at("precision") == "double");
    CHECK(told.at("plans")[1].at("precision") == "dd");
    CHECK(run({"solve", a, "--method", "refine", "--precond", "ic", "--quiet", "--report", report})
              .exit_status == 0);
    std::vector<std::string> done;
    const json solved = json::parse(read_file(report));
    for (const json& stage : solved.at("solves")[0].at("plan")) done.push_back(stage.at("stage"));
    CHECK(stages_of(told.at("plans")[1]) == done);
    const json factors =
        plan_of({a, "--most-work", "0.25", "--most-memory", "5000"}).at("plans")[0].at("stages")[0];
    CHECK(factors.at("stage") == "factor in double, L L^T");
    CHECK(factors.at("follows") == "A is symmetric with a positive diagonal");
    CHECK(factors.at("from").is_null());
    // Counted: L of a grid of 9 by 9 has 81 pivots and at least the 144 entries of A beside them.
    CHECK(factors.at("entries") > 225);
    CHECK(factors.at("bytes").at("at_most") == false);
    CHECK(factors.at("limit").get<std::string>().starts_with(
        "factors need more memory than most_memory allows, 5000 bytes (counted: "));
    const json lu =
        plan_of({a, "--most-work", "0.25", "--most-memory", "5000"}).at("plans")[0].at("stages")[1];
    CHECK(lu.at("work") == json{{"amount", 0.25e9}, {"at_most", true}});
    CHECK(lu.at("bytes") == json{{"amount", 5000.0}, {"at_most", true}});
    CHECK(lu.at("entries").is_null());
    CHECK(lu.at("limit").is_null());
}

TEST_CASE("a dry run prints the JSON of the library")
{
    const scratch folder;
    const std::string a = grid(folder);
    const auto m = ddla::generate::poisson2d(9, 9);
    const ddla::vector<ddla::dd_real> b(81, ddla::dd_real(1)), x(81);
    ddla::reported_matrix about = ddla::reported(m);
    about.file = a;
    const ddla::solve_options o{.method = ddla::method::cg, .max_iterations = 5};
    CHECK(run({"solve", a, "--method", "cg", "--max-iterations", "5", "--precision", "dd",
               "--dry-run", "--json"})
              .out ==
          ddla::plan_json(about, ddla::method::cg, "none", {{ddla::plan_solve(m, b, x, o), "dd"}}));
}

TEST_CASE("a dry run refuses what the solve refuses, in the same words")
{
    const scratch folder;
    const std::string a = grid(folder);
    const std::string swap = folder.write(
        "swap.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 1\n2 1 1\n");
    const std::string b =
        folder.write("b.mtx", "%%MatrixMarket matrix array real general\n2 1\n1\n1\n");
    const std::vector<arguments> wrong = {
        {"solve", swap, "--method", "bicgstab", "--precond", "jacobi"},
        {"solve", a, "--rhs", b},
        {"solve", a, "--guess", b},
        {"solve", a, "--method", "cg", "--digits", "5"},
        {"solve", a, "--digits", "40"},
        {"solve", (folder / "none.mtx").string()},
        {"solve", a, "--output", (folder / "no" / "x.mtx").string()}};
    for (arguments options : wrong) {
        const result solved = run(options);
        options.push_back("--dry-run");
        const result planned = run(options);
        INFO(solved.err << planned.err);
        CHECK(planned.exit_status == solved.exit_status);
        CHECK(planned.exit_status >= 2);
        CHECK(planned.err == solved.err);
        CHECK(planned.out == "");
    }
    const result alone = run({"solve", a, "--json"});
    CHECK(alone.exit_status == 2);
    CHECK(alone.err.find("--json: needs --dry-run") != std::string::npos);
}
