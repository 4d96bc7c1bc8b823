// In a debug build a thread that waits too long for others says so and ends the kernel.  A program
// of its own: nothing else can be tested after that.
#define CATCH_CONFIG_RUNNER
#include "device/main.hpp"

#include "device/spin.hpp"

#include "ddla/devices.hpp"

#include <cstdio>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace {

/// What is written to the standard output meanwhile.
template <class Call>
std::string output_of(const Call& call)
{
    char name[] = "/tmp/ddla_spin_XXXXXX";
    const int file = mkstemp(name), before = dup(STDOUT_FILENO);
    REQUIRE(file >= 0);
    std::fflush(stdout);
    dup2(file, STDOUT_FILENO);
    call();
    std::fflush(stdout);
    dup2(before, STDOUT_FILENO);
    close(before);
    close(file);
    std::ostringstream text;
    text << std::ifstream(name).rdbuf();
    unlink(name);
    return text.str();
}

}  // namespace

TEST_CASE("a thread that waits too long ends its kernel")
{
    std::string status;
    const std::string output = output_of([&] { status = test::wait_for_nobody(); });
    CHECK(status == "cudaErrorLaunchFailure");
    CHECK(output ==
          "ddla: block 0, thread 0 waited 20 ms for a sum of another block, which did not come\n");
}

int main(int argc, char** argv)
{
    return test::run_tests(ddla::devices().empty() ? "no CUDA device" : nullptr, argc, argv);
}
