// Binary matrices: the bytes of the file, what is read again, and what is refused.
#include "catch.hpp"
#include "support/random.hpp"
#include "support/same_bits.hpp"

#include "ddla/binary_matrix.hpp"
#include "ddla/error.hpp"
#include "ddla/generate.hpp"
#include "ddla/matrix_market.hpp"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <unistd.h>

namespace fs = std::filesystem;
using ddla::dd_real;
using ddla::index_t;

namespace {

class scratch_file {
public:
    explicit scratch_file(const char* end = ".ddla")
        : path_(fs::temp_directory_path() / ("ddla-binary-" + std::to_string(::getpid()) + end))
    {
    }
    scratch_file(const scratch_file&) = delete;
    scratch_file& operator=(const scratch_file&) = delete;
    ~scratch_file() { fs::remove(path_); }
    operator const fs::path&() const { return path_; }

    std::string bytes() const
    {
        std::ifstream in(path_, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    void put(const std::string& bytes) const { std::ofstream(path_, std::ios::binary) << bytes; }

private:
    fs::path path_;
};

template <class V>
bool same(const ddla::csr_matrix<V>& a, const ddla::csr_matrix<V>& b)
{
    if (a.rows() != b.rows() || a.columns() != b.columns() || a.nonzeros() != b.nonzeros())
        return false;
    const ddla::csr<V> x = a.view(), y = b.view();
    for (index_t i = 0; i <= x.rows; ++i)
        if (x.row_begin[i] != y.row_begin[i]) return false;
    for (index_t k = 0; k < x.nonzeros(); ++k)
        if (x.column[k] != y.column[k] || !test::same_bits(x.value.get(k), y.value.get(k)))
            return false;
    return true;
}

std::string number(std::uint64_t x, int bytes)
{
    std::string text;
    for (int i = 0; i < bytes; ++i) text += static_cast<char>(x >> 8 * i & 255);
    return text;
}
std::string number(double x)
{
    std::uint64_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    return number(bits, 8);
}

/// As docs/files.md has it: [2 0 -0.5; 0 0 0], values in `words` words.
std::string small_file(std::uint64_t words)
{
    std::string file = "\x89"
                       "DDLA\r\n\x1a";
    file += number(1, 4) + number(words, 4) + number(2, 8) + number(3, 8) + number(2, 8) +
            number(0, 8) + std::string(16, '\0');
    file += number(0, 8) + number(2, 8) + number(2, 8);
    file.resize(128);
    file += number(0, 4) + number(2, 4);
    file.resize(192);
    file += number(2.0) + number(-0.5);
    if (words == 2) file += number(0x1p-60) + number(-0x1p-70);
    return file;
}

std::string why_refused(const std::string& bytes)
{
    const scratch_file file;
    file.put(bytes);
    try {
        ddla::read_matrix<double>(file);
    } catch (const ddla::input_error& e) {
        const std::string text = e.what();
        const std::size_t at = text.find(".ddla: ");
        return at == std::string::npos ? text : text.substr(at + 7);
    }
    return "read";
}

std::string changed(std::size_t at, const std::string& to)
{
    std::string file = small_file(1);
    return file.replace(at, to.size(), to);
}

}  // namespace

TEST_CASE("the bytes of a binary matrix")
{
    const scratch_file file;
    const ddla::csr_matrix<double> a(2, 3, {0, 2, 2}, {0, 2}, {2.0, -0.5});
    ddla::write_binary_matrix(file, a);
    CHECK(file.bytes() == small_file(1));
    const ddla::csr_matrix<dd_real> wide(2, 3, {0, 2, 2}, {0, 2},
                                         {dd_real(2.0, 0x1p-60), dd_real(-0.5, -0x1p-70)});
    ddla::write_binary_matrix(file, wide);
    CHECK(file.bytes() == small_file(2));
    CHECK(same(ddla::read_matrix<dd_real>(file), wide));
    ddla::read_losses lost;
    CHECK(same(ddla::read_matrix<double>(file, 0, &lost), a));  // the nearest doubles
    CHECK(lost.rounded == 2);
}

TEMPLATE_TEST_CASE("binary matrices are read as they were", "", double, dd_real)
{
    const auto random = test::random_matrix<TestType>(700, 900, 5, [](index_t i) { return i % 7; });
    // Columns of a row in any order, and twice: the sums of rows depend on it.
    const ddla::csr_matrix<TestType> unordered(2, 4, {0, 3, 4}, {3, 1, 3, 0},
                                               {1.0, -2.0, 4.0, 0.0});
    const ddla::csr_matrix<TestType> nothing(0, 0, {0}, {}, {}), flat(0, 7, {0}, {}, {}),
        thin(5, 0, {0, 0, 0, 0, 0, 0}, {}, {});
    for (const char* end : {".ddla", ".ddla.gz"})
        for (const auto* a : {&random, &unordered, &nothing, &flat, &thin}) {
            INFO(a->rows() << " x " << a->columns() << ", " << end);
            const scratch_file file(end);
            ddla::write_binary_matrix(file, *a);
            CHECK(same(ddla::read_matrix<TestType>(file), *a));
        }
}

TEST_CASE("a binary matrix that is the real form of a complex one")
{
    const scratch_file file;
    const auto a = ddla::generate::poisson2d(4, 4);
    ddla::write_binary_matrix(file, a, true);
    CHECK(ddla::read_any_matrix<double>(file).is_complex);
    CHECK_THROWS_WITH(ddla::read_matrix<double>(file), Catch::Contains("the file is complex"));
}

TEST_CASE("binary matrices that are refused")
{
    const std::string refusal = "a binary matrix that cannot be read: ";
    REQUIRE(why_refused(small_file(1)) == "read");
    for (std::size_t length = 8; length < small_file(1).size(); ++length) {
        INFO(length);
        CHECK(why_refused(small_file(1).substr(0, length)).starts_with(refusal));
    }
    CHECK(why_refused(small_file(1) + "x") == refusal + "has 209 bytes, its header promises 208");
    CHECK(why_refused(changed(8, number(2, 4))) ==
          refusal + "is of version 2, this ddla reads version 1");
    for (const std::uint64_t words : {0, 3}) {
        INFO(words);
        CHECK(why_refused(changed(12, number(words, 4))) == refusal + "its header is damaged");
    }
    for (const std::size_t at : {16, 24, 32})
        for (const std::uint64_t wrong : {~std::uint64_t{0}, std::uint64_t{1} << 62}) {
            INFO(at);
            CHECK(why_refused(changed(at, number(wrong, 8))) == refusal + "its header is damaged");
        }
    for (const std::size_t at : {44, 48, 63})
        CHECK(why_refused(changed(at, "x")) == refusal + "its header is damaged");
    CHECK(why_refused(changed(40, number(1, 4))) ==
          refusal + "its header is damaged");  // 3 columns
    std::string wide = small_file(2);
    CHECK(why_refused(wide.replace(208, 8, number(1.0))) ==
          refusal + "the value of entry 1 has words that are not those of a double-double");
    CHECK(why_refused(changed(64, number(1, 8))) ==
          refusal + "the offsets of its rows do not go from 0 to 2");
    for (const std::uint64_t wrong : {std::uint64_t{3}, ~std::uint64_t{0}}) {
        INFO(wrong);
        CHECK(why_refused(changed(72, number(wrong, 8))) ==
              refusal + "the offsets of its rows do not ascend behind row 1");
    }
    CHECK(why_refused(changed(132, number(3, 4))) == refusal + "entry 2 has column 4 of 3");
    CHECK(why_refused(changed(128, number(0xffffffff, 4))) ==
          refusal + "entry 1 has column 0 of 3");
    CHECK(why_refused(changed(200, number(INFINITY))) ==
          refusal + "the value of entry 2 is not finite");
}

TEST_CASE("compressed binary matrices that are cut")
{
    const scratch_file file(".ddla.gz");
    ddla::write_binary_matrix(file, ddla::generate::poisson2d(4, 4));
    const std::string whole = file.bytes();
    for (const std::size_t length : {whole.size() / 2, whole.size() - 1}) {
        file.put(whole.substr(0, length));
        CHECK_THROWS_AS(ddla::read_matrix<double>(file), ddla::input_error);
    }
}

TEST_CASE("what is not written as a binary matrix")
{
    const scratch_file file;
    CHECK_THROWS_WITH(ddla::write_binary_matrix(file, ddla::generate::poisson2d(3, 3), true),
                      Catch::Contains("9 x 9 is of no complex matrix"));
    const ddla::csr_matrix<double> infinite(1, 1, {0, 1}, {0}, {INFINITY});
    CHECK_THROWS_WITH(ddla::write_binary_matrix(file, infinite),
                      Catch::Contains("entry 1 is not finite"));
    CHECK(!fs::exists(file));
    const auto a = ddla::generate::poisson2d(4, 4);
    CHECK_THROWS_WITH(ddla::write_binary_matrix("a.mtx", a), Catch::Contains("name it a.ddla"));
    CHECK_THROWS_WITH(ddla::write_matrix("a.ddla", a), Catch::Contains("name it a.mtx"));
    ddla::write_binary_matrix(file, a);
    CHECK_THROWS_WITH(ddla::read_vector<double>(file), Catch::Contains("has no vectors"));
    CHECK_THROWS_AS(ddla::read_matrix<double>(file, 0, nullptr, 100), ddla::resource_error);
}
