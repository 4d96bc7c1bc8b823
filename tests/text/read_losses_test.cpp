// What values lose when a file is read, and Fortran's exponents without a letter.
#include "catch.hpp"

#include "ddla/text.hpp"
#include "matrix_market_fixture.hpp"

#include <cstdio>

using namespace ddla;
using namespace ddla::test;

namespace {

const std::string array_banner = "%%MatrixMarket matrix array real general\n";

/// A column of these numbers.
std::filesystem::path column(const directory& folder, const std::vector<std::string>& values)
{
    std::string text = array_banner + std::to_string(values.size()) + " 1\n";
    for (const std::string& value : values) text += value + '\n';
    return put(folder / "x.mtx", text);
}

template <scalar T>
read_losses lost_of(const directory& folder, const std::vector<std::string>& values)
{
    read_losses lost{-1, -1, -1};
    read_vector<T>(column(folder, values), 1, &lost);
    return lost;
}

/// All digits of a double.
std::string exactly(double x)
{
    char text[1200];
    std::snprintf(text, sizeof text, "%.1100e", x);
    return text;
}

template <scalar T>
T number_in(const directory& folder, const std::string& text)
{
    return read_vector<T>(column(folder, {text}))[0];
}

std::string refusal(const directory& folder, const std::string& text)
{
    return complaint([&] { read_vector<double>(column(folder, {text})); });
}

}  // namespace

TEST_CASE("losses add up")
{
    read_losses all{1, 2, 3};
    all += {10, 20, 30};
    CHECK(all == read_losses{11, 22, 33});
}

TEST_CASE("values that became 0 are counted")
{
    const directory folder;
    // Half of the least double is 2.47e-324.
    const std::vector<std::string> values{"1e-400",   "-2e-324",         "0", "0e-400", "1",
                                          "2.4e-324", exactly(0x1p-1074)};
    CHECK(lost_of<double>(folder, values) == read_losses{3, 0, 0});
    CHECK(lost_of<dd_real>(folder, values) == read_losses{3, 0, 0});
    read_losses lost;
    read_four_words(column(folder, values), 1, &lost);
    CHECK(lost == read_losses{3, 0, 0});
}

TEST_CASE("values that keep fewer digits near 0 are counted")
{
    const directory folder;
    const std::vector<std::string> values{"3e-324",
                                          "1e-310",
                                          "2.2e-308",
                                          "2.2250738585072014e-308",  // the least normal number
                                          exactly(0x1.8p-1050),
                                          "1e-300",
                                          "1.23456789012345e-300"};
    CHECK(lost_of<double>(folder, values) == read_losses{0, 3, 0});
    // A low word of 1e-317 has 7 digits.
    const std::vector<std::string> longer{"1.2345678901234567890123456789012e-300",
                                          "1.2345678901234567890123456789012e-200", "1e-300"};
    CHECK(lost_of<double>(folder, longer) == read_losses{0, 0, 2});
    CHECK(lost_of<dd_real>(folder, longer) == read_losses{0, 1, 0});
}

TEST_CASE("what ddla has written reads back without losses")
{
    const directory folder;
    const vector<dd_real> x{parse_dd("1.2345678901234567890123456789012e-300"), dd_real(1) / 3,
                            dd_real(0x1.123456789abcdp-1000, 0x1p-1074)};
    const vector<dd_real> low{dd_real(0), parse_dd("1.23e-33"), dd_real(0)};
    read_losses lost{-1, -1, -1};
    write_vector(folder / "x.mtx", x);
    read_vector<dd_real>(folder / "x.mtx", 1, &lost);
    CHECK(lost == read_losses{});
    write_vector(folder / "x.mtx", x, low);
    read_four_words(folder / "x.mtx", 1, &lost);
    CHECK(lost == read_losses{});
}

TEST_CASE("digits beyond a double are counted where a vector is read in double")
{
    const directory folder;
    // The fourth is what printf("%.18e") makes of the double 0.1, the fifth all digits of it.
    CHECK(lost_of<double>(folder, {"0.1", "0.30000000000000004", "123456789012345",
                                   "1.000000000000000056e-01", exactly(0.1), "-2.5"}) ==
          read_losses{});
    CHECK(lost_of<double>(folder,
                          {"9007199254740993", "-0.33333333333333333333", "0.10000000000000000001",
                           "0.3333333333333333148296162562473909929394721984863281"}) ==
          read_losses{0, 0, 3});
    CHECK(lost_of<dd_real>(folder, {"9007199254740993", "0.33333333333333333333"}) ==
          read_losses{});
}

TEST_CASE("losses of a matrix are those of its file, whatever the threads")
{
    const directory folder;
    std::string text = "%%MatrixMarket matrix coordinate complex hermitian\n60000 60000 60000\n";
    for (int i = 1; i <= 60000; ++i)
        text += std::to_string(i) + " 1 " + (i % 3 == 0 ? "1e-400" : "1") +
                (i > 1 ? " 1e-310\n" : " 0\n");
    const auto file = put(folder / "a.mtx", text);
    for (const int threads : {1, 4}) {
        read_losses lost;
        read_any_matrix<double>(file, threads, &lost);
        CHECK(lost == read_losses{20000, 59999, 0});
    }
}

TEST_CASE("Fortran's exponents without a letter are read")
{
    const directory folder;
    CHECK(number_in<double>(folder, "1.234-100") == 1.234e-100);
    CHECK(number_in<double>(folder, "-1.234+100") == -1.234e100);
    CHECK(number_in<double>(folder, "+.339567+2") == 33.9567);
    CHECK(number_in<double>(folder, "5.-1") == 0.5);
    CHECK(same(number_in<dd_real>(folder, "1.234-100"), truth("1.234e-100")));
    read_losses lost;
    const auto x = read_vector<double>(column(folder, {"1.5-400"}), 1, &lost);
    CHECK(x[0] == 0);
    CHECK(lost.underflowed == 1);
    const auto z = read_any_vector<double>(put(
        folder / "z.mtx", "%%MatrixMarket matrix array complex general\n1 1\n1.5-100 2.5+100\n"));
    CHECK(z.numbers[0] == 1.5e-100);
    CHECK(z.numbers[1] == 2.5e100);
}

TEST_CASE("a sign within a number that may begin another one is refused")
{
    const directory folder;
    for (const char* const text : {"5-3", "12+100", "1.5-1000", "1.5-100-2", "1.5-"})
        CHECK_THAT(refusal(folder, text),
                   Catch::Contains(":3: value '" + std::string(text) +
                                   "' is not one number: an exponent without a letter needs a "
                                   "point before it and up to three digits, as in 1.5-100"));
    CHECK_THAT(refusal(folder, "1.5+2."), Catch::Contains("is not a finite number"));
    CHECK_THAT(refusal(folder, "1.5+999"), Catch::Contains("is not within the range of double"));
}
