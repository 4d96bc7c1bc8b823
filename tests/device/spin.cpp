// In a debug build a thread that waits too long for others says so and ends the kernel.  A program
// of its own: nothing else can be tested after that.
#include "catch.hpp"
#include "support/run_tests.hpp"

#include "device/spin.hpp"

#include "ddla/devices.hpp"

#include <cstdio>
#include <string>
#include <unistd.h>

namespace {

/// What is written to the standard output meanwhile.
template <class Call>
std::string output_of(const Call& call)
{
    std::FILE* const file = std::tmpfile();
    REQUIRE(file);
    const int before = dup(STDOUT_FILENO);
    std::fflush(stdout);
    dup2(fileno(file), STDOUT_FILENO);
    call();
    std::fflush(stdout);
    dup2(before, STDOUT_FILENO);
    close(before);
    std::rewind(file);
    std::string text;
    for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) text += static_cast<char>(c);
    std::fclose(file);
    return text;
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
