// Numbers in four words: read as MPFR says, written so that they come back with the same bits.
#include "catch.hpp"
#include "ddla/text.hpp"
#include "files/decimal/decimal_write.hpp"
#include "matrix_market_fixture.hpp"

#include <cmath>
#include <fstream>
#include <sstream>

using namespace ddla;
using namespace ddla::test;

namespace {

using words = std::pair<dd_real, dd_real>;

constexpr mpfr_prec_t many_bits = 8000;

/// The dd_real nearest to the decimal number, and the words of what it leaves, by MPFR.
words truth_in_four_words(const std::string& text)
{
    const dd_real high = truth(text);
    mpfr value(many_bits);
    mpfr_set_str(value, text.c_str(), 10, MPFR_RNDN);
    mpfr_sub_d(value, value, high.hi, MPFR_RNDN);
    mpfr_sub_d(value, value, high.lo, MPFR_RNDN);
    const double third = mpfr_get_d(value, MPFR_RNDN);
    mpfr_sub_d(value, value, third, MPFR_RNDN);
    const exact low = fast_two_sum(third, mpfr_get_d(value, MPFR_RNDN));
    return {high, {low.value, low.error}};
}

std::string random_decimal(generator& random)
{
    std::string text = pick(random, 0, 1) == 0 ? "-" : "";
    text += static_cast<char>('1' + pick(random, 0, 8));
    text += '.';
    const int digits = pick(random, 0, 3) == 0 ? pick(random, 0, 30) : pick(random, 50, 90);
    for (int k = 0; k < digits; ++k) text += static_cast<char>('0' + pick(random, 0, 9));
    return text + "e" + std::to_string(pick(random, -150, 150));
}

/// The text of x + low with so many digits, by MPFR.
std::string text_by_mpfr(const words& x, int digits)
{
    mpfr value(many_bits);
    mpfr_set_d(value, x.first.hi, MPFR_RNDN);
    for (const double w : {x.first.lo, x.second.hi, x.second.lo})
        mpfr_add_d(value, value, w, MPFR_RNDN);
    char text[200];
    mpfr_snprintf(text, sizeof text, "%.*Re", digits - 1, static_cast<mpfr_ptr>(value));
    return text;
}

std::string array_of(const std::vector<std::string>& numbers)
{
    std::string text =
        "%%MatrixMarket matrix array real general\n" + std::to_string(numbers.size()) + " 1\n";
    for (const std::string& number : numbers) text += number + "\n";
    return text;
}

std::pair<vector<dd_real>, vector<dd_real>> read_text(const std::string& text)
{
    const auto file = std::filesystem::temp_directory_path() /
                      ("ddla_four_words_" + std::to_string(::getpid()) + ".mtx");
    std::ofstream(file) << text;
    struct remover {
        std::filesystem::path file;
        ~remover() { std::filesystem::remove(file); }
    } const after{file};
    return read_four_words(file);
}

}  // namespace

TEST_CASE("four words of decimals, as MPFR has them")
{
    generator random(61);
    std::vector<std::string> numbers{"0",   "1",      "-2.5",
                                     "0.1", "1e-200", "1." + std::string(63, '0') + "1"};
    while (numbers.size() < 2000) numbers.push_back(random_decimal(random));
    const auto [x, x_low] = read_text(array_of(numbers));
    REQUIRE(x.size() == 2000);
    for (index_t i = 0; i < x.size(); ++i) {
        const std::string& text = numbers[static_cast<std::size_t>(i)];
        INFO(text);
        const words expected = truth_in_four_words(text);
        CHECK(same(x[i], expected.first));
        CHECK(same(x_low[i], expected.second));
        CHECK(to_string(x[i], x_low[i], 64) == text_by_mpfr({x[i], x_low[i]}, 64));
    }
}

TEST_CASE("four words come back with the same bits, in 64 digits and few more")
{
    generator random(62);
    std::vector<std::string> numbers{"0", "-1", "0.5"};
    while (numbers.size() < 2000) numbers.push_back(random_decimal(random));
    auto [x, x_low] = read_text(array_of(numbers));
    x.set(1, {-1, 0x1p-60});
    x_low.set(1, dd_real(0x1p-900));  // words that are far apart need all digits between them
    const auto file = std::filesystem::temp_directory_path() /
                      ("ddla_four_words_out_" + std::to_string(::getpid()) + ".mtx");
    write_vector(file, x, x_low, "x");
    const auto [back, back_low] = read_four_words(file);
    std::ifstream lines(file);
    std::string line;
    for (int k = 0; k < 3; ++k) std::getline(lines, line);
    REQUIRE(back.size() == x.size());
    for (index_t i = 0; i < x.size(); ++i) {
        REQUIRE(std::getline(lines, line));
        INFO(line);
        CHECK(same(back[i], x[i]));
        CHECK(same(back_low[i], x_low[i]));
        if (i == 2) CHECK(line == "5e-01");
        if (i > 2) CHECK(line.size() <= 64 + 6 + 8);
    }
    // Who reads two words gets those of the nearest dd_real.
    CHECK(same(read_vector<dd_real>(file)[5], x[5]));
    std::filesystem::remove(file);
}

TEST_CASE("four words are refused where there are none")
{
    const vector<dd_real> x(2), low(3);
    CHECK_THROWS_AS(write_vector("/nowhere", x, low), input_error);
    CHECK_THROWS_WITH(read_text("%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 2\n"),
                      Catch::Contains("array files"));
    CHECK_THROWS_WITH(read_text("%%MatrixMarket matrix array real general\n1 2\n1\n2\n"),
                      Catch::Contains("one column"));
    CHECK_THROWS_AS(read_text(array_of({"1", "x"})), input_error);
    CHECK_THROWS_AS(read_text(array_of({"1e400"})), input_error);
}

TEST_CASE("words that cancel have the digits of their exact sum")
{
    const std::string zeros(63, '0');
    CHECK(to_string(dd_real(7), dd_real(-7), 64) == "0." + zeros + "e+00");
    CHECK(to_string(dd_real(1), dd_real(-3), 64) == "-2." + zeros + "e+00");
    CHECK(to_string(dd_real(-1), dd_real(3), 64) == "2." + zeros + "e+00");
    CHECK(to_string(dd_real(0), dd_real(5), 3) == "5.00e+00");
    CHECK(to_string(dd_real(1, 0x1p-600), dd_real(-1), 3) == "2.41e-181");
    CHECK(to_string(dd_real(1), dd_real(HUGE_VAL), 3) == "1.00e+00");
    CHECK(ddla::text::text_in_four_words(dd_real(1), dd_real(-3)) == "-2e+00");
}
