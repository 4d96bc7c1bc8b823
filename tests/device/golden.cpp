// The golden cases on a device have the hashes that they have everywhere.
#include "catch.hpp"
#include "support/run_tests.hpp"

#include "cases.hpp"
#include "embedded.hpp"

#include "ddla/devices.hpp"

TEST_CASE("golden hashes on a device")
{
    const golden::hash_list hashes = golden::compute(ddla::device(0));
    for (const std::string& difference :
         golden::differences(golden::parse(golden::text_of_hashes), hashes))
        FAIL_CHECK(difference);
    CHECK(!hashes.empty());
}

int main(int argc, char** argv)
{
    return test::run_tests(ddla::devices().empty() ? "no CUDA device" : nullptr, argc, argv);
}
