// Decimal text to double and dd_real against MPFR.
#include "catch.hpp"
#include "decimal_truth.hpp"

#include "ddla/error.hpp"
#include "ddla/text.hpp"
#include "files/decimal/decimal_read.hpp"

#include <ctime>
#include <limits>
#include <vector>

using namespace ddla;
using namespace ddla::test;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct read_result {
    dd_real value;
    std::errc problem;
    std::size_t length;
};

read_result read(const std::string& text)
{
    dd_real value{-7, -7};
    const auto [end, problem] = from_chars(text.data(), text.data() + text.size(), value);
    return {value, problem, static_cast<std::size_t>(end - text.data())};
}

/// Every path for one text; false and a message if one differs from MPFR.
bool agrees(const std::string& text)
{
    const dd_real words = truth_in_words(text);
    const auto number =
        text::scan_number(text.data(), text.data() + text.size(), text::exponent_letter::e);
    dd_real exact = text::nearest_dd_exact(number).value;
    if (number.negative) exact = {-exact.hi, exact.lo == 0 ? 0 : -exact.lo};
    const bool good = same(read(text).value, truth(text)) && same(exact, words) &&
                      same(text::nearest_double(number).value, words.hi) &&
                      read(text).length == text.size();
    static int reported = 0;
    if (!good && ++reported <= 10) UNSCOPED_INFO("differs from MPFR: " << text.substr(0, 2000));
    return good;
}

std::string random_digits(generator& random, int count)
{
    std::string digits;
    for (int i = 0; i < count; ++i) digits += static_cast<char>('0' + pick(random, 0, 9));
    return digits;
}

/// A number of up to `digits` digits, with or without point and exponent.
std::string random_text(generator& random, int digits, int exponents)
{
    std::string text = pick(random, 0, 1) != 0 ? "-" : "";
    const int count = pick(random, 1, digits);
    std::string all = random_digits(random, count);
    if (pick(random, 0, 4) == 0) all.replace(all.size() / 2, all.npos, count - all.size() / 2, '0');
    if (pick(random, 0, 3) != 0)
        all.insert(static_cast<std::size_t>(pick(random, 0, count)), 1, '.');
    text += all;
    if (pick(random, 0, 3) != 0) text += "e" + std::to_string(pick(random, -exponents, exponents));
    return text;
}

/// The exact decimal expansion of x + y / 2^shift, a power of two times integers.
std::string exact_text(dd_real x, int digits = 1600)
{
    mpfr sum(5000);
    mpfr_set_d(sum, x.hi, MPFR_RNDN);
    mpfr_add_d(sum, sum, x.lo, MPFR_RNDN);
    std::vector<char> text(static_cast<std::size_t>(digits) + 40);
    mpfr_snprintf(text.data(), text.size(), "%.*Re", digits, mpfr_ptr(sum));
    return text.data();
}

}  // namespace

TEST_CASE("known values")
{
    CHECK(same(parse_dd("0.1"), {0.1, -0x1.999999999999ap-58}));
    CHECK(same(parse_dd("-0.1"), {-0.1, 0x1.999999999999ap-58}));
    CHECK(same(parse_dd("0"), {0, 0}));
    CHECK(same(parse_dd("-0"), {-0.0, 0}));
    CHECK(same(parse_dd("-0.000e999999999999999999999"), {-0.0, 0}));
    CHECK(same(parse_dd("1"), {1, 0}));
    CHECK(same(parse_dd(".5"), {0.5, 0}));
    CHECK(same(parse_dd("5."), {5, 0}));
    CHECK(same(parse_dd("9007199254740993"), {9007199254740992, 1}));
    CHECK(same(parse_dd("1e23"), {1e23, 8388608}));
    CHECK(same(parse_dd("5e-324"), {5e-324, 0}));
    CHECK(same(parse_dd("3e-324"), {5e-324, 0}));
}

TEST_CASE("what is not a number, ends early, or is out of range")
{
    for (const char* text :
         {"", "-", "+1", " 1", ".", "-.", "e5", ".e5", "abc", "--1", "-+1", "in"}) {
        INFO(text);
        const read_result result = read(text);
        CHECK(result.problem == std::errc::invalid_argument);
        CHECK(result.length == 0);
        CHECK(same(result.value, {-7, -7}));
        CHECK_THROWS_AS(parse_dd(text), input_error);
    }
    CHECK(read("1.5e").length == 3);
    CHECK(read("1.5e+").length == 3);
    CHECK(read("1.5e+x").length == 3);
    CHECK(read("1.5.5").length == 3);
    CHECK(read("1D5").length == 1);
    CHECK(read("0x10").length == 1);
    CHECK_THROWS_WITH(parse_dd("1.5x"), "'1.5x' is not a number");
    CHECK_THROWS_WITH(parse_dd("1e309"), "'1e309' is out of the range of double");

    for (const char* text : {"1e309", "1e99999999999999999999", "1.7976931348623159e308"}) {
        const read_result result = read(text);
        CHECK(result.problem == std::errc::result_out_of_range);
        CHECK(same(result.value, {infinity, 0}));
        CHECK(same(read("-" + std::string(text)).value, {-infinity, 0}));
    }
    for (const char* text : {"1e-324", "2.4703282292062327e-324", "1e-99999999999999999999"}) {
        const read_result result = read(text);
        CHECK(result.problem == std::errc::result_out_of_range);
        CHECK(same(result.value, {0, 0}));
        CHECK(same(read("-" + std::string(text)).value, {-0.0, 0}));
    }
}

