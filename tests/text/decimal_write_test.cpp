// dd_real to decimal text: digits against MPFR, fewest digits, and the way back.
#include "catch.hpp"
#include "decimal_text_truth.hpp"

#include "ddla/error.hpp"
#include "ddla/text.hpp"
#include "files/decimal/decimal_write.hpp"

#include <limits>

using namespace ddla;
using namespace ddla::test;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double largest = std::numeric_limits<double>::max();
constexpr double least = std::numeric_limits<double>::denorm_min();

}  // namespace

TEST_CASE("shortest text of known values")
{
    CHECK(to_string(dd_real(0)) == "0");
    CHECK(to_string(dd_real(-0.0)) == "-0");
    CHECK(to_string(dd_real(1)) == "1");
    CHECK(to_string(dd_real(-2.5)) == "-2.5");
    CHECK(to_string(parse_dd("0.1")) == "0.1");
    CHECK(to_string(dd_real(0.1)) == "0.1000000000000000055511151231257827021181583404541015625");
    CHECK(to_string(parse_dd("1e-5")) == "1e-05");
    CHECK(to_string(parse_dd("0.0001")) == "1e-04");
    CHECK(to_string(parse_dd("0.001")) == "0.001");
    CHECK(to_string(parse_dd("100000")) == "1e+05");
    CHECK(to_string(parse_dd("10000")) == "10000");
    CHECK(to_string(parse_dd("1e300")) == "1e+300");
    CHECK(to_string(dd_real(least)) == "5e-324");
    CHECK(to_string(dd_real(infinity)) == "inf");
    CHECK(to_string(dd_real(-infinity)) == "-inf");
    CHECK(to_string(dd_real(std::nan(""))) == "nan");
    CHECK(to_string(parse_dd("3.14159265358979323846264338327950288")) ==
          "3.1415926535897932384626433832795");
    const dd_real wide_gap(1, std::ldexp(1.0, -1000));
    CHECK(to_string(wide_gap).size() == 319);
    CHECK(same(parse_dd(to_string(wide_gap)), wide_gap));
}

TEST_CASE("pairs that no operation yields print as their sum")
{
    CHECK(to_string(dd_real(1, 1)) == "2");
    CHECK(to_string(dd_real(0, -3)) == "-3");
    CHECK(to_string(dd_real(1, infinity)) == "inf");
    CHECK(to_string(dd_real(largest, largest)) == "inf");
}

TEST_CASE("the shortest text reads back with the same bits, and is the shortest")
{
    generator random(11);
    int different = 0, long_winded = 0;
    for (int i = 0; i < 100000; ++i) {
        const dd_real x = any_dd(random);
        if (!same(read(to_string(x)), x) && ++different <= 10)
            UNSCOPED_INFO("differs: " << x.hi << " + " << x.lo << ": " << to_string(x));
        if (i % 20 == 0 && !is_shortest(x) && ++long_winded <= 10)
            UNSCOPED_INFO("not shortest: " << x.hi << " + " << x.lo << ": " << to_string(x));
    }
    CHECK(different == 0);
    CHECK(long_winded == 0);
}

TEST_CASE("decimals of few digits come back as they were written")
{
    generator random(12);
    int different = 0;
    for (int i = 0; i < 20000; ++i) {
        std::string text(1, static_cast<char>('1' + pick(random, 0, 8)));
        text += '.';
        for (int k = pick(random, 0, 28); k > 0; --k)
            text += static_cast<char>('0' + pick(random, 0, 9));
        text += static_cast<char>('1' + pick(random, 0, 8));
        const int exponent = pick(random, -280, 280);
        text += (exponent < 0 ? "e-" : "e+") + std::string(std::abs(exponent) < 10 ? "0" : "") +
                std::to_string(std::abs(exponent));
        const int digits = static_cast<int>(text.find('e')) - 1;
        const dd_real x = read(text);
        if (to_string(x, digits) != text || !same(read(to_string(x)), x) ||
            text::shortest_digits(x).digits.size() != static_cast<std::size_t>(digits))
            if (++different <= 10) UNSCOPED_INFO(text << " became " << to_string(x));
    }
    CHECK(different == 0);
}

