// What a file asks for of memory is compared with a limit before it is allocated.
//
// By hand: a row takes an offset of 8 bytes, an entry 16 as it is read and 12 in A, in
// double-double 24 and 20.
#include "catch.hpp"
#include "ddla/text.hpp"
#include "matrix_market_fixture.hpp"

using namespace ddla;
using namespace ddla::test;

namespace {

const std::string banner = "%%MatrixMarket matrix ";

/// What reading with so many bytes says; empty if it reads.
template <class Read>
std::string refusal(const Read& read)
try {
    read();
    return {};
} catch (const resource_error& e) {
    return e.what();
}

struct sized_file {
    std::string text;
    std::size_t least;   ///< bytes with which it is read
    std::string asking;  ///< what takes them
    int line = 2;
};

template <scalar V>
void check_limits(const std::vector<sized_file>& table)
{
    const directory here;
    for (const sized_file& row : table) {
        const auto file = put(here / "a.mtx", row.text);
        INFO(row.text);
        CHECK_NOTHROW(read_any_matrix<V>(file, 1, nullptr, row.least));
        const std::string said =
            refusal([&] { read_any_matrix<V>(file, 1, nullptr, row.least - 1); });
        CHECK(said == file.string() + ":" + std::to_string(row.line) + ": " + row.asking +
                          " take at least " + std::to_string(row.least) +
                          " bytes, memory_limit allows " + std::to_string(row.least - 1));
    }
}

}  // namespace

TEST_CASE("a matrix is held to a limit of memory")
{
    const std::string three = "3 3 3\n1 1 1\n2 2 1\n3 3 1\n";
    check_limits<double>(
        {{banner + "coordinate real general\n" + three, 3 * 8 + 3 * 28,
          "the sizes 3 x 3 and 3 entries"},
         {banner + "coordinate real general\n% here\n\n" + three, 3 * 8 + 3 * 28,
          "the sizes 3 x 3 and 3 entries", 4},
         {banner + "coordinate pattern general\n2 2 1\n1 2\n", 2 * 8 + 28,
          "the sizes 2 x 2 and 1 entries"},
         // Mirrored, but for the diagonal, of which a symmetric file may have as much as there is.
         {banner + "coordinate real symmetric\n3 3 4\n1 1 1\n2 2 1\n3 3 1\n3 1 1\n", 3 * 8 + 5 * 28,
          "the sizes 3 x 3 and 4 entries"},
         {banner + "coordinate real symmetric\n3 3 2\n2 1 1\n3 1 1\n", 3 * 8 + 4 * 28,
          "3 rows and 4 entries"},
         {banner + "coordinate real skew-symmetric\n3 3 1\n3 1 1\n", 3 * 8 + 2 * 28,
          "the sizes 3 x 3 and 1 entries"},
         // The values of an array, and of the matrix those that are not 0.
         {banner + "array real general\n2 2\n0\n1\n0\n0\n", 2 * 8 + 4 * 8, "the sizes 2 x 2"},
         {banner + "array real general\n2 2\n1\n1\n1\n1\n", 2 * 8 + 4 * 28, "2 rows and 4 entries"},
         // The real form has twice the rows, and two entries for a real number, four for others.
         {banner + "coordinate complex general\n2 2 1\n1 1 1 0\n", 4 * 8 + 2 * 28,
          "the sizes 2 x 2 and 1 entries"},
         {banner + "coordinate complex general\n2 2 1\n1 1 1 2\n", 4 * 8 + 4 * 28,
          "4 rows and 4 entries"}});
    check_limits<dd_real>(
        {{banner + "coordinate real general\n" + three, 3 * 8 + 3 * 44,
          "the sizes 3 x 3 and 3 entries"},
         {banner + "array real general\n2 2\n0\n1\n0\n0\n", 2 * 8 + 4 * 16, "the sizes 2 x 2"}});
}

TEST_CASE("sizes that a file only declares are refused, or are wrong, before memory is taken")
{
    const directory here;
    const auto rows = put(here / "r.mtx", banner + "coordinate real general\n2147483647 1 0\n");
    CHECK(refusal([&] { read_matrix<double>(rows, 1, nullptr, 1'000'000'000); }) ==
          rows.string() + ":2: the sizes 2147483647 x 1 and 0 entries take at least 17179869176 "
                          "bytes, memory_limit allows 1000000000");
    // Entries that the text has no room for are none.
    const auto entries =
        put(here / "e.mtx", banner + "coordinate real general\n3 3 9000000000000000000\n1 1 1\n");
    CHECK_THAT(complaint([&] { read_matrix<double>(entries, 1, nullptr, 1000); }),
               Catch::Contains("the file ends after 1 entry"));
    const auto columns =
        put(here / "c.mtx", banner + "coordinate real general\n1000 1000 1\n1 1 1\n");
    CHECK_THAT(refusal([&] { read_vectors<double>(columns, 1, nullptr, 8'000'000); }),
               Catch::Contains("the sizes 1000 x 1000 take at least 80"));
    CHECK(refusal([&] { read_vectors<double>(columns, 1, nullptr, 9'000'000); }).empty());
    const auto words = put(here / "w.mtx", banner + "array real general\n2 1\n1\n2\n");
    CHECK_THAT(refusal([&] { read_four_words(words, 1, nullptr, 63); }),
               Catch::Contains("the sizes 2 x 1 take at least 64 bytes"));
    CHECK(refusal([&] { read_four_words(words, 1, nullptr, 64); }).empty());
}

TEST_CASE("the text of a compressed file counts")
{
    // The second is less than what a step has room for, of the third that is left after some steps.
    const std::size_t length = GENERATE(2'000'000, 10, 2'150'000);
    const directory here;
    const std::string text =
        banner + "coordinate real general\n3 3 1\n% " + std::string(length, '-') + "\n1 1 1\n";
    INFO(length << " characters of comment");
    const auto file = put(here / "a.mtx.gz", compressed(text));
    const auto with = [&](std::size_t limit) {
        return refusal([&] { read_matrix<double>(file, 1, nullptr, limit); });
    };
    const std::size_t least = text.size() + 3 * 8 + 28;
    CHECK(with(least) == "");
    CHECK(with(least - 1) == file.string() + ":2: the sizes 3 x 3 and 1 entries take at least " +
                                 std::to_string(least) +
                                 " bytes with the text, memory_limit allows " +
                                 std::to_string(least - 1));
    for (const std::size_t limit : {text.size() - 1, std::size_t(1)})
        CHECK(with(limit) == file.string() +
                                 ": its text takes too many bytes, memory_limit allows " +
                                 std::to_string(limit));
    // A file that is not compressed is mapped.
    const auto plain = put(here / "a.mtx", text);
    CHECK(refusal([&] { read_matrix<double>(plain, 1, nullptr, 3 * 8 + 28); }) == "");
}
