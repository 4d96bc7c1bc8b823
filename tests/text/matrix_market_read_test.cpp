// Well-formed files of every flavour.
#include "catch.hpp"
#include "ddla/summation.hpp"
#include "ddla/text.hpp"
#include "files/read/read_text.hpp"
#include "matrix_market_fixture.hpp"

#include <cstdio>
#include <cstdlib>
#include <vector>

using namespace ddla;
using namespace ddla::test;

namespace {

const std::string general = "%%MatrixMarket matrix coordinate real general\n";

template <scalar V = double>
csr_matrix<V> read(const std::string& text, int threads = 1)
{
    const directory here;
    return read_matrix<V>(put(here / "a.mtx", text), threads);
}

}  // namespace

TEST_CASE("coordinate, real, general")
{
    const auto a = read(general + "% a comment\n2 3 4\n2 1 -1.5\n1 3 1e2\n1 1 0.25\n2 3 0\n");
    CHECK(a.rows() == 2);
    CHECK(a.columns() == 3);
    CHECK(listing(a) == "1 1 0.25\n1 3 100\n2 1 -1.5\n2 3 0\n");
}

TEST_CASE("what is found in practice")
{
    const std::string expected = "1 1 1.5\n2 2 -2\n";
    const auto list = [](const std::string& text) { return listing(read(text)); };
    CHECK(list(general + "2 2 2\n1 1 1.5\n2 2 -2\n") == expected);
    CHECK(list(general + "2 2 2\r\n1 1 1.5\r\n2 2 -2\r\n") == expected);
    CHECK(list(general + "2 2 2\n1 1 1.5\n2 2 -2") == expected);
    CHECK(list(general + "\n%\n  \t\n% x\n2 2 2\n\n1 1 1.5\n%y\n  % z\n\t\n2 2 -2\n\n \n%\n") ==
          expected);
    CHECK(list(general + " \t2\t2  2 \n\t1\t1\t1.5\t\n   2 2   -2 \n") == expected);
    CHECK(list("%%matrixmarket MATRIX Coordinate dOuBle GENERAL\n2 2 2\n1 1 1.5\n2 2 -2\n") ==
          expected);
    CHECK(list(general + "2 2 2\n1 1 +1.5D+00\n2 2 -.2d1\n") == expected);
    CHECK(list(general + "2 2 2\n01 0001 15.e-1\n2 2 -200E-2\n") == expected);
}

TEST_CASE("integer and pattern")
{
    const std::string integer = "%%MatrixMarket matrix coordinate integer general\n";
    CHECK(listing(read(integer + "1 2 2\n1 1 -7\n1 2 +3\n")) == "1 1 -7\n1 2 3\n");
    const std::string big = "1 2 2\n1 1 9007199254740993\n1 2 123456789012345678901234567890\n";
    CHECK(listing(read(integer + big)) ==
          "1 1 9007199254740992\n1 2 123456789012345677877719597056\n");
    CHECK(listing(read<dd_real>(integer + big)) ==
          "1 1 9007199254740993\n1 2 123456789012345678901234567890\n");
    const std::string pattern = "%%MatrixMarket matrix coordinate pattern ";
    CHECK(listing(read(pattern + "general\n2 2 2\n2 1\n1 2\n")) == "1 2 1\n2 1 1\n");
    CHECK(listing(read(pattern + "symmetric\n2 2 2\n2 1\n2 2\n")) == "1 2 1\n2 1 1\n2 2 1\n");
    CHECK(listing(read(pattern + "general\n1 1 2\n1 1\n1 1")) == "1 1 2\n");
}

TEST_CASE("symmetric and skew-symmetric")
{
    const std::string symmetric = "%%MatrixMarket matrix coordinate real symmetric\n";
    const std::string expected = "1 1 4\n1 2 -1\n2 1 -1\n2 3 0.5\n3 2 0.5\n3 3 2\n";
    CHECK(listing(read(symmetric + "3 3 4\n1 1 4\n2 1 -1\n3 2 .5\n3 3 2\n")) == expected);
    CHECK(listing(read(symmetric + "3 3 4\n3 3 2\n2 3 .5\n1 2 -1\n1 1 4\n")) == expected);
    const std::string skew = "%%MatrixMarket matrix coordinate real skew-symmetric\n";
    CHECK(listing(read(skew + "2 2 1\n2 1 3\n")) == "1 2 -3\n2 1 3\n");
    CHECK(listing(read(skew + "2 2 2\n2 1 3\n2 2 0\n")) == "1 2 -3\n2 1 3\n2 2 0\n");
}

TEST_CASE("array files")
{
    const std::string array = "%%MatrixMarket matrix array ";
    CHECK(listing(read(array + "real general\n2 3\n1\n2\n0\n4\n5\n-0\n")) ==
          "1 1 1\n1 3 5\n2 1 2\n2 2 4\n");
    CHECK(listing(read(array + "real symmetric\n3 3\n1\n2\n3\n4\n5\n6\n")) ==
          "1 1 1\n1 2 2\n1 3 3\n2 1 2\n2 2 4\n2 3 5\n3 1 3\n3 2 5\n3 3 6\n");
    CHECK(listing(read(array + "integer skew-symmetric\n3 3\n1\n2\n3\n")) ==
          "1 2 -1\n1 3 -2\n2 1 1\n2 3 -3\n3 1 2\n3 2 3\n");
    CHECK(listing(read(array + "real skew-symmetric\n1 1\n")).empty());
}

