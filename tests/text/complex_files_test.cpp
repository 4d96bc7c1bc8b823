// Complex Matrix Market files: the real form against products of std::complex, text both ways,
// refusals.
#include "catch.hpp"
#include "ddla/blas.hpp"
#include "ddla/complex.hpp"
#include "ddla/text.hpp"
#include "files/read/read_text.hpp"
#include "matrix_market_fixture.hpp"

#include <complex>
#include <map>
#include <string>
#include <vector>

using namespace ddla;
using namespace ddla::test;

namespace {

using number = std::complex<double>;
using entries = std::map<std::pair<int, int>, number>;

const std::string banner = "%%MatrixMarket matrix coordinate complex ";
const std::string array_banner = "%%MatrixMarket matrix array complex ";

/// The real form by its definition, as `listing` prints one: of integers, without zero parts.
std::string real_listing(int rows, const entries& a)
{
    std::string text;
    for (int i = 0; i < rows; ++i)
        for (const bool imaginary : {false, true})
            for (const auto& [at, z] : a) {
                if (at.first != i) continue;
                const double left = imaginary ? z.imag() : z.real();
                const double right = imaginary ? z.real() : -z.imag();
                for (const int side : {0, 1}) {
                    const double value = side == 0 ? left : right;
                    if (value != 0)
                        text += std::to_string(2 * i + (imaginary ? 2 : 1)) + " " +
                                std::to_string(2 * at.second + 1 + side) + " " +
                                to_string(dd_real(value)) + "\n";
                }
            }
    return text;
}

struct good_file {
    std::string text;
    int rows;
    entries holds;
};

const std::vector<good_file> good_files{
    {banner + "general\n% c\n2 3 3\n1 1 4 -1\n2 3 0 2.5\n1 2 3D0 0\n",
     2,
     {{{0, 0}, {4, -1}}, {{1, 2}, {0, 2.5}}, {{0, 1}, {3, 0}}}},
    {banner + "symmetric\n2 2 2\n1 1 1 2\n2 1 3 4\n",
     2,
     {{{0, 0}, {1, 2}}, {{1, 0}, {3, 4}}, {{0, 1}, {3, 4}}}},
    {banner + "hermitian\n2 2 3\n1 1 1 0\n2 1 3 4\n2 2 7 0\n",
     2,
     {{{0, 0}, {1, 0}}, {{1, 0}, {3, 4}}, {{0, 1}, {3, -4}}, {{1, 1}, {7, 0}}}},
    {banner + "Hermitian\n2 2 1\n1 2 3 4\n", 2, {{{0, 1}, {3, 4}}, {{1, 0}, {3, -4}}}},
    {banner + "skew-symmetric\n2 2 1\n2 1 3 4\n", 2, {{{1, 0}, {3, 4}}, {{0, 1}, {-3, -4}}}},
    {array_banner + "general\n2 2\n1 1\n0 2\n0 0\n-3 4\n",
     2,
     {{{0, 0}, {1, 1}}, {{1, 0}, {0, 2}}, {{1, 1}, {-3, 4}}}},
    {array_banner + "hermitian\n2 2\n1 0\n5 2\n-3 0\n",
     2,
     {{{0, 0}, {1, 0}}, {{1, 0}, {5, 2}}, {{0, 1}, {5, -2}}, {{1, 1}, {-3, 0}}}},
    {array_banner + "symmetric\n2 2\n1 1\n5 2\n-3 4\n",
     2,
     {{{0, 0}, {1, 1}}, {{1, 0}, {5, 2}}, {{0, 1}, {5, 2}}, {{1, 1}, {-3, 4}}}},
    {array_banner + "skew-symmetric\n2 2\n5 2\n", 2, {{{1, 0}, {5, 2}}, {{0, 1}, {-5, -2}}}},
    {banner + "general\n1 1 2\n1 1 1 1\n1 1 2 -3\n", 1, {{{0, 0}, {3, -2}}}},
};

struct broken_file {
    std::string text;
    int line;
    const char* cause;
};

const std::vector<broken_file> broken_files{
    {banner + "general\n1 1 1\n1 1 1\n", 3, "the line ends before the imaginary part"},
    {banner + "general\n1 1 1\n1 1 1 2 3\n", 3, "'3' follows the last word of the line"},
    {banner + "general\n1 1 1\n1 1 1 i\n", 3, "value 'i' is not a finite number"},
    {banner + "general\n1 1 1\n1 1\n", 3, "the line ends before the value"},
    {banner + "general\n1073741824 1 0\n", 2, "rows '1073741824' is above 1073741823"},
    {banner + "hermitian\n2 2 2\n2 1 1 1\n2 2 3 1\n", 4,
     "real on its diagonal, but entry (2, 2) has an imaginary part"},
    {banner + "hermitian\n2 3 0\n", 2, "is not square, so it cannot be hermitian"},
    {banner + "hermitian\n2 2 2\n2 1 1 1\n1 2 1 -1\n", 4, "hermitian file holds one triangle"},
    {banner + "skew-symmetric\n1 1 1\n1 1 0 1\n", 3, "zeros on its diagonal"},
    {array_banner + "hermitian\n2 2\n1 0\n5 2\n% c\n-3 1\n", 6,
     "entry (2, 2) has an imaginary part"},
    {array_banner + "general\n2 1\n1 0\n", 3, "the file ends after 1 value"},
    {"%%MatrixMarket matrix coordinate real hermitian\n1 1 1\n1 1 1\n", 1,
     "only a complex matrix can be hermitian"},
};

}  // namespace

