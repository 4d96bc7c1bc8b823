// Signals, and what a terminal sees.
#include "catch.hpp"
#include "process.hpp"
#include "support/json.hpp"

#include <csignal>

using namespace cli_test;
using json = nlohmann::json;

namespace {

/// A solve that would take hours: the tolerance is out of reach.  In double it breaks down after
/// 150,000 iterations, with so many rows not before half a minute.
arguments endless(const scratch& folder, const char* rows = "2000")
{
    const std::string a = (folder / "a.mtx").string();
    CHECK(run({"generate", "toeplitz", rows, "--gamma", "2.5", "--output", a}).exit_status == 0);
    return {"solve",  "--method",         "bicgstab",   a,          "--tol",
            "1e-300", "--max-iterations", "1000000000", "--report", (folder / "r.json").string()};
}

/// One that ends: it takes so long that a terminal would see how it gets on.
arguments long_one(const scratch& folder)
{
#if defined(DDLA_SANITIZED)
    const char* const iterations = "2000";
#else
    const char* const iterations = "20000";
#endif
    arguments options = endless(folder);
    options[options.size() - 3] = iterations;
    return options;
}

}  // namespace

TEST_CASE("on a terminal a line shows how the solve gets on")
{
    const scratch folder;
    background solve(endless(folder), true);
    CHECK(solve.waits_for("double-double: iteration "));
    CHECK(solve.waits_for(" iterations/s"));
    solve.signal(SIGINT);
    const result r = solve.wait();
    CHECK(r.exit_status == 1);
    // The line is gone in the end.
    CHECK(r.err.substr(r.err.rfind('\r')) == "\r\x1b[K");
    for (std::size_t from = 0, to; (to = r.err.find('\r', from)) != std::string::npos;
         from = to + 1)
        CHECK(to - from <= 80);
}

TEST_CASE("--quiet is silent on a terminal, too")
{
    const scratch folder;
    arguments options = long_one(folder);
    options.push_back("--quiet");
    background solve(options, true);
    const result r = solve.wait();
    CHECK(r.exit_status == 1);
    CHECK(r.err == "");
    CHECK(r.out == "");
}

TEST_CASE("an interrupt ends the solve with a report")
{
    for (const int number : {SIGINT, SIGTERM}) {
        const scratch folder;
        // The terminal tells when the solve is under way.
        background solve(endless(folder), true);
        CHECK(solve.waits_for("iteration "));
        solve.signal(number);
        const result r = solve.wait();
        CHECK(r.exit_status == 1);
        CHECK(r.out.find("was interrupted at ") != std::string::npos);
        const json report = json::parse(read_file(folder / "r.json"));
        REQUIRE(report["solves"].size() == 1);
        CHECK(report["solves"][0]["status"] == "iteration_limit");
        CHECK(report["solves"][0]["interrupted"] == true);
        CHECK(report["solves"][0]["iterations"].get<long>() > 0);
    }
}

TEST_CASE("an interrupt of the first of two solves leaves the second out")
{
    const scratch folder;
    arguments options = endless(folder, "100000");
    const std::string x = (folder / "x.mtx").string();
    options.insert(options.end(), {"--precision", "both", "--output", x});
    background solve(options, true);
    CHECK(solve.waits_for("double: iteration "));
    solve.signal(SIGINT);
    CHECK(solve.wait().exit_status == 1);
    const json report = json::parse(read_file(folder / "r.json"));
    REQUIRE(report["solves"].size() == 1);
    CHECK(report["solves"][0]["precision"] == "double");
    CHECK(read_file(x).find("iteration_limit") != std::string::npos);
}

TEST_CASE("in a pipe there is no progress")
{
    const scratch folder;
    background solve(long_one(folder));
    const result r = solve.wait();
    CHECK(r.exit_status == 1);
    CHECK(r.err == "");
    CHECK(r.out.find('\r') == std::string::npos);
    CHECK(r.out.find('\x1b') == std::string::npos);
}
