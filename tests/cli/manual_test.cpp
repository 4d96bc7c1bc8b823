// The manual page is well-formed and names every option that the help names.
#include "catch.hpp"
#include "process.hpp"
#include "support/patterns.hpp"

using namespace cli_test;

TEST_CASE("mandoc finds nothing in the manual page", "[shells]")
{
    const result version = run_program("/bin/sh", {"-c", "command -v mandoc"});
    if (version.exit_status != 0) SKIP_CASE("mandoc is not installed");
    const result lint = run_program("mandoc", {"-Tlint", DDLA_MANUAL});
    CHECK(lint.out == "");
    CHECK(lint.err == "");
    CHECK(lint.exit_status == 0);
}

TEST_CASE("the manual page names every option of the help", "[shells]")
{
    const std::string manual = read_file(DDLA_MANUAL);
    std::vector<arguments> helps{
        {"--help"},          {"solve", "--help"},      {"tune", "--help"},
        {"spmv", "--help"},  {"info", "--help"},       {"devices", "--help"},
        {"check", "--help"}, {"completion", "--help"}, {"help", "--help"}};
    for (const char* kind : {"poisson2d", "poisson3d", "convection-diffusion", "toeplitz",
                             "hilbert-like", "random", "skewed"}) {
        helps.push_back({"generate", kind, "--help"});
        CHECK(manual.find(kind) != std::string::npos);
    }
    for (const arguments& help : helps)
        for (const auto& option : test::matches_in(run(help).out, "\n  (?:-h,)?--([a-z-]+)")) {
            INFO("option --" << option[1]);
            CHECK(manual.find("Fl -" + option[1]) != std::string::npos);
        }
}
