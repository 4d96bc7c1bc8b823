// After a kernel has gone wrong, every use of the device says that the process has lost it, and
// the host goes on.  A program of its own: nothing else can be tested after that.
#include "catch.hpp"
#include "support/run_tests.hpp"

#include "device/fault.hpp"

#include "ddla/blas.hpp"
#include "ddla/devices.hpp"
#include "ddla/error.hpp"

#include <string>

namespace {

template <class Use>
std::string message_of(const Use& use)
try {
    use();
    return "";
} catch (const ddla::internal_error& e) {
    return e.what();
}

void check_lost(const std::string& message)
{
    INFO(message);
    CHECK(message.rfind("the device context of this process is broken by an earlier failure, \"an "
                        "illegal memory access was encountered\": no more device calls can "
                        "succeed until the process restarts (",
                        0) == 0);
    CHECK(message.find(" at src/device/") != std::string::npos);
    CHECK(message.find(": cudaErrorIllegalAddress)") != std::string::npos);
}

}  // namespace

TEST_CASE("a kernel writes where there is no memory")
{
    constexpr ddla::place gpu = ddla::device(0);
    const ddla::vector<double> here(1000, 2.0), x(1000, 2.0, gpu), y(1000, 3.0, gpu);
    REQUIRE(ddla::dot(x, y) == 6000);
    test::write_to_an_illegal_address();
    for (int again = 0; again < 2; ++again) {
        check_lost(message_of([&] { (void)ddla::dot(x, y); }));
        check_lost(message_of([&] { ddla::vector<double>(10, gpu); }));
        check_lost(message_of([&] { (void)here.to(gpu); }));
        check_lost(message_of([&] { (void)x.to(ddla::host); }));
        check_lost(ddla::state_of_device(0).problem);
    }
    CHECK(ddla::dot(here, here) == 4000);
}

int main(int argc, char** argv)
{
    return test::run_tests(ddla::devices().empty() ? "no CUDA device" : nullptr, argc, argv);
}
