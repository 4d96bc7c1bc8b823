// dd_real in fmt::format (and std::format where there is one): the text of a double.
#include <fmt/format.h>

#include "catch.hpp"
#include "decimal_truth.hpp"

#include "ddla/format.hpp"

#include <limits>

using namespace ddla;
using namespace ddla::test;

TEST_CASE("a double formats the same as a dd_real")
{
    generator random(71);
    const char* formats[] = {"{:e}",      "{:E}",     "{:f}",         "{:F}",      "{:g}",
                             "{:G}",      "{:.3}",    "{:+.3e}",      "{: .0f}",   "{:-g}",
                             "{:#.0f}",   "{:40.3e}", "{:<40.3e}",    "{:^40.3e}", "{:*>40.10f}",
                             "{:040.5e}", "{:+040f}", "{:x<+40.20g}", "{:.0e}"};
    int different = 0;
    for (int i = 0; i < 200; ++i) {
        double x = any_double(random);
        if (i % 2 == 0) x = std::ldexp(x, -std::ilogb(x) + pick(random, -20, 20));
        for (const char* format : formats) {
            const std::string expected = fmt::format(fmt::runtime(format), x);
            const std::string got = fmt::format(fmt::runtime(format), dd_real(x));
            if (expected != got && ++different <= 10)
                UNSCOPED_INFO(format << ": " << expected << " became " << got);
        }
    }
    CHECK(different == 0);
    for (const double x : {0.0, -0.0})
        for (const char* format : formats)
            CHECK(fmt::format(fmt::runtime(format), dd_real(x)) ==
                  fmt::format(fmt::runtime(format), x));
}

TEST_CASE("all digits, and the shortest")
{
    const dd_real x = parse_dd("-0.1");
    CHECK(fmt::format("{}", x) == "-0.1");
    CHECK(fmt::format("{:>8}|", x) == "    -0.1|");
    CHECK(fmt::format("{:#g}", dd_real(190705)) == "190705.");
    CHECK(fmt::format("{:08.2e}", dd_real(-std::numeric_limits<double>::infinity())) == "    -inf");
    CHECK(fmt::format("{:>45.32e}", x) == "      -1.00000000000000000000000000000000e-01");
}

TEST_CASE("width and precision from arguments")
{
    const dd_real x = 1.5;
    CHECK(fmt::format("{:{}.{}e}", x, 12, 3) == "   1.500e+00");
    CHECK(fmt::format("{0:{2}.{1}f}", x, 2, 8L) == "    1.50");
}

TEST_CASE("what is no format of a number")
{
    const dd_real x = 1.5;
    for (const char* format : {"{:d}", "{:a}", "{:.e}", "{:9999999}", "{:ee}", "{:L}", "{:{0}}"}) {
        INFO(format);
        CHECK_THROWS_AS(fmt::format(fmt::runtime(format), x), fmt::format_error);
    }
    CHECK_THROWS_AS(fmt::format(fmt::runtime("{:{}}"), x, -1), fmt::format_error);
    CHECK_THROWS_AS(fmt::format(fmt::runtime("{:{}}"), x, "wide"), fmt::format_error);
}

#if defined(__cpp_lib_format)
TEST_CASE("std::format")
{
    CHECK(std::format("{:>12.3e}|", dd_real(1.5)) == "   1.500e+00|");
    CHECK(std::format("{:{}}|", dd_real(1.5), 5) == "  1.5|");
}
#else
TEST_CASE("std::format")
{
    SKIP_CASE("this C++ library has no std::format");
}
#endif
