// Files of other programs: Lis's extended form and vectors, lists of numbers, and what is named
// with the command that converts it.
#include "catch.hpp"
#include "ddla/text.hpp"
#include "files/read/read_text.hpp"
#include "matrix_market_fixture.hpp"

#include <string>
#include <vector>

using namespace ddla;
using namespace ddla::test;
using namespace std::string_literals;

namespace {

const std::string banner = "%%MatrixMarket matrix coordinate real general\n";
const std::string entries = "1 1 2\n2 1 -1\n2 2 3\n";
const std::string listed = "1 1 2\n2 1 -1\n2 2 3\n";

bool has(const std::string& text, const std::string& part)
{
    UNSCOPED_INFO(text);
    UNSCOPED_INFO(part);
    return text.find(part) != std::string::npos;
}

template <scalar T>
std::string list_of(const vector<T>& x)
{
    std::string all;
    for (index_t i = 0; i < x.size(); ++i) all += to_string(dd_real(x[i])) + " ";
    return all;
}

struct reading {
    directory here;

    std::string vector(const std::string& text, vector_part part = vector_part::right_hand_side)
    {
        return list_of(read_vector<dd_real>(put(here / "b.txt", text), 1, nullptr, 0, part));
    }
    std::string refusal(const std::string& text, vector_part part = vector_part::right_hand_side)
    {
        return complaint([&] { vector(text, part); });
    }
};

}  // namespace

TEST_CASE("a byte-order mark is skipped")
{
    reading r;
    const std::string mark = "\xef\xbb\xbf", text = banner + "2 2 3\n" + entries;
    CHECK(listing(read_matrix<double>(put(r.here / "a.mtx", mark + text))) == listed);
    CHECK(listing(read_matrix<double>(put(r.here / "a.mtx", compressed(mark + text)))) == listed);
    CHECK(r.vector(mark + "1\n2\n") == "1 2 ");
    // The line of an error is still that of the editor.
    put(r.here / "a.mtx", mark + banner + "2 2 3\n1 1 x\n");
    CHECK(has(complaint([&] { read_matrix<double>(r.here / "a.mtx"); }), "a.mtx:3: value 'x'"));
}

TEST_CASE("Lis's extended form: A, b and x in one file")
{
    reading r;
    const std::string b = "1 10\n2 0.1\n", x = "2 -7\n1 1.234-100\n";
    const auto file = [&](const std::string& sizes, const std::string& text) {
        return put(r.here / "a.mtx", banner + "% lis\n" + sizes + "\n" + entries + text);
    };
    const auto vector = [&](vector_part part) {
        return list_of(read_vector<dd_real>(r.here / "a.mtx", 1, nullptr, 0, part));
    };
    file("2 2 3 1 1", b + x);
    CHECK(listing(read_matrix<double>(r.here / "a.mtx")) == listed);
    CHECK(vector(vector_part::right_hand_side) == "10 0.1 ");
    CHECK(vector(vector_part::guess) == "1.234e-100 -7 ");
    CHECK(vector(vector_part::solution) == "1.234e-100 -7 ");
    CHECK(holds_right_hand_side(r.here / "a.mtx"));
    CHECK(read_any_matrix<double>(r.here / "a.mtx").has_right_hand_side);
    const auto [high, low] = read_four_words(r.here / "a.mtx");
    CHECK(same(high[1], parse_dd("0.1")));
    CHECK(low[1] != dd_real(0));
    file("2 2 3 1 0 0", b);
    CHECK(vector(vector_part::right_hand_side) == "10 0.1 ");
    CHECK(has(complaint([&] { vector(vector_part::solution); }), ":3: the file has b but no x"));
    file("2 2 3 0 1", x);
    CHECK(!holds_right_hand_side(r.here / "a.mtx"));
    CHECK(vector(vector_part::guess) == "1.234e-100 -7 ");
    CHECK(has(complaint([&] { vector(vector_part::right_hand_side); }),
              ":3: the file has x but no b"));
    file("2 2 3 0 0", "");
    CHECK(listing(read_matrix<double>(r.here / "a.mtx")) == listed);
}

TEST_CASE("Lis's extended form of a complex matrix")
{
    reading r;
    put(r.here / "c.mtx", "%%MatrixMarket matrix coordinate complex general\n1 1 1 1 0\n"
                          "1 1 2 3\n1 5 -6\n");
    const auto b = read_any_vector<double>(r.here / "c.mtx");
    CHECK(b.is_complex);
    CHECK(list_of(b.numbers) == "5 -6 ");
    CHECK(has(complaint([&] { read_vector<double>(r.here / "c.mtx"); }), "the file is complex"));
}

