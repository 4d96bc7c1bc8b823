// The system fails ddla-validate: full disks, a pipe that nobody reads, interrupts at any moment.
#include "catch.hpp"
#include "failures.hpp"
#include "faults.hpp"

#include "ddla/generate.hpp"
#include "ddla/matrix_market.hpp"

#include <csignal>
#include <string>
#include <vector>

using namespace cli_test;

namespace {

/// A system that is validated in a few hundredths of a second.
std::string small_system(const scratch& folder)
{
    const std::string a = (folder / "a.mtx").string();
    ddla::write_matrix(a, ddla::generate::poisson2d(7, 6));
    return a;
}

}  // namespace

TEST_CASE("a full disk leaves whole reports or those that were there", "[faults]")
{
    const scratch folder;
    const std::string a = small_system(folder);
    check_full_disks(
        "ddla-validate", folder,
        {a, "--report", (folder / "r.json").string(), "--html", (folder / "r.html").string()},
        {"r.json", "r.html"});
}

TEST_CASE("a pipe that nobody reads ends by SIGPIPE, after the reports", "[faults]")
{
    const scratch folder;
    const std::string a = small_system(folder);
    const result r = run_unread(
        {a, "--report", (folder / "r.json").string(), "--html", (folder / "r.html").string()});
    CHECK(r.exit_status == -SIGPIPE);
    CHECK(r.err == "");
    CHECK(folder.files() == 3);
    CHECK(is_whole(folder / "r.json"));
    CHECK(is_whole(folder / "r.html"));
}

TEST_CASE("memory that is out at any moment is told, and leaves whole reports", "[faults]")
{
    const scratch folder;
    const std::string a = small_system(folder);
    check_lack_of_memory("ddla-validate", folder,
                         {a, "--threads", "1", "--report", (folder / "r.json").string(), "--html",
                          (folder / "r.html").string()},
                         {"r.json", "r.html"});
}

TEST_CASE("numbers of MPFR without memory end the program as other data do", "[faults]")
{
#if defined(DDLA_SANITIZED)
    SKIP_CASE("sanitizers need more memory than this test leaves");
#else
    const scratch folder;
    const small_programs one_thread;
    const std::string a = (folder / "a.mtx").string();
    ddla::write_matrix(a, ddla::generate::poisson2d(45, 44));
    std::vector<result> all;
    // From too little to read A to enough, in steps far below what the factors take.
    for (int kilobytes = 10000; kilobytes <= 14000; kilobytes += 200)
        all.push_back(run_program("/bin/sh",
                                  {"-c", "ulimit -d " + std::to_string(kilobytes) +
                                             "; exec '" DDLA_COMMAND "' '" + a +
                                             "' --method cg --precision double --max-memory 100"}));
    for (const result& r : all)
        if (r.exit_status != 0) check_failure_of("ddla-validate", r, 3, {"memory"});
    CHECK(all.front().exit_status == 3);
    CHECK(all.back().exit_status == 0);
#endif
}

TEST_CASE("interrupts of a validation at 50 moments leave whole reports", "[faults]")
{
#if defined(DDLA_SANITIZED)  // the same handler, wherever it comes
    constexpr int moments = 12;
#else
    constexpr int moments = 50;
#endif
    const scratch folder;
    const std::string a = small_system(folder);
    check_interrupts(folder,
                     {{a, "--threads", "1", "--report", (folder / "r.json").string(), "--html",
                       (folder / "r.html").string()},
                      {"r.json", "r.html"}},
                     moments);
}