TEST_CASE("complex files become the real form")
{
    const directory here;
    for (const good_file& good : good_files) {
        INFO(good.text);
        const auto file = put(here / "a.mtx", good.text);
        const auto a = read_any_matrix<double>(file);
        CHECK(a.is_complex);
        CHECK(a.numbers.rows() == 2 * good.rows);
        CHECK(listing(a.numbers) == real_listing(good.rows, good.holds));
        CHECK(listing(read_any_matrix<dd_real>(file).numbers) == listing(a.numbers));
        const text::characters cut{good.text.data(), good.text.data() + good.text.size()};
        for (const int bytes : {1, 7, 20})
            CHECK(same(a.numbers, text::any_matrix_from_text<double>(
                                      cut, "cut", {.threads = 3, .piece_bytes = bytes})
                                      .numbers));
        const auto columns = read_any_vectors<dd_real>(file);
        CHECK(columns.is_complex);
        for (const auto& [at, z] : good.holds) {
            const vector<dd_real>& x = columns.numbers.at(static_cast<std::size_t>(at.second));
            CHECK(x[2 * at.first] == dd_real(z.real()));
            CHECK(x[2 * at.first + 1] == dd_real(z.imag()));
        }
    }
}

TEST_CASE("real files are what they were, and nothing takes a complex one for real")
{
    const directory here;
    const auto real = put(here / "r.mtx", "%%MatrixMarket matrix array real general\n2 1\n1\n2\n");
    CHECK_FALSE(read_any_matrix<double>(real).is_complex);
    CHECK_FALSE(read_any_vectors<double>(real).is_complex);
    CHECK_FALSE(read_any_vector<double>(real).is_complex);
    CHECK_FALSE(read_any_four_words(real).is_complex);
    CHECK(same(read_any_matrix<double>(real).numbers, read_matrix<double>(real)));

    const auto file = put(here / "z.mtx", array_banner + "general\n1 1\n1 2\n");
    const std::string start = file.string() + ":1: the file is complex";
    CHECK(complaint([&] { read_matrix<double>(file); }).starts_with(start));
    CHECK(complaint([&] { read_vector<double>(file); }).starts_with(start));
    CHECK(complaint([&] { read_vectors<dd_real>(file); }).starts_with(start));
    CHECK(complaint([&] { read_four_words(file); }).starts_with(start));
}

TEST_CASE("broken complex files are refused with file, line and cause")
{
    const directory here;
    for (const broken_file& broken : broken_files) {
        const auto file = put(here / "broken.mtx", broken.text);
        const std::string message = complaint([&] { read_any_matrix<double>(file); });
        INFO(broken.text << message);
        CHECK(message.starts_with(file.string() + ":" + std::to_string(broken.line) + ": "));
        CHECK(message.find(broken.cause) != std::string::npos);
    }
}

TEST_CASE("complex vectors survive a file with all words")
{
    const directory here;
    const auto file = here / "z.mtx";
    const dd_real third = dd_real(1) / dd_real(3);
    const vector<dd_real> x{third, -third * third, dd_real(2), dd_real(1e-300)};
    const vector<dd_real> y{dd_real(0), third, dd_real(-1), dd_real(5)};
    write_complex_vectors<dd_real>(file, {x, y}, "two");
    const std::string text = content_of(file);
    CHECK(text.starts_with(array_banner + "general\n% two\n2 2\n0.333"));
    CHECK(text.ends_with("\n-1 5\n"));
    const auto all = read_any_vectors<dd_real>(file);
    REQUIRE(all.numbers.size() == 2);
    CHECK(hash_of(all.numbers[0]) == hash_of(x));
    CHECK(hash_of(all.numbers[1]) == hash_of(y));

    const vector<dd_real> low{dd_real(1e-55), dd_real(-1e-60), dd_real(0), dd_real(0)};
    write_complex_vector(file, x, low);
    const auto four = read_any_four_words(file);
    CHECK(four.is_complex);
    CHECK(hash_of(four.numbers.first) == hash_of(x));
    CHECK(hash_of(four.numbers.second) == hash_of(low));
    CHECK(complaint([&] { write_complex_vectors<double>(file, {vector<double>(3)}); }) ==
          file.string() + ": the real form of complex numbers has an even size, not 3");
}