TEST_CASE("infinities and NaN in words")
{
    for (const char* text : {"inf", "INF", "Infinity", "iNFINITY"}) {
        CHECK(same(read(text).value, {infinity, 0}));
        CHECK(read(text).length == std::string(text).size());
        CHECK(same(read("-" + std::string(text)).value, {-infinity, 0}));
    }
    CHECK(read("infinit").length == 3);
    for (const char* text : {"nan", "NaN", "nan(x_1)", "-nan"}) {
        CHECK(std::isnan(read(text).value.hi));
        CHECK(read(text).length == std::string(text).size());
    }
    CHECK(read("nan(").length == 3);
    CHECK(read("nan(+)").length == 3);
}

TEST_CASE("random numbers of every length agree with MPFR")
{
    generator random(1);
    int wrong = 0;
    for (int i = 0; i < 60000; ++i) wrong += agrees(random_text(random, 25, 40)) ? 0 : 1;
    for (int i = 0; i < 40000; ++i) wrong += agrees(random_text(random, 45, 330)) ? 0 : 1;
    for (int i = 0; i < 2000; ++i) wrong += agrees(random_text(random, 2500, 1500)) ? 0 : 1;
    CHECK(wrong == 0);
}

TEST_CASE("subnormal, small and huge numbers agree with MPFR")
{
    generator random(2);
    int wrong = 0;
    for (int i = 0; i < 10000; ++i) {
        const std::string digits = "0." + random_digits(random, pick(random, 1, 40));
        wrong += agrees(digits + "e-" + std::to_string(pick(random, 230, 325))) ? 0 : 1;
        wrong += agrees(digits + "e" + std::to_string(pick(random, 300, 310))) ? 0 : 1;
    }
    CHECK(wrong == 0);
}

TEST_CASE("halfway cases, and a digit above and below them, agree with MPFR")
{
    generator random(3);
    int wrong = 0;
    for (int i = 0; i < 3000; ++i) {
        const dd_real x = any_dd(random);
        const dd_real to = i % 2 == 0 ? dd_real(x.hi, std::nextafter(x.lo, infinity))
                                      : dd_real(std::nextafter(x.hi, 0.0), 0);
        if (!std::isfinite(to.hi) || !std::isfinite(to.lo)) continue;
        mpfr sum(5000);
        mpfr_set_d(sum, x.hi, MPFR_RNDN);
        if (i % 2 == 0) mpfr_add_d(sum, sum, x.lo, MPFR_RNDN);
        mpfr_add_d(sum, sum, to.hi, MPFR_RNDN);
        mpfr_add_d(sum, sum, to.lo, MPFR_RNDN);
        mpfr_div_2ui(sum, sum, 1, MPFR_RNDN);
        std::vector<char> text(2000);
        mpfr_snprintf(text.data(), text.size(), "%.1500Re", mpfr_ptr(sum));
        std::string tie = text.data();
        wrong += agrees(tie) ? 0 : 1;
        const std::size_t exponent = tie.find('e');
        wrong +=
            agrees(std::string(tie).insert(exponent, 400, '0').insert(exponent + 400, "1")) ? 0 : 1;
        const std::size_t last = tie.find_last_not_of("0", exponent - 1);
        if (tie[last] == '.') continue;
        tie[last] = static_cast<char>(tie[last] - 1);
        wrong += agrees(tie.insert(last + 1, 30, '9')) ? 0 : 1;
    }
    CHECK(wrong == 0);
}

TEST_CASE("a hundred thousand digits take no time")
{
    const std::clock_t start = std::clock();  // of the processor: others may use it, too
    const std::string zeros(100000, '0'), threes(100000, '3');
    CHECK(same(parse_dd("0." + threes), parse_dd("0." + threes.substr(0, 60))));
    CHECK(same(parse_dd("1" + zeros + "e-100000"), {1, 0}));
    CHECK(same(parse_dd("0." + zeros + "1e100001"), {1, 0}));
    CHECK(same(parse_dd("1." + zeros + "1"), {1, 0}));
    CHECK(same(parse_dd("9007199254740993." + zeros + "1"), {9007199254740992, 1}));
    CHECK(same(parse_dd("1.00000000000000011102230246251565404236316680908203125" + zeros + "1"),
               truth("1.00000000000000011102230246251565404236316680908203125" + zeros + "1")));
    CHECK(std::clock() - start < 2 * CLOCKS_PER_SEC);
}

TEST_CASE("the exact expansion of a dd_real reads back as that dd_real")
{
    generator random(4);
    int wrong = 0;
    for (int i = 0; i < 3000; ++i) {
        const dd_real x = any_dd(random);
        if (!same(read(exact_text(x)).value, x)) ++wrong;
    }
    CHECK(wrong == 0);
}
