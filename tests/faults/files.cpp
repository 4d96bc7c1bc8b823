// Each allocation of reading and writing files fails once; and of the threads that share it.
#include "catch.hpp"
#include "files/parallel.hpp"
#include "support/failing.hpp"
#include "support/random.hpp"

#include "ddla/blas.hpp"
#include "ddla/generate.hpp"
#include "ddla/matrix_info.hpp"
#include "ddla/matrix_market.hpp"

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace {

using ddla::dd_real;
using test::fail_each_allocation;

class temporary_file {
public:
    explicit temporary_file(const std::string& name)
        : path_(folder() /
                (std::to_string(std::hash<std::string>()(name) ^ std::uint64_t(::getpid())) + name))
    {
    }
    ~temporary_file() { std::filesystem::remove(path_); }
    temporary_file(const temporary_file&) = delete;
    temporary_file& operator=(const temporary_file&) = delete;
    const std::filesystem::path& path() const { return path_; }

private:
    /// In memory if possible: each file that is written is flushed to its disk.
    static std::filesystem::path folder()
    {
        const std::filesystem::path memory = "/dev/shm";
        return ::access(memory.c_str(), W_OK) == 0 ? memory
                                                   : std::filesystem::temp_directory_path();
    }

    std::filesystem::path path_;
};

template <class Numbers>
std::uint64_t hash_of_all(const std::vector<ddla::vector<Numbers>>& all)
{
    std::uint64_t hash = 0;
    for (const auto& x : all) hash = 3 * hash + ddla::hash_of(x);
    return hash;
}

}  // namespace

TEST_CASE("each allocation of reading and writing fails once", "[faults]")
{
    const temporary_file matrix("matrix.mtx"), packed("vector.mtx.gz");
    const auto grid = ddla::generate::convection_diffusion(12, 11, 10);
    fail_each_allocation("matrix", [&] {
        ddla::write_matrix(matrix.path(), grid);
        const auto a = ddla::read_matrix<double>(matrix.path());
        return ddla::hash_of(ddla::diagonal(a)) + static_cast<std::uint64_t>(a.nonzeros());
    });
    const ddla::vector<dd_real> x(30, dd_real(1) / 3);
    fail_each_allocation("vector", [&] {
        ddla::write_vector(packed.path(), x);
        return ddla::hash_of(ddla::read_vector<dd_real>(packed.path()));
    });
}

TEST_CASE("each allocation of files with several columns and words fails once", "[faults]")
{
    const temporary_file columns("columns.mtx"), words("words.mtx");
    const std::vector<ddla::vector<dd_real>> x(3, ddla::vector<dd_real>(4, dd_real(1) / 7));
    fail_each_allocation("columns", [&] {
        ddla::write_vectors(columns.path(), x, "three columns");
        return hash_of_all(ddla::read_vectors<dd_real>(columns.path()));
    });
    const ddla::vector<dd_real> low(4, dd_real(0x1p-110));
    fail_each_allocation("four words", [&] {
        ddla::write_vector(words.path(), x[0], low);
        const auto read = ddla::read_four_words(words.path());
        return ddla::hash_of(read.first) + 3 * ddla::hash_of(read.second);
    });
}

TEST_CASE("each allocation of files of other programs fails once", "[faults]")
{
    const temporary_file system("system.rua"), lis("lis.mtx"), list("list.txt");
    std::ofstream(system.path()) << "A system\n 6 1 1 1 3\nRSA 2 2 3 0\n(3I4)(3I4)(3F8.2)(2F8.2)\n"
                                    "FGX 1 0\n   1   3   4\n   1   2   2\n"
                                    "    2.00    1.00    4.00\n    4.00    8.00\n"
                                    "    5.00    6.00\n    1.00    2.00\n";
    std::ofstream(lis.path()) << "%%MatrixMarket matrix coordinate real general\n2 2 2 1 0\n"
                                 "1 1 2\n2 2 4\n1 0.1\n2 8\n";
    std::ofstream(list.path()) << "1 2\n0.1\n";
    fail_each_allocation("Harwell-Boeing", [&] {
        const auto a = ddla::read_matrix<double>(system.path());
        return ddla::hash_of(ddla::diagonal(a)) + static_cast<std::uint64_t>(a.nonzeros());
    });
    for (const auto& file : {system.path(), lis.path(), list.path()})
        fail_each_allocation(file.string(), [&] {
            return hash_of_all(ddla::read_vectors<dd_real>(file)) +
                   ddla::hash_of(ddla::read_four_words(file).second);
        });
}

TEST_CASE("each allocation of complex files fails once", "[faults]")
{
    const temporary_file matrix("complex.mtx"), vectors("complex_vectors.mtx"),
        words("complex_words.mtx");
    {
        std::ofstream out(matrix.path());
        out << "%%MatrixMarket matrix coordinate complex hermitian\n6 6 8\n";
        for (int i = 1; i <= 6; ++i) out << i << ' ' << i << " 4 0\n";
        out << "3 1 0.25 -1\n6 2 1 0.5\n";
    }
    fail_each_allocation("matrix", [&] {
        const auto a = ddla::read_any_matrix<dd_real>(matrix.path());
        return ddla::hash_of(ddla::diagonal(a.numbers)) + a.is_complex;
    });
    const auto form = test::random_vector<dd_real>(6, 5);
    fail_each_allocation("vectors", [&] {
        ddla::write_complex_vectors<dd_real>(vectors.path(), {form, form});
        return hash_of_all(ddla::read_any_vectors<dd_real>(vectors.path()).numbers);
    });
    fail_each_allocation("four words", [&] {
        ddla::write_complex_vector(words.path(), form, ddla::vector<dd_real>(6));
        return ddla::hash_of(ddla::read_any_four_words(words.path()).numbers.first);
    });
}

TEST_CASE("each allocation of reading by several threads fails once", "[faults]")
{
    const temporary_file matrix("large.mtx");
    ddla::write_matrix(matrix.path(), ddla::generate::poisson2d(300, 100));
    REQUIRE(std::filesystem::file_size(matrix.path()) > 3 << 19);  // pieces
    fail_each_allocation("three threads", [&] {
        const auto a = ddla::read_matrix<double>(matrix.path(), 3);
        return ddla::hash_of(ddla::diagonal(a)) + static_cast<std::uint64_t>(a.nonzeros());
    });
}

TEST_CASE("each allocation of starting threads for a file fails once", "[faults]")
{
    fail_each_allocation("tasks", [] {
        std::vector<std::uint64_t> done(100);
        ddla::text::parallel_for(4, done.size(), [&](int, std::size_t i) { done[i] += i + 1; });
        std::uint64_t hash = 0;
        for (const std::uint64_t one : done) hash = 3 * hash + one;
        return hash;
    });
}
