// Malformed files: each is refused with the file, the line and the cause.
#include "catch.hpp"
#include "ddla/text.hpp"
#include "matrix_market_fixture.hpp"

#include <vector>

using namespace ddla;
using namespace ddla::test;
using namespace std::string_view_literals;

namespace {

struct broken_file {
    std::string_view banner;
    std::string_view rest;
    int line;
    const char* cause;
};

constexpr std::string_view nothing;
constexpr auto general = "%%MatrixMarket matrix coordinate real general\n"sv;
constexpr auto symmetric = "%%MatrixMarket matrix coordinate real symmetric\n"sv;
constexpr auto skew = "%%MatrixMarket matrix coordinate real skew-symmetric\n"sv;
constexpr auto integer = "%%MatrixMarket matrix coordinate integer general\n"sv;
constexpr auto pattern = "%%MatrixMarket matrix coordinate pattern general\n"sv;
constexpr auto array = "%%MatrixMarket matrix array real general\n"sv;
constexpr auto symmetric_array = "%%MatrixMarket matrix array real symmetric\n"sv;
constexpr auto skew_array = "%%MatrixMarket matrix array real skew-symmetric\n"sv;

/// Just above the largest double, without an exponent.
const std::string long_value_text = "2 2 1\n1 1 -17976931348623159" + std::string(292, '0') + "\n";
const std::string_view long_value = long_value_text;

// clang-format off
const std::vector<broken_file> broken_files = {
    {nothing, ""sv, 1, "the file is empty"},
    {nothing, "\n"sv, 1, "begins with '', not with %%MatrixMarket"},
    {nothing, "3 3 1\n1 1 1\n"sv, 1, "begins with '3', not with %%MatrixMarket: such a file needs a first line like \"%%MatrixMarket matrix coordinate real general\""},
    {nothing, "1 2\n1\n2\n"sv, 1, "a first line like \"%%MatrixMarket matrix array real general\""},
    {nothing, "%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1\n"sv, 1, "begins with '%MatrixMarket'"},
    {nothing, "\n%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1\n"sv, 1, "not with %%MatrixMarket"},
    {nothing, "%%MatrixMarket\n"sv, 1, "the banner has 0 words"},
    {nothing, "%%MatrixMarket matrix coordinate real\n1 1 1\n1 1 1\n"sv, 1, "the banner has 3 words"},
    {nothing, "%%MatrixMarket matrix coordinate real general extra\n1 1 1\n1 1 1\n"sv, 1, "the banner has 5 words"},
    {nothing, "%%MatrixMarket vector coordinate real general\n1 1\n1 1\n"sv, 1, "object 'vector' is not supported"},
    {nothing, "%%MatrixMarket graph coordinate real general\n1 1\n1 1\n"sv, 1, "object 'graph' is not supported (only matrix, vector)"},
    {nothing, "%%MatrixMarket matrix sparse real general\n1 1 1\n"sv, 1, "format 'sparse' is not supported (only coordinate, array)"},
    {nothing, "%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 0\n"sv, 1, "the file is complex: here only real ones are read"},
    {nothing, "%%MatrixMarket matrix coordinate quaternion general\n"sv, 1, "field 'quaternion' is not supported"},
    {nothing, "%%MatrixMarket matrix coordinate real hermitian\n1 1 1\n1 1 1\n"sv, 1, "only a complex matrix can be hermitian"},
    {nothing, "%%MatrixMarket matrix coordinate real upper\n"sv, 1, "symmetry 'upper' is not supported"},
    {nothing, "%%MatrixMarket matrix array pattern general\n1 1\n"sv, 1, "an array cannot be a pattern"},
    {nothing, "%%MatrixMarket matrix coordinate pattern skew-symmetric\n2 2 1\n2 1\n"sv, 1, "a pattern has no signs"},
    {general, ""sv, 1, "the file ends before the size line"},
    {general, "% only\n\n% comments\n"sv, 4, "the file ends before the size line"},
    {general, "2 2\n1 1 1\n"sv, 2, "the size line has 2 words, not 3"},
    {general, "2 2 1 1\n1 1 1\n"sv, 2, "the size line has 4 words, not 3"},
    {array, "2 2 4\n1\n"sv, 2, "the size line has 3 words, not 2"},
    {array, "4\n1\n"sv, 2, "the size line has 1 words, not 2"},
    {general, "% c\n\n-2 2 1\n1 1 1\n"sv, 4, "number of rows '-2' is negative"},
    {general, "2 -2 1\n1 1 1\n"sv, 2, "number of columns '-2' is negative"},
    {general, "2 2 -1\n"sv, 2, "number of entries '-1' is negative"},
    {general, "2.0 2 1\n1 1 1\n"sv, 2, "number of rows '2.0' is not an integer"},
    {general, "two 2 1\n1 1 1\n"sv, 2, "number of rows 'two' is not an integer"},
    {general, "2 2 1e1\n1 1 1\n"sv, 2, "number of entries '1e1' is not an integer"},
    {general, "2147483648 2 1\n1 1 1\n"sv, 2, "number of rows '2147483648' is above 2147483647"},
    {general, "2 3000000000 1\n1 1 1\n"sv, 2, "number of columns '3000000000' is above 2147483647"},
    {general, "2 99999999999999999999 1\n1 1 1\n"sv, 2, "number of columns '99999999999999999999' is above"},
    {general, "2 2 99999999999999999999\n1 1 1\n"sv, 2, "number of entries '99999999999999999999' is above"},
    {general, "2 2 9223372036854775807\n1 1 1\n"sv, 3, "the file ends after 1 entry: the size line declares 9223372036854775807"},
    {array, "2147483647 2147483647\n1\n"sv, 3, "the file ends after 1 value: an array of 2147483647 x 2147483647 has 4611686014132420609"},
    {symmetric, "3 4 1\n1 1 1\n"sv, 2, "a matrix of 3 x 4 is not square, so it cannot be symmetric"},
    {skew, "4 3 1\n2 1 1\n"sv, 2, "4 x 3 is not square, so it cannot be skew-symmetric"},
    {general, "2 2 2\n1 1 1\n"sv, 3, "the file ends after 1 entry: the size line declares 2"},
    {general, "2 2 3\n"sv, 2, "the file ends after 0 entries: the size line declares 3"},
    {general, "2 2 1\n1 1 1\n2 2 2\n"sv, 4, "one entry too many: the size line declares 1"},
    {general, "2 2 0\n\n% x\n2 2 2\n"sv, 5, "one entry too many: the size line declares 0"},
    {array, "2 1\n1\n2\n3\n"sv, 5, "one value too many: an array of 2 x 1 has 2"},
    {symmetric_array, "2 2\n1\n2\n2\n3\n"sv, 6, "one value too many: a symmetric array of 2 x 2 has 3, the diagonal and below"},
    {skew_array, "2 2\n0\n3\n0\n"sv, 4, "one value too many: a skew-symmetric array of 2 x 2 has 1, those below the diagonal"},
    {skew_array, "3 3\n1\n2\n"sv, 4, "the file ends after 2 values: a skew-symmetric array of 3 x 3 has 3, those below"},
    {array, "2 2\n1\n2\n3\n"sv, 5, "the file ends after 3 values: an array of 2 x 2 has 4"},
    {general, "2 2 1\n0 1 1\n"sv, 3, "row index '0' is not in 1 ... 2"},
    {general, "2 2 2\n1 1 1\n1 0 1\n"sv, 4, "column index '0' is not in 1 ... 2"},
    {general, "2 2 1\n3 1 1\n"sv, 3, "row index '3' is not in 1 ... 2"},
    {general, "2 2 1\n1 3 1\n"sv, 3, "column index '3' is not in 1 ... 2"},
    {general, "2 2 1\n-1 1 1\n"sv, 3, "row index '-1' is not in 1 ... 2"},
    {general, "0 0 1\n1 1 1\n"sv, 3, "row index '1' is not in 1 ... 0"},
    {general, "2 2 1\n18446744073709551617 1 1\n"sv, 3, "row index '18446744073709551617' is not in 1 ... 2"},
    {general, "2 2 1\n1.0 1 1\n"sv, 3, "row index '1.0' is not an integer"},
    {general, "2 2 1\n1 1e0 1\n"sv, 3, "column index '1e0' is not an integer"},
    {general, "2 2 1\na 1 1\n"sv, 3, "row index 'a' is not an integer"},
    {general, "2 2 1\nabc 1 1 1\n"sv, 3, "row index 'abc' is not an integer"},
    {general, "2 2 1\n1,1,1\n"sv, 3, "row index '1,1,1' is not an integer"},
    {general, "2 2 1\n1\n"sv, 3, "the line ends before the column index"},
    {general, "2 2 1\n1 1\n"sv, 3, "the line ends before the value"},
    {general, "2 2 1\n1 1"sv, 3, "the line ends before the value"},
    {general, "2 2 1\n1 1 one\n"sv, 3, "value 'one' is not a finite number"},
    {general, "2 2 1\n1 1 1.2.3\n"sv, 3, "value '1.2.3' is not a finite number"},
    {general, "2 2 1\n1 1 1e\n"sv, 3, "value '1e' is not a finite number"},
    {general, "2 2 1\n1 1 0x10\n"sv, 3, "value '0x10' is not a finite number"},
    {general, "2 2 1\n1 1 --1\n"sv, 3, "value '--1' is not a finite number"},
    {general, "2 2 1\n1 1 +-1\n"sv, 3, "value '+-1' is not a finite number"},
    {general, "2 2 1\n1 1 1,5\n"sv, 3, "value '1,5' is not a finite number"},
    {general, "2 2 1\n1 1 nan\n"sv, 3, "value 'nan' is not a finite number"},
    {general, "2 2 1\n1 1 -Infinity\n"sv, 3, "value '-Infinity' is not a finite number"},
    {general, "2 2 1\n1 1 1e999\n"sv, 3, "value '1e999' is not within the range of double"},
    {general, long_value, 3, "is not within the range of double"},
    {general, "2 2 1\n1 1 1.0 2.0\n"sv, 3, "'2.0' follows the last word of the line"},
    {general, "2 2 1\n1 1 1.0 % note\n"sv, 3, "'%' follows the last word"},
    {array, "2 1\n1 2\n"sv, 3, "'2' follows the last word"},
    {pattern, "2 2 1\n1 1 1.0\n"sv, 3, "'1.0' follows the last word"},
    {pattern, "2 2 1\n1\n"sv, 3, "the line ends before the column index"},
    {integer, "2 2 1\n1 1 1.5\n"sv, 3, "value '1.5' is not an integer"},
    {integer, "2 2 1\n1 1 1e3\n"sv, 3, "value '1e3' is not an integer"},
    {symmetric, "2 2 2\n2 1 1\n1 2 1\n"sv, 4, "lies above the diagonal and that of line 3 below it"},
    {symmetric, "3 3 3\n1 3 1\n2 2 1\n3 1 1\n"sv, 5, "lies below the diagonal and that of line 3 above it"},
    {skew, "2 2 1\n1 1 5\n"sv, 3, "a skew-symmetric matrix has zeros on its diagonal, but entry (1, 1) is not zero"},
    {general, "2 2 1\n1 1 1\0\n"sv, 3, "value '1\\x00' is not a finite number"},
    {general, "2 2 1\n\0\0 1 1\n"sv, 3, "row index '\\x00\\x00' is not an integer"},
    {nothing, "\x7f" "ELF\x02\x01\x01\0\0\0\n"sv, 1, "begins with '\\x7fELF\\x02\\x01\\x01\\x00\\x00\\x00'"},
    {nothing, "%%MatrixMarket matrix coordinate real general\r1 1 1\r1 1 1\r"sv, 1, "the banner has 10 words"},
};
// clang-format on

/// The message that reading gives; empty if it succeeds.
void check_complaint(const std::string& message, const std::string& start, const std::string& cause)
{
    INFO(message);
    CHECK(message.starts_with(start));
    CHECK(message.find(cause) != std::string::npos);
    CHECK(message.find('\n') == std::string::npos);
}

}  // namespace