TEST_CASE("broken files in Lis's extended form")
{
    reading r;
    const auto of_b = [&](const std::string& sizes, const std::string& text) {
        return r.refusal(banner + sizes + "\n" + entries + text);
    };
    CHECK(has(of_b("2 2 3 1", "1 1\n2 2\n"), ":2: the size line has 4 words, not 3"));
    CHECK(has(of_b("2 2 3 2 0", "1 1\n2 2\n"), ":2: Lis's word for b '2' is above 1"));
    CHECK(has(of_b("2 2 3 1 0 1", "1 1\n2 2\n"),
              ":2: Lis's word for binary data is '1': only text is read (0)"));
    CHECK(has(of_b("2 3 3 1 0", "1 1\n2 2\n"), ":2: a matrix of 2 x 3 is not square"));
    CHECK(has(of_b("2 2 3 1 0", "1 1\n"),
              ":6: the file ends after 1 entry: the size line declares 2"));
    CHECK(has(of_b("2 2 3 1 0", ""), "the file ends after 0 entries"));
    CHECK(has(of_b("2 2 3 1 0", "1 1\n2 2\n3 3\n"), ":8: row index '3' is not in 1 ... 2"));
    CHECK(has(of_b("2 2 3 1 0", "1 1\n2 2\n2 3\n"), ":8: one entry too many"));
    CHECK(has(of_b("2 2 3 1 0", "1 1\n1 2\n"), ":2: element 1 of the vector below stands twice"));
    CHECK(has(of_b("2 2 3 1 0", "1 1 1\n2 2\n"), ":6: '1' follows the last word of the line"));
    // Too few entries: lines of b are read as such.
    put(r.here / "a.mtx", banner + "2 2 4 1 0\n" + entries + "1 1\n2 2\n");
    CHECK(has(complaint([&] { read_matrix<double>(r.here / "a.mtx"); }),
              ":6: the line ends before the value"));
}

TEST_CASE("vectors by their banner, as Lis writes them")
{
    reading r;
    const std::string of_vector = "%%MatrixMarket vector coordinate real general\n";
    CHECK(r.vector(of_vector + "3\n1 1.0e+00\n3 3\n2 2\n") == "1 2 3 ");
    CHECK(r.vector(of_vector + "% c\n3 2\n1 1\n3 3\n") == "1 0 3 ");
    CHECK(r.vector("%%MatrixMarket vector array real general\n3\n1\n2\n3\n") == "1 2 3 ");
    CHECK(has(r.refusal(of_vector + "3\n1 1\n2 2\n"), ":4: the file ends after 2 entries"));
    CHECK(has(r.refusal(of_vector + "3\n1 1\n2 2\n2 3\n"), ":2: element 2 of the vector"));
    CHECK(has(r.refusal(of_vector + "3 1 1\n1 1\n"), "has 3 words, not 1: elements"));
    CHECK(has(r.refusal("%%MatrixMarket vector coordinate real symmetric\n1\n1 1\n"),
              ":1: a vector is general, not symmetric"));
    CHECK(has(r.refusal("%%MatrixMarket vector coordinate pattern general\n1\n1\n"),
              ":1: a vector cannot be a pattern"));
    put(r.here / "x.mtx", of_vector + "1\n1 0.1\n");
    CHECK(list_of(read_four_words(r.here / "x.mtx").first) ==
          list_of(ddla::vector<dd_real>{parse_dd("0.1")}));
    CHECK(has(complaint([&] { read_matrix<double>(r.here / "x.mtx"); }),
              ":1: object 'vector' is not supported: a matrix is wanted"));
}

TEST_CASE("a list of numbers is a vector")
{
    reading r;
    CHECK(r.vector("1\n2.5\n-3e-5\n") == "1 2.5 -3e-05 ");
    CHECK(r.vector("# numpy\n1 2 3\n\n  4\t5 \r\n% 6\n7 # 8\n") == "1 2 3 4 5 7 ");
    CHECK(r.vector("1,2, 3 ,4\n5") == "1 2 3 4 5 ");
    CHECK(r.vector("1.0D+01 +2 .5 5. 1.5-100") == "10 2 0.5 5 1.5e-100 ");
    CHECK(r.vector(compressed("1\n2\n")) == "1 2 ");
    CHECK(r.vector("0.1") == to_string(parse_dd("0.1")) + " ");
    CHECK(read_vectors<double>(put(r.here / "b", "1 2\n3 4\n")).size() == 1);
    const auto [high, low] = read_four_words(put(r.here / "b", "1 0.1\n"));
    CHECK(same(high[1], parse_dd("0.1")));
    CHECK(low[1] != dd_real(0));
    read_losses lost;
    read_vector<double>(put(r.here / "b", "0.1\n0.12345678901234567890\n1e-400\n"), 1, &lost);
    CHECK(lost.rounded == 1);
    CHECK(lost.underflowed == 1);
}

