// Writing: what comes back, and what is left behind when it fails.
#include "catch.hpp"
#include "ddla/output_file.hpp"
#include "ddla/text.hpp"
#include "matrix_market_fixture.hpp"

#include <csignal>
#include <limits>
#include <sys/resource.h>
#include <sys/stat.h>

using namespace ddla;
using namespace ddla::test;

namespace {

template <scalar T>
T any(generator& random)
{
    if constexpr (words_of<T> == 1)
        return any_double(random);
    else
        return any_dd(random);
}

template <scalar V>
csr_matrix<V> random_matrix(index_t rows, index_t columns, int entries)
{
    generator random(51);
    coordinates<V> list{.rows = rows, .columns = columns};
    for (int k = 0; k < entries; ++k)
        list.add(pick(random, 0, static_cast<int>(rows) - 1),
                 pick(random, 0, static_cast<int>(columns) - 1), any<V>(random));
    return csr_matrix<V>(list);
}

/// No file may grow beyond `bytes` while this lives.
class file_size_limit {
public:
    explicit file_size_limit(rlim_t bytes, void (*handler)(int) = SIG_IGN)
    {
        ::getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit now{bytes, before_.rlim_max};
        handler_ = std::signal(SIGXFSZ, handler);
        ::setrlimit(RLIMIT_FSIZE, &now);
    }
    ~file_size_limit()
    {
        ::setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }

private:
    rlimit before_{};
    void (*handler_)(int);
};

}  // namespace

TEMPLATE_TEST_CASE("what is written reads back with the same bits", "", double, dd_real)
{
    const directory here;
    const auto a = random_matrix<TestType>(300, 200, 3000);
    for (const char* name : {"a.mtx", "a.mtx.gz"}) {
        write_matrix(here / name, a, "first line\nsecond line");
        CHECK(same(read_matrix<TestType>(here / name), a));
    }
    CHECK(content_of(here / "a.mtx")
              .starts_with("%%MatrixMarket matrix coordinate real general\n"
                           "% first line\n% second line\n300 200 "));
    CHECK(content_of(here / "a.mtx.gz").starts_with("\x1f\x8b"));

    generator random(52);
    vector<TestType> x(100000);
    for (index_t i = 0; i < x.size(); ++i) x.set(i, any<TestType>(random));
    for (const char* name : {"x.mtx", "x.mtx.gz"}) {
        write_vector(here / name, x);
        const auto back = read_vector<TestType>(here / name);
        REQUIRE(back.size() == x.size());
        int different = 0;
        for (index_t i = 0; i < x.size(); ++i) different += same(back[i], x[i]) ? 0 : 1;
        CHECK(different == 0);
    }
    CHECK(here.files() == 4);
}

TEST_CASE("exact text")
{
    const directory here;
    coordinates<double> list{.rows = 2, .columns = 3};
    list.add(1, 0, 0.1);
    list.add(0, 2, -1e300);
    write_matrix(here / "a.mtx", csr_matrix<double>(list));
    CHECK(content_of(here / "a.mtx") ==
          "%%MatrixMarket matrix coordinate real general\n2 3 2\n1 3 -1e+300\n2 1 0.1\n");
    write_vector(here / "x.mtx", vector<dd_real>{parse_dd("0.1"), dd_real(-2)});
    CHECK(content_of(here / "x.mtx") == "%%MatrixMarket matrix array real general\n2 1\n0.1\n-2\n");
    write_vector(here / "x.mtx", vector<double>());
    CHECK(content_of(here / "x.mtx") == "%%MatrixMarket matrix array real general\n0 1\n");
}

TEST_CASE("what has no word in the format is refused, and nothing is written")
{
    const directory here;
    const double infinity = std::numeric_limits<double>::infinity();
    CHECK_THROWS_AS(write_vector(here / "x.mtx", vector<double>{1, infinity}), input_error);
    CHECK_THROWS_WITH(write_vector(here / "x.mtx", vector<double>{1, -infinity}),
                      Catch::Contains("x.mtx: element 2 is -inf"));
    coordinates<dd_real> list{.rows = 2, .columns = 3};
    list.add(1, 2, dd_real(std::nan("")));
    CHECK_THROWS_WITH(write_matrix(here / "a.mtx", csr_matrix<dd_real>(list)),
                      Catch::Contains("a.mtx: entry (2, 3) is nan"));
    CHECK(here.files() == 0);
}

TEST_CASE("paths that cannot be written")
{
    const directory here;
    const vector<double> x{1, 2};
    CHECK_THROWS_WITH(write_vector(here / "no/x.mtx", x),
                      Catch::Contains("no/x.mtx: cannot be written: No such file or directory"));
    CHECK_THROWS_AS(write_vector(here / "no/x.mtx", x), resource_error);
    std::filesystem::create_directory(here / "d");
    CHECK_THROWS_WITH(write_vector(here / "d", x), Catch::Contains("Is a directory"));
    CHECK_THROWS_AS(write_vector(here / "d", x), resource_error);
}

