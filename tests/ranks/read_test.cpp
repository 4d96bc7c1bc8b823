// Files that ranks read in parts have the entries that one reader finds.
#include "support/ranks.hpp"

#include "catch.hpp"

#include "ddla/binary_matrix.hpp"
#include "ddla/blas.hpp"
#include "ddla/matrix_market.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace test;
namespace fs = std::filesystem;

namespace {

/// A file that is removed.
class written_file {
public:
    explicit written_file(const std::string& text)
        : path_(fs::temp_directory_path() / ("ddla-ranks-" + std::to_string(::getpid()) + ".mtx"))
    {
        std::ofstream(path_) << text;
    }
    written_file(const written_file&) = delete;
    written_file& operator=(const written_file&) = delete;
    ~written_file() { fs::remove(path_); }
    const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

/// Products tell values, columns and the order of entries.
template <class V>
std::string wrong_matrix(const fs::path& file, int ranks)
{
    ddla::read_losses lost_of_one;
    const auto a = ddla::read_matrix<V>(file, 0, &lost_of_one);
    const auto x = random_vector<V>(a.columns(), 3);
    ddla::vector<V> y(a.rows());
    ddla::spmv(V(1), a, x, V(0), y);
    whole_vector<V> found(a.rows());
    findings all;
    ddla::run_ranks(ranks, [&](auto among) {
        ddla::read_losses lost;
        const auto mine = ddla::read_distributed_matrix<V>(among, file, &lost);
        all.require(mine.has_value(), "it is not read in parts");
        if (!mine) return;
        all.require(mine->rows() == a.rows() && mine->columns() == a.columns(), "shape");
        all.require(mine->nonzeros() == a.nonzeros(), "entries");
        all.require(lost.underflowed == lost_of_one.underflowed &&
                        lost.subnormal == lost_of_one.subnormal,
                    "losses");
        ddla::vector<V> part(mine->local_rows());
        mine->multiply(part_of(x, mine->first_column(), mine->local_columns()), part);
        found.put(part, mine->first_row());
    });
    return all.wrong() + (same_bits(found.get(), y) ? "" : "A x");
}

bool is_left_to_one_reader(const fs::path& file)
{
    findings all;
    ddla::run_ranks(3, [&](auto among) {
        const auto mine = ddla::read_distributed_matrix<double>(among, file);
        all.require(!mine, "read in parts");
    });
    return all.wrong().empty();
}

const std::string general = "%%MatrixMarket matrix coordinate real general\n";

}  // namespace

TEMPLATE_TEST_CASE("binary files read in parts", "[ranks]", double, ddla::dd_real)
{
    const fs::path file =
        fs::temp_directory_path() / ("ddla-ranks-" + std::to_string(::getpid()) + ".ddla");
    const auto square = random_matrix<TestType>(3001, 3001, 5, [](index_t i) { return i % 7; });
    const auto tall = random_matrix<TestType>(2900, 700, 6, [](index_t i) { return i % 5; });
    for (const auto* a : {&square, &tall}) {
        ddla::write_binary_matrix(file, *a);
        for (const int ranks : rank_counts()) {
            INFO(a->rows() << " x " << a->columns() << ", " << ranks << " ranks");
            CHECK(wrong_matrix<TestType>(file, ranks) == "");
        }
    }
    ddla::write_binary_matrix(file, tall, true);
    CHECK(is_left_to_one_reader(file));  // complex
    fs::resize_file(file, 1000);
    CHECK_THROWS_WITH(
        ddla::run_ranks(3,
                        [&](auto among) { ddla::read_distributed_matrix<TestType>(among, file); }),
        Catch::Contains("has 1000 bytes"));
    fs::remove(file);
}

TEMPLATE_TEST_CASE("files read in parts", "[ranks]", double, ddla::dd_real)
{
    random_numbers random(5);
    std::string duplicates = general + "% a comment\n700 900 4000\n";
    for (int k = 0; k < 4000; ++k)
        duplicates += std::to_string(random.below(700) + 1) + " " +
                      std::to_string(random.below(30) * 30 + 1) + " " +
                      std::to_string(random.real(3)) + (k % 5 == 0 ? "\n\n" : "\n");
    std::string skew = "%%MatrixMarket matrix coordinate real skew-symmetric\n600 600 1200\n";
    for (int k = 0; k < 1200; ++k)
        skew += std::to_string(300 + k % 300) + " " + std::to_string(1 + k % 299) + " 1e-3" +
                std::to_string(k % 23) + "\n";
    const std::string pattern = "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n3 1\n1 2";
    for (const std::string& text :
         {duplicates, skew, pattern, general + "4 4 0\n", general + "0 0 0\n"}) {
        const written_file file(text);
        for (const int ranks : rank_counts()) {
            INFO(ranks << " ranks, " << text.substr(0, 70));
            CHECK(wrong_matrix<TestType>(file.path(), ranks) == "");
        }
    }
}

TEST_CASE("what one reader must read", "[ranks]")
{
    const std::string entries = "3 3 3\n1 1 1\n2 2 2\n3 3 3\n";
    for (const std::string& text :
         {general + "3 3 3\n1 1 1\n2 2 x\n3 3 3\n", general + "3 3 4\n1 1 1\n2 2 2\n3 3 3\n",
          general + "3 3 2\n1 1 1\n2 2 2\n3 3 3\n", general + "3 3 1\n4 1 1\n",
          std::string("%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 0\n"),
          std::string("%%MatrixMarket matrix array real general\n1 1\n1\n"),
          std::string("%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n1 2 1\n3 1 1\n"),
          std::string("1 1 1\n")}) {
        INFO(text);
        CHECK(is_left_to_one_reader(written_file(text).path()));
    }
    CHECK(is_left_to_one_reader("/not/there.mtx"));
}

TEST_CASE("alignments of files read in parts", "[ranks]")
{
    const written_file file(general + "2 2 2\n1 1 1\n2 2 2\n");
    for (const ddla::index_t alignment : {0, -256, 100}) {
        INFO(alignment);
        CHECK_THROWS_AS(ddla::run_ranks(2,
                                        [&](auto among) {
                                            ddla::read_distributed_matrix<double>(
                                                among, file.path(), nullptr, alignment);
                                        }),
                        ddla::input_error);
    }
}

TEST_CASE("real matrices read in parts", "[ranks]")
{
    const char* const folder = std::getenv("DDLA_TEST_MATRICES");
    if (!folder) SKIP_CASE("set DDLA_TEST_MATRICES to a folder of .mtx and .mtx.gz files");
    int files = 0;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() != ".mtx" || entry.file_size() > 3'000'000) continue;
        if (ddla::read_any_matrix<double>(entry.path()).is_complex) continue;
        INFO(entry.path());
        CHECK(wrong_matrix<ddla::dd_real>(entry.path(), 3) == "");
        ++files;
    }
    CHECK(files >= 20);
}