TEST_CASE("lists that are none")
{
    reading r;
    CHECK(has(r.refusal(""), ":1: the file is empty"));
    CHECK(has(r.refusal("# only\n\n"), ":2: the file holds no number"));
    CHECK(has(r.refusal("1\n2\nthree\n"), ":3: value 'three' is not a finite number"));
    CHECK(has(r.refusal("1\nnan\n"), ":2: value 'nan' is not a finite number"));
    CHECK(has(r.refusal("1;2\n"), ":1: value '1;2' is not a finite number"));
    CHECK(has(r.refusal("[1, 2]\n"), ":1: value '[1' is not a finite number"));
    CHECK(has(r.refusal("1,,2\n"), ":1: ',2' stands where a number is wanted"));
    CHECK(has(r.refusal(",1\n"), "stands where a number is wanted"));
    CHECK(has(r.refusal("1\n1e999\n"), ":2: value '1e999' is not within the range of double"));
    CHECK(has(r.refusal("%MatrixMarket matrix array real general\n1 1\n1\n"),
              ":1: the file begins with '%MatrixMarket', not with %%MatrixMarket in its first "
              "line"));
    CHECK(has(r.refusal("\n%%MatrixMarket matrix array real general\n2 1\n1\n2\n"),
              ":2: the file begins with '%%MatrixMarket', not with"));
    // It is no matrix.
    put(r.here / "a.txt", "1 1 1\n");
    CHECK(has(complaint([&] { read_matrix<double>(r.here / "a.txt"); }),
              "a.txt:1: the first line begins with '1', not with %%MatrixMarket"));
}

TEST_CASE("lists: pieces and threads change nothing, nor which mistake is told")
{
    generator random(9);
    std::string text;
    for (int k = 0; k < 20000; ++k)
        text += to_string(any_double(random) * 1e-100) + (k % 7 == 0 ? "\n" : ", ");
    const auto read = [&](int bytes) {
        return text::vector_from_text<dd_real>({text.data(), text.data() + text.size()}, "list",
                                               {.threads = 3, .piece_bytes = bytes},
                                               vector_part::right_hand_side);
    };
    const std::string whole = list_of(read(1 << 30));
    CHECK(whole.size() > 20000 * 5);
    CHECK(list_of(read(64)) == whole);
    CHECK(list_of(read(5000)) == whole);
    text += "1\nfirst\n" + text + "second\n";
    CHECK(complaint([&] { read(1 << 30); }) == complaint([&] { read(200); }));
    CHECK(has(complaint([&] { read(200); }), "value 'first'"));
}

TEST_CASE("files of other programs are named with the command that converts them")
{
    reading r;
    const auto said = [&](const std::string& name, const std::string& content) {
        const auto file = put(r.here / name, content);
        const std::string of_matrix = complaint([&] { read_matrix<double>(file); });
        CHECK(of_matrix == complaint([&] { read_vectors<dd_real>(file); }));
        CHECK(of_matrix.rfind(file.string() + ": is ", 0) == 0);
        CHECK(of_matrix.find('\n') == std::string::npos);
        return of_matrix;
    };
    const std::string at = (r.here / "").string();
    CHECK(has(said("a.mtx.bz2", "BZh91AY&SY"),
              "is compressed by bzip2, which is not read: convert it by bunzip2 -k " + at +
                  "a.mtx.bz2"));
    CHECK(has(said("a.mtx.xz", "\xfd"
                               "7zXZ\0\0"s),
              "by xz, which is not read: convert it by unxz -k "));
    CHECK(has(said("a.mtx.zst", "\x28\xb5\x2f\xfd"), "unzstd "));
    CHECK(
        has(said("a.zip", "PK\3\4"), "is a zip archive, which is not read: convert it by unzip "));
    CHECK(has(said("a.tar", std::string(257, 'a') + "ustar\0"s), "is a tar archive"));
    CHECK(has(said("a.tar", std::string(257, 'a') + "ustar\0"s), "convert it by tar -xf "));
    CHECK(has(said("b.npy", "\x93NUMPY\1\0"s), "is a NumPy array"));
    CHECK(has(said("b.npy", "\x93NUMPY\1\0"s), "numpy.load(f)])\" " + at + "b.npy b.mtx"));
    CHECK(has(said("a.mat", "MATLAB 5.0 MAT-file, Platform"), "is a MAT file of MATLAB, "));
    CHECK(
        has(said("a.mat", "MATLAB 7.3 MAT-file, Platform"), "is a MAT file of MATLAB 7.3 (HDF5)"));
    CHECK(has(said("a.h5", "\x89HDF\r\n\x1a\n"), "is an HDF5 file"));
    CHECK(has(said("a.mtx", "\xff\xfe%\0%\0"s),
              "is text in UTF-16, which is not read: convert it by iconv -f UTF-16 -t UTF-8 " + at +
                  "a.mtx > a-utf8.mtx"));
    CHECK(has(said("a.mtx", "\xff\xfe\0\0%\0\0\0"s), "UTF-32"));
    CHECK(has(said("a.mtx", "%\0%\0M\0"s), "UTF-16LE"));
    CHECK(has(said("a.mtx", "\0%\0%\0M"s), "UTF-16BE"));
    // Names that a shell would not take as they are; a second compression.
    CHECK(has(said("my b's.bz2", "BZh91AY&SY"), "bunzip2 -k '" + at + "my b'\\''s.bz2'"));
    CHECK(has(said("b.npy.gz", compressed("\x93NUMPY\1\0"s)),
              "convert it by gunzip -k " + at + "b.npy.gz && python3 -c "));
    CHECK(has(said("a.tgz", compressed(std::string(257, 'a') + "ustar\0"s)), "a tar archive"));
}