TEST_CASE("broken files are refused with file, line and cause")
{
    const directory here;
    const auto file = here / "broken.mtx";
    CHECK(broken_files.size() >= 60);
    for (const broken_file& broken : broken_files) {
        put(file, std::string(broken.banner) + std::string(broken.rest));
        const std::string start = file.string() + ":" + std::to_string(broken.line) + ": ";
        INFO(broken.rest);
        for (const int threads : {1, 3})
            check_complaint(complaint([&] { read_matrix<double>(file, threads); }), start,
                            broken.cause);
        check_complaint(complaint([&] { read_matrix<dd_real>(file); }), start, broken.cause);
    }
}

TEST_CASE("the first of several mistakes is reported, however many threads there are")
{
    const directory here;
    const auto file = here / "broken.mtx";
    std::string text(general);
    text += "100000 100000 300000\n";
    for (int k = 0; k < 200000; ++k) {
        const bool wrong = k == 60000 || k == 60001 || k == 190000;
        text += std::to_string(k % 100000 + 1) + (wrong ? " 0 1.5\n" : " 7 1.25\n");
    }
    put(file, text);
    for (const int threads : {1, 2, 3, 7})
        check_complaint(complaint([&] { read_matrix<double>(file, threads); }),
                        file.string() + ":60003: ", "column index '0' is not in 1 ... 100000");
    text.replace(text.find("300000"), 6, "050000");
    put(file, text);
    for (const int threads : {1, 2, 3, 7})
        check_complaint(complaint([&] { read_matrix<double>(file, threads); }),
                        file.string() + ":50003: ", "one entry too many");
}