TEST_CASE("a full disk is a resource_error, and the file that was there stays")
{
    const directory here;
    generator random(53);
    vector<double> x(100000);
    for (index_t i = 0; i < x.size(); ++i) x.set(i, any_double(random));
    CHECK_THROWS_AS(write_vector("/dev/full", x), resource_error);
    CHECK_THROWS_WITH(write_vector("/dev/full", x),
                      "/dev/full: writing failed: No space left on device");
    for (const char* name : {"x.mtx", "x.mtx.gz"}) {
        put(here / name, "precious");
        {
            const file_size_limit limit(1000);
            CHECK_THROWS_AS(write_vector(here / name, x), resource_error);
            CHECK_THROWS_WITH(
                write_vector(here / name, x),
                Catch::Contains(std::string(name) + ": writing failed: File too large"));
        }
        CHECK(content_of(here / name) == "precious");
    }
    CHECK(here.files() == 2);
}

#if !defined(DDLA_SANITIZED)
TEST_CASE("beyond the limit of sizes SIGXFSZ ends no process and leaves nothing behind")
{
    const directory here;
    const vector<double> x(10000, 0.1);
    {
        const file_size_limit limit(1000, SIG_DFL);
        CHECK_THROWS_WITH(write_vector(here / "x.mtx", x),
                          Catch::Contains("x.mtx: writing failed: File too large"));
    }
    CHECK(here.files() == 0);
    sigset_t pending, mask;
    sigpending(&pending);
    CHECK(sigismember(&pending, SIGXFSZ) == 0);
    pthread_sigmask(SIG_SETMASK, nullptr, &mask);
    CHECK(sigismember(&mask, SIGXFSZ) == 0);
}
#endif

TEST_CASE("a name that promises another form is refused, before anything is written")
{
    const directory here;
    const vector<double> x{1, 2};
    const auto refusal = [&](const std::string& name) {
        return complaint([&] { write_vector(here / name, x); });
    };
    const std::string at = (here / "").string();
    CHECK(refusal("x.npy") == at + "x.npy: is written as Matrix Market text, not as .npy "
                                   "promises: name it x.mtx");
    CHECK(refusal("x.CSV.gz") == at + "x.CSV.gz: is written as Matrix Market text, not as .csv "
                                      "promises: name it x.mtx.gz");
    CHECK(refusal("x.mtx.xz") ==
          at + "x.mtx.xz: is not compressed as .xz promises: name it x.mtx.gz");
    for (const char* name : {"x.npz", "x.mat", "x.xlsx", "x.h5", "x.json", "x.rua", "x.zip"})
        CHECK(refusal(name) != "");
    CHECK(complaint([&] { write_vectors<double>(here / "x.npy", {x}); }) != "");
    CHECK(complaint([&] {
              write_matrix(here / "a.mat", csr_matrix<double>(1, 1, {0, 1}, {0}, {1.0}));
          }) != "");
    CHECK(here.files() == 0);
    for (const char* name : {"x", "x.txt", "x.dat", "x.mtx", "x.MTX", "x.1", "x.mm", "x.txt.gz"})
        CHECK(refusal(name) == "");
    CHECK(complaint([&] { require_name_of(file_form::svg, "h.png"); }) ==
          "h.png: is written as SVG, not as .png promises: name it h.svg");
    CHECK(complaint([&] { require_name_of(file_form::json, "r.json"); }) == "");
    CHECK(complaint([&] { require_name_of(file_form::html, "r.htm"); }) == "");
    CHECK(complaint([&] { require_name_of(file_form::csv, "h.mtx"); }) != "");
}

TEST_CASE("devices and pipes are written directly, links to files behind the link")
{
    const directory here;
    write_vector("/dev/null", vector<double>{1});
    CHECK(std::filesystem::is_character_file("/dev/null"));
    put(here / "target.mtx", "old");
    REQUIRE(::chmod((here / "target.mtx").c_str(), 0640) == 0);
    std::filesystem::create_symlink(here / "target.mtx", here / "link.mtx");
    write_vector(here / "link.mtx", vector<double>{7});
    CHECK(std::filesystem::is_symlink(here / "link.mtx"));
    CHECK(read_vector<double>(here / "target.mtx")[0] == 7);
    struct stat about {};
    REQUIRE(::stat((here / "target.mtx").c_str(), &about) == 0);
    CHECK((about.st_mode & 0777) == 0640);
    CHECK(here.files() == 2);
}