TEST_CASE("empty matrices")
{
    CHECK(read(general + "0 0 0\n").rows() == 0);
    CHECK(read(general + "3 0 0").columns() == 0);
    CHECK(read(general + "5 4 0\n\n").rows() == 5);
    CHECK(read("%%MatrixMarket matrix array real general\n0 7\n").columns() == 7);
}

TEST_CASE("values are the nearest double, and the nearest dd_real")
{
    generator random(31);
    std::string text = general + "1 4000 4000\n";
    std::vector<std::string> numbers;
    for (int i = 0; i < 4000; ++i) {
        std::string number;
        for (int k = pick(random, 1, 60); k > 0; --k)
            number += static_cast<char>('0' + pick(random, 0, 9));
        number.insert(static_cast<std::size_t>(pick(random, 0, static_cast<int>(number.size()))),
                      ".");
        number += "e" + std::to_string(pick(random, -330, 240));
        numbers.push_back(number);
        text += "1 " + std::to_string(i + 1) + " " + number + "\n";
    }
    const auto a = read(text);
    const auto b = read<dd_real>(text);
    int different = 0;
    for (int i = 0; i < 4000; ++i) {
        const dd_real expected = truth(numbers[static_cast<std::size_t>(i)]);
        if (!same(a.view().value.get(i), expected.hi)) ++different;
        if (!same(b.view().value.get(i), expected)) ++different;
    }
    CHECK(different == 0);
}

TEST_CASE("duplicates are summed in the order of the file, by the rule")
{
    CHECK(listing(read(general + "2 2 5\n2 2 1\n1 1 5\n2 2 2\n2 1 7\n1 1 -5\n")) ==
          "1 1 0\n2 1 7\n2 2 3\n");
    // (t0 + t2) + (t1 + t3), not from left to right.
    CHECK(listing(read(general + "1 1 4\n1 1 1e16\n1 1 1\n1 1 -1e16\n1 1 1\n")) == "1 1 2\n");
    for (const int count : {255, 256, 257, 70000}) {
        generator random(7);
        std::string text = general + "1 2 " + std::to_string(count + 1) + "\n1 2 1\n";
        running_sum<dd_real> sum;
        for (int i = 0; i < count; ++i) {
            const double x = std::ldexp(any_double(random), 0) * 1e-300;
            const dd_real term(std::isfinite(x) && std::fabs(x) < 1e8 ? x : 1);
            sum.add(term);
            text += "1 1 " + to_string(term) + "\n";
        }
        const dd_real expected = sum.sum(dd_real(0));
        CHECK(same(read<dd_real>(text).view().value.get(0), expected));
        CHECK(read<dd_real>(text, 3).nonzeros() == 2);
    }
    CHECK(listing(read("%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n2 1 1\n2 1 2\n")) ==
          "1 2 3\n2 1 3\n");
}

TEST_CASE("gzip files, by content and not by name")
{
    const directory here;
    const std::string text = general + "2 2 2\n1 1 1.5\n2 2 -2\n";
    const std::string expected = "1 1 1.5\n2 2 -2\n";
    const auto list = [&](const std::string& name, const std::string& content) {
        return listing(read_matrix<double>(put(here / name, content)));
    };
    CHECK(list("a.mtx.gz", compressed(text)) == expected);
    CHECK(list("a.mtx", compressed(text)) == expected);
    CHECK(list("b.mtx.gz", text) == expected);
    CHECK(list("two.mtx.gz", compressed(text.substr(0, 60)) + compressed(text.substr(60))) ==
          expected);
}

TEST_CASE("a pipe is read like a file")
{
    const directory here;
    const auto pipe = here / "pipe";
    REQUIRE(std::system(("mkfifo " + pipe.string()).c_str()) == 0);
    put(here / "a.mtx", general + "1 1 1\n1 1 7\n");
    REQUIRE(std::system(
                ("cat " + (here / "a.mtx").string() + " > " + pipe.string() + " &").c_str()) == 0);
    CHECK(listing(read_matrix<double>(pipe)) == "1 1 7\n");
}

TEST_CASE("vectors")
{
    const directory here;
    const auto text_of = [&](const std::string& text) {
        std::string result;
        const auto x = read_vector<dd_real>(put(here / "x.mtx", text));
        for (index_t i = 0; i < x.size(); ++i) result += to_string(x[i]) + " ";
        return result;
    };
    CHECK(text_of("%%MatrixMarket matrix array real general\n3 1\n0.1\n0\n-3\n") == "0.1 0 -3 ");
    CHECK(text_of("%%MatrixMarket matrix array integer general\n2 1\n5\n6\n") == "5 6 ");
    CHECK(text_of(general + "4 1 3\n2 1 0.1\n4 1 2\n4 1 3\n") == "0 0.1 0 5 ");
    CHECK(text_of("%%MatrixMarket matrix coordinate pattern general\n2 1 1\n2 1\n") == "0 1 ");
    CHECK(text_of("%%MatrixMarket matrix array real symmetric\n1 1\n4\n") == "4 ");
    CHECK(text_of("%%MatrixMarket matrix array real general\n0 1\n").empty());
}