TEST_CASE("N digits agree with MPFR")
{
    generator random(13);
    int different = 0;
    for (int i = 0; i < 30000; ++i) {
        const dd_real x = any_dd(random);
        const int digits = pick(random, 1, i % 50 == 0 ? 1200 : 40);
        if (to_string(x, digits) != truth(x, "%.*Re", digits - 1) && ++different <= 10)
            UNSCOPED_INFO(truth(x, "%.*Re", digits - 1) << " became " << to_string(x, digits));
    }
    CHECK(different == 0);
    CHECK(to_string(dd_real(0), 3) == "0.00e+00");
    CHECK(to_string(dd_real(-0.0), 1) == "-0e+00");
    CHECK(to_string(dd_real(9.5), 1) == "1e+01");
    CHECK(to_string(dd_real(8.5), 1) == "8e+00");
    CHECK(to_string(dd_real(999.96), 4) == "1.000e+03");
    CHECK_THROWS_AS(to_string(dd_real(1), 0), input_error);
}

TEST_CASE("numbers right below a power of ten keep all digits that were asked for")
{
    int different = 0;
    for (int e = -300; e <= 300; e += 12)
        for (int below = 1; below < 90; ++below) {
            const dd_real power = parse_dd("1e" + std::to_string(e));
            const dd_real x =
                text::normalized({power.hi, power.lo - power.hi * std::pow(10, -below)});
            for (const int precision : {below - 1, below, below + 1, below + 2}) {
                if (precision < 1) continue;
                const std::string general =
                    to_string(x, {.notation = notation::general, .precision = precision});
                if (general != truth(x, "%.*Rg", precision) && ++different <= 10)
                    UNSCOPED_INFO(precision << ": " << general << " for "
                                            << truth(x, "%.*Rg", precision));
                if (to_string(x, precision) != truth(x, "%.*Re", precision - 1)) ++different;
            }
        }
    CHECK(different == 0);
    CHECK(to_string(dd_real(1, -1.3685168694292034e-48),
                    {.notation = notation::general, .precision = 48}) ==
          "0.999999999999999999999999999999999999999999999999");
}

TEST_CASE("fixed and general notation agree with MPFR")
{
    generator random(14);
    int different = 0;
    for (int i = 0; i < 20000; ++i) {
        dd_real x = any_dd(random);
        if (i % 4 != 0) {
            const int down = -std::ilogb(x.hi) + pick(random, -40, 40);
            x = text::normalized({std::ldexp(x.hi, down), std::ldexp(x.lo, down)});
        }
        const int precision = pick(random, 0, 40);
        const std::string in_place =
            to_string(x, {.notation = notation::fixed, .precision = precision});
        const std::string general =
            to_string(x, {.notation = notation::general, .precision = precision});
        const bool good =
            in_place == truth(x, "%.*Rf", precision) && general == truth(x, "%.*Rg", precision);
        if (!good && ++different <= 10)
            UNSCOPED_INFO(precision << ": " << in_place << " for " << truth(x, "%.*Rf", precision)
                                    << ", " << general << " for " << truth(x, "%.*Rg", precision));
    }
    CHECK(different == 0);
}

TEST_CASE("styles")
{
    const dd_real x = parse_dd("1.5"), tiny = parse_dd("1.5e-7");
    CHECK(to_string(x, {.plus = '+'}) == "+1.5");
    CHECK(to_string(-x, {.plus = '+'}) == "-1.5");
    CHECK(to_string(x, {.plus = ' '}) == " 1.5");
    CHECK(to_string(tiny, {.uppercase = true}) == "1.5E-07");
    CHECK(to_string(dd_real(infinity), {.uppercase = true}) == "INF");
    CHECK(to_string(x, {.notation = notation::fixed, .precision = 0}) == "2");
    CHECK(to_string(x, {.notation = notation::fixed, .precision = 0, .show_point = true}) == "2.");
    CHECK(to_string(x, {.notation = notation::general, .precision = 5, .show_point = true}) ==
          "1.5000");
    CHECK(to_string(x, {.notation = notation::scientific, .precision = -1}) == "1.500000e+00");
    CHECK(to_string(tiny, {.notation = notation::fixed, .precision = 3}) == "0.000");
    CHECK(to_string(dd_real(0), {.notation = notation::fixed, .precision = 3}) == "0.000");
    CHECK(to_string(dd_real(0), {.notation = notation::general}) == "0");
}
