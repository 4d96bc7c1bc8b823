// Where ddla solve works if nobody says so: counted work decides, and the report says why.
#include "catch.hpp"
#include "process.hpp"
#include "support/json.hpp"

#include "ddla/generate.hpp"
#include "ddla/matrix_market.hpp"

using namespace cli_test;
using json = nlohmann::json;

namespace {

/// `ddla solve a.mtx OPTIONS...`: the report of its one solve.
json solved(const scratch& folder, arguments options)
{
    arguments all{"solve", (folder / "a.mtx").string()};
    all.insert(all.end(), options.begin(), options.end());
    all.insert(all.end(), {"--report", (folder / "r.json").string(), "--verbose"});
    const result r = run(all);
    INFO(r.out << r.err);
    CHECK(r.exit_status <= 1);
    const bool is_auto = std::find(options.begin(), options.end(), "--place") == options.end();
    CHECK((r.out.find("place (auto)") != std::string::npos) == is_auto);
    return json::parse(read_file(folder / "r.json")).at("solves").at(0);
}

bool says(const json& solve, const std::string& text)
{
    return solve.at("place_reason").get<std::string>().find(text) != std::string::npos;
}

/// At a device, as its start is worth it, or at the host because there is none.
void check_is_worth_a_device(const json& solve)
{
    INFO(solve.at("place_reason"));
    if (solve.at("place") == "host")
        CHECK(says(solve, "no device can be used"));
    else
        CHECK(says(solve, " are more than it costs to start"));
}

}  // namespace

TEST_CASE("factors are made on the host")
{
    const scratch folder;
    ddla::write_matrix((folder / "a.mtx").string(), ddla::generate::poisson2d(20, 20));
    const json one = solved(folder, {});
    CHECK(one.at("place") == "host");
    CHECK(says(one, "factors are made there"));
    CHECK(solved(folder, {"--place", "host"}).at("place_reason").is_null());
}

TEST_CASE("iterations go to a device where they move more than its start costs")
{
    const scratch folder;
    // An iteration of CG in double-double moves 8.7 MB, one of BiCGStab 19.
    ddla::write_matrix((folder / "a.mtx").string(), ddla::generate::poisson3d(32, 32, 32));
    const arguments cg{"--method", "cg", "--tol", "0.5", "--max-iterations"};
    const auto with_limit = [&](arguments options, const char* limit) {
        options.push_back(limit);
        return solved(folder, options);
    };
    const json few = with_limit(cg, "400");
    CHECK(few.at("place") == "host");
    CHECK(says(few, "3.5e+09 bytes of 400 iterations are less than a device costs to start"));
    check_is_worth_a_device(with_limit(cg, "500"));
    CHECK(with_limit(cg, "500").at("solution_hash") == few.at("solution_hash"));
    // Instead of factors: decided when these turn out too large.
    const arguments automatic{"--most-work", "1e-6", "--tol", "0.5", "--max-iterations"};
    const json little = with_limit(automatic, "100");
    CHECK(little.at("place") == "host");
    CHECK(says(little, "of 100 iterations are less than"));
    const json much = with_limit(automatic, "500");
    check_is_worth_a_device(much);
    CHECK(much.at("solution_hash") == little.at("solution_hash"));
}