TEST_CASE("broken gzip files")
{
    const directory here;
    std::string text(general);
    text += "1000 1 1000\n";
    generator random(61);
    for (int i = 1; i <= 1000; ++i)
        text +=
            std::to_string(i) + " 1 " + to_string(dd_real(any_double(random))).substr(0, 9) + "1\n";
    const std::string whole = compressed(text);
    const auto file = here / "broken.mtx.gz";
    const auto complain = [&](const std::string& content) {
        put(file, content);
        return complaint([&] { read_matrix<double>(file); });
    };
    const std::string start = file.string() + ":";
    check_complaint(complain(whole.substr(0, whole.size() / 2)), start, "ends too early");
    check_complaint(complain(whole.substr(0, whole.size() - 4)),
                    start + "1003: ", "ends too early");
    check_complaint(complain(whole.substr(0, 5)), start + "1: ", "ends too early");
    std::string corrupt = whole;
    for (std::size_t i = whole.size() / 2; i < whole.size() / 2 + 20; ++i) corrupt[i] = '\x55';
    check_complaint(complain(corrupt), start, "corrupt");
    check_complaint(complain(whole + "garbage"), start, "corrupt");
    check_complaint(complain(compressed(std::string(general) + "1 1 1\n1 2 1\n")),
                    start + "3: ", "column index '2'");
}