TEST_CASE("the bits do not depend on the number of threads", "[repeats]")
{
    generator random(41);
    for (const char* kind : {"general", "symmetric", "skew-symmetric"}) {
        const bool whole = kind[0] == 'g', skew = kind[1] == 'k';
        std::string text =
            std::string("%%MatrixMarket matrix coordinate real ") + kind + "\n5000 5000 120000\n";
        for (int k = 0; k < 120000; ++k) {
            int i = pick(random, 1, 5000), j = pick(random, 1, k % 5 == 0 ? 3 : 5000);
            if (skew && i == j) i = i == 1 ? 2 : 1;
            if (!whole && i < j) std::swap(i, j);
            if (k % 1000 == 0) text += "% comment\n\n";
            text +=
                std::to_string(i) + " " + std::to_string(j) + " " +
                to_string(dd_real(std::ldexp(static_cast<double>(random()), pick(random, -99, 0))))
                    .substr(0, static_cast<std::size_t>(pick(random, 1, 30))) +
                "\n";
        }
        const auto a = read(text);
        const auto b = read<dd_real>(text);
        CHECK(a.nonzeros() > 100000);
        for (const int threads : {2, 3, 7}) {
            CHECK(same(a, read(text, threads)));
            CHECK(same(b, read<dd_real>(text, threads)));
        }
    }
}

TEST_CASE("wherever a file is cut into pieces, it is the same matrix")
{
    const std::string banner = "%%MatrixMarket matrix ";
    const std::string small = "5 5 4\n2 1 0.5\n%\n\n  4 3 -2e1\n5 5 7\n3 1 1\n";
    for (const std::string& text : {banner + "coordinate real general\n" + small,
                                    banner + "coordinate real symmetric\n" + small + "% the end",
                                    banner + "array real general\n2 3\n1\n20\n3.5\n-4\n5\n6",
                                    banner + "array real skew-symmetric\n3 3\n1\n\n20\n3\n"}) {
        const text::characters all{text.data(), text.data() + text.size()};
        const auto whole = text::matrix_from_text<double>(all, "whole", {});
        for (std::int64_t bytes = 1; bytes <= static_cast<std::int64_t>(text.size()); ++bytes) {
            INFO(text << "in pieces of " << bytes);
            CHECK(same(whole, text::matrix_from_text<double>(all, "cut", {.piece_bytes = bytes})));
        }
    }
}

TEST_CASE("a large array file in several pieces")
{
    generator random(42);
    std::string text = "%%MatrixMarket matrix array real symmetric\n500 500\n";
    std::vector<std::string> values;
    for (int k = 0; k < 500 * 501 / 2; ++k) {
        values.push_back(std::to_string(pick(random, 0, 9999)));
        text += values.back() + ".0000\n";
    }
    const auto a = read(text, 3);
    std::size_t k = 0;
    int different = 0;
    std::vector<std::vector<double>> dense(500, std::vector<double>(500));
    for (std::size_t j = 0; j < 500; ++j)
        for (std::size_t i = j; i < 500; ++i) dense[i][j] = dense[j][i] = std::stod(values[k++]);
    for (index_t i = 0; i < 500; ++i)
        for (index_t at = a.view().row_begin[i]; at < a.view().row_begin[i + 1]; ++at) {
            auto& cell =
                dense[static_cast<std::size_t>(i)][static_cast<std::size_t>(a.view().column[at])];
            if (cell != a.view().value.get(at)) ++different;
            cell = 0;
        }
    for (const auto& row : dense)
        for (const double x : row) different += x != 0 ? 1 : 0;
    CHECK(different == 0);
}

TEST_CASE("real matrices")
{
    const char* where = std::getenv("DDLA_TEST_MATRICES");
    if (where == nullptr) SKIP_CASE("set DDLA_TEST_MATRICES to a folder of .mtx and .mtx.gz files");
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(where)) {
        const std::string name = entry.path().filename().string();
        if (!name.ends_with(".mtx") && !name.ends_with(".mtx.gz")) continue;
        INFO(name);
        const auto a = read_matrix<double>(entry.path(), 1);
        CHECK(same(a, read_matrix<double>(entry.path(), 3)));
        const auto b = read_matrix<dd_real>(entry.path(), 2);
        CHECK(b.nonzeros() == a.nonzeros());
        int different = 0;
        for (index_t k = 0; k < a.nonzeros(); ++k)
            different += a.view().value.get(k) != b.view().value.get(k).hi ? 1 : 0;
        CHECK(different == 0);
        ++files;
    }
    std::printf("%d real matrices read\n", files);
    CHECK(files > 0);
}
