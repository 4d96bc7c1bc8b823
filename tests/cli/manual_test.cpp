// The manual page is well-formed and names every option that the help names.
#include "catch.hpp"
#include "process.hpp"

#include <regex>

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
    const std::regex option("\n  (?:-h,)?--([a-z-]+)");
    for (const arguments& help : helps) {
        const std::string text = run(help).out;
        for (std::sregex_iterator i(text.begin(), text.end(), option), end; i != end; ++i) {
            INFO("option --" << (*i)[1]);
            CHECK(manual.find("Fl -" + (*i)[1].str()) != std::string::npos);
        }
    }
}