TEST_CASE("files that cannot be read")
{
    const directory here;
    check_complaint(complaint([&] { read_matrix<double>(here / "missing.mtx"); }),
                    (here / "missing.mtx").string() + ": ",
                    "cannot be opened: No such file or directory");
    std::filesystem::create_directory(here / "directory.mtx");
    check_complaint(complaint([&] { read_vector<double>(here / "directory.mtx"); }),
                    (here / "directory.mtx").string() + ": ", "is a directory");
    check_complaint(complaint([&] { read_matrix<double>(""); }), ": ", "cannot be opened");
}

TEST_CASE("sizes beyond the memory of any machine")
{
    const directory here;
    const auto file =
        put(here / "a.mtx", "%%MatrixMarket matrix coordinate real general\n2147483647 1 0\n");
    // Machines with more than 16 GiB try, and may succeed: then there is nothing to see.
    if (::sysconf(_SC_PHYS_PAGES) / 1024 * ::sysconf(_SC_PAGESIZE) < 16 * 1024 * 1024)
        CHECK_THROWS_AS(read_matrix<double>(file), resource_error);
}

TEST_CASE("a matrix is not a vector")
{
    const directory here;
    const auto file = here / "x.mtx";
    put(file, "%%MatrixMarket matrix array real general\n% x\n3 2\n1\n2\n3\n4\n5\n6\n");
    check_complaint(complaint([&] { read_vector<double>(file); }), file.string() + ":3: ",
                    "a matrix of 3 x 2 is not a vector, which has one column");
    put(file, "%%MatrixMarket matrix coordinate real general\n3 1 1\n4 1 1\n");
    check_complaint(complaint([&] { read_vector<dd_real>(file); }),
                    file.string() + ":3: ", "row index '4' is not in 1 ... 3");
}
