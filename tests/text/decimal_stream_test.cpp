// dd_real in streams: the text of a double with the same flags, and back.
#include "catch.hpp"
#include "decimal_truth.hpp"

#include "ddla/text.hpp"

#include <iomanip>
#include <limits>
#include <sstream>

using namespace ddla;
using namespace ddla::test;

namespace {

template <class T>
std::string printed(T x, std::ios_base::fmtflags flags, int precision, int width)
{
    std::ostringstream out;
    out.flags(flags);
    out << std::setprecision(precision) << std::setw(width) << std::setfill('*') << x << '|';
    return out.str();
}

struct read_result {
    dd_real value;
    bool failed;
    std::string rest;
};

read_result read(const std::string& text)
{
    std::istringstream in(text);
    dd_real value{-7, -7};
    in >> value;
    read_result result{value, in.fail(), {}};
    in.clear();
    std::getline(in, result.rest, '\0');
    return result;
}

}  // namespace

TEST_CASE("a double prints the same as a dd_real")
{
    using os = std::ios_base;
    generator random(21);
    int different = 0;
    for (int i = 0; i < 20000; ++i) {
        double x = std::ldexp(any_double(random), 0);
        if (i % 3 != 0) x = std::round(std::ldexp(x, -std::ilogb(x) + pick(random, -30, 30)) * 64);
        os::fmtflags flags = os::dec;
        if (pick(random, 0, 1) != 0) flags |= os::showpos;
        if (pick(random, 0, 1) != 0) flags |= os::showpoint;
        if (pick(random, 0, 1) != 0) flags |= os::uppercase;
        const os::fmtflags notations[] = {os::scientific, os::fixed, os::fmtflags{}};
        const os::fmtflags sides[] = {os::left, os::right, os::internal, os::fmtflags{}};
        flags |= notations[pick(random, 0, 2)] | sides[pick(random, 0, 3)];
        const int precision = pick(random, 0, 20), width = pick(random, 0, 40);
        const std::string expected = printed(x, flags, precision, width);
        const std::string got = printed(dd_real(x), flags, precision, width);
        if (expected != got && ++different <= 10) UNSCOPED_INFO(expected << " became " << got);
    }
    CHECK(different == 0);
    for (const double x : {std::numeric_limits<double>::infinity(), 0.0, -0.0})
        CHECK(printed(dd_real(x), os::internal, 6, 10) == printed(x, os::internal, 6, 10));
}

TEST_CASE("all digits of a dd_real reach the stream and come back")
{
    const dd_real x = parse_dd("0.1");
    std::ostringstream out;
    out << std::scientific << std::setprecision(33) << x;
    CHECK(out.str() == "9.999999999999999999999999999999969e-02");
    CHECK(same(read(out.str()).value, x));
}

TEST_CASE("a stream that cannot take the text says so")
{
    std::ostringstream out;
    out.setstate(std::ios_base::badbit);
    out << dd_real(1);
    CHECK(out.str().empty());
}

TEST_CASE("reading stops where the number does")
{
    CHECK(same(read("  1.5 2").value, {1.5, 0}));
    CHECK(read("  1.5 2").rest == " 2");
    CHECK(same(read("+1e2,").value, {100, 0}));
    CHECK(read("+1e2,").rest == ",");
    CHECK(same(read("-1e-2e").value, -parse_dd("0.01")));
    CHECK(read("1.5.5").rest == ".5");
    for (const char* text : {"", "   ", "x", "-", "1e", "1e+", ".", "+-1"}) {
        INFO(text);
        CHECK(read(text).failed);
    }
    CHECK(same(read("x").value, {0, 0}));
    CHECK(read("1e999").failed);
    CHECK(read("1e999").value.hi == std::numeric_limits<double>::infinity());
}
