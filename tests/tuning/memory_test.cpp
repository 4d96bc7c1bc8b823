// The memory of formats: what is remembered of which matrix, and files that are in the way.
#include "cache_folder.hpp"
#include "catch.hpp"

#include "ddla/format_memory.hpp"
#include "ddla/generate.hpp"
#include "matrix/format_entries.hpp"

#include <atomic>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace ddla;

namespace {

measured_format as(sparse_format f, int threads = 0)
{
    measured_format m;
    m.options = {f, threads};
    m.seconds = 2e-6;
    return m;
}

csr_matrix<double> tridiagonal(index_t n)
{
    return generate::toeplitz(n, 1.5);
}

/// What is remembered of a matrix, as a word.
template <scalar T, scalar V>
std::string known(const csr_matrix<V>& a)
{
    const remembered_format r = recall_format<T>(a);
    return r.options ? std::string(to_string(r.options->format)) : "nothing";
}

/// Recalling finds nothing, says why, and names the file.
void check_problem(const test::cache_folder& cache, const std::string& why)
{
    remembered_format r;
    CHECK_NOTHROW(r = recall_format<double>(tridiagonal(5)));
    CHECK(!r.options);
    CHECK_THAT(r.problem, Catch::Contains(why));
    CHECK(r.problem.rfind(cache.file().string() + ": ", 0) == 0);
}

std::size_t files_in(const std::filesystem::path& folder)
{
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder),
                                                  std::filesystem::directory_iterator()));
}

}  // namespace

TEST_CASE("a structure has one hash", "[formats]")
{
    const auto a = tridiagonal(50);
    csr_matrix<double> other_values = generate::toeplitz(50, 7);
    CHECK(structure_hash(a) == structure_hash(other_values));
    CHECK(structure_hash(a) == structure_hash(widen(a)));
    CHECK(structure_hash(a) != structure_hash(tridiagonal(51)));
    CHECK(structure_hash(a) != structure_hash(transpose(a)));
    const auto empty = [](index_t rows, index_t columns) {
        return structure_hash(csr_matrix<double>(coordinates<double>{rows, columns}));
    };
    CHECK(empty(2, 3) != empty(3, 2));
    CHECK(empty(0, 0) != empty(0, 1));
    const auto one = [](column_t i, column_t j) {
        return structure_hash(csr_matrix<double>(coordinates<double>{4, 4, {i}, {j}, {1.0}}));
    };
    CHECK(one(1, 2) != one(1, 3));
    CHECK(one(1, 2) != one(2, 2));
    CHECK(one(0, 0) != empty(4, 4));
}

TEST_CASE("a format is remembered for its matrix and its precisions", "[formats]")
{
    const test::cache_folder cache;
    const auto a = tridiagonal(50);
    CHECK(known<double>(a) == "nothing");
    CHECK(!std::filesystem::exists(cache.path() / "ddla"));
    CHECK(remember_format<double>(a, as(sparse_format::tiles)) == cache.file());
    CHECK(remember_format<dd_real>(a, as(sparse_format::crs_t, 8)) == cache.file());

    const remembered_format r = recall_format<double>(a);
    REQUIRE(r.options);
    CHECK(r.problem == "");
    CHECK(r.options->format == sparse_format::tiles);
    CHECK(r.seconds == Approx(2e-6));
    CHECK(recall_format<dd_real>(a).options->threads_per_row == 8);
    CHECK(known<dd_real>(widen(a)) == "nothing");
    CHECK(known<double>(generate::toeplitz(50, 9)) == "tiles");
    CHECK(known<double>(transpose(a)) == "nothing");  // of the same sizes
    CHECK(known<double>(tridiagonal(51)) == "nothing");
}

TEST_CASE("what is remembered last counts, and nothing else is left", "[formats]")
{
    const test::cache_folder cache;
    const auto a = tridiagonal(50), b = tridiagonal(60);
    for (const sparse_format f : {sparse_format::slices, sparse_format::tiles}) {
        remember_format<double>(a, as(f));
        remember_format<double>(b, as(sparse_format::evc_hyb));
    }
    CHECK(known<double>(a) == "tiles");
    CHECK(known<double>(b) == "evc_hyb");
    CHECK(api::entries_of(cache.text())->size() == 2);
    CHECK(files_in(cache.path() / "ddla") == 1);
    struct stat folder {};
    REQUIRE(::stat((cache.path() / "ddla").c_str(), &folder) == 0);
    CHECK((folder.st_mode & 0777) == 0700);
    CHECK(forget_formats());
    CHECK(!forget_formats());
    CHECK(known<double>(a) == "nothing");
}

TEST_CASE("a format that is no longer there gives way, and says what to use", "[formats]")
{
    const test::cache_folder cache;
    for (const std::string removed : {"ell", "sell", "coo", "hyb", "binned"}) {
        remember_format<double>(tridiagonal(5), as(sparse_format::slices));
        std::string text = cache.text();
        text.replace(text.find("slices"), 6, removed);
        cache.write(text);
        const remembered_format r = recall_format<double>(tridiagonal(5));
        CHECK(!r.options);
        CHECK_THAT(r.problem, Catch::Contains("the format \"" + removed +
                                              "\" is no longer there; use slices, or auto"));
    }
}

TEST_CASE("another version of ddla starts anew", "[formats]")
{
    const test::cache_folder cache;
    remember_format<double>(tridiagonal(5), as(sparse_format::slices));
    std::string text = cache.text();
    text.replace(text.find("\"version\": \"") + 12, 1, "x");
    cache.write(text);
    CHECK(known<double>(tridiagonal(5)) == "nothing");
    CHECK(recall_format<double>(tridiagonal(5)).problem == "");
}

TEST_CASE("a thousand entries are kept, the oldest are dropped", "[formats]")
{
    const test::cache_folder cache;
    std::vector<api::format_entry> many(1200);
    for (std::size_t i = 0; i < many.size(); ++i) many[i].key.rows = static_cast<index_t>(i);
    cache.write(api::text_of(many));
    remember_format<double>(tridiagonal(5), as(sparse_format::slices));
    const auto kept = api::entries_of(cache.text());
    REQUIRE(kept);
    REQUIRE(kept->size() == 1000);
    CHECK(kept->front().key.rows == 201);
    CHECK(kept->back().format == "slices");
    CHECK(known<double>(tridiagonal(5)) == "slices");
}

TEST_CASE("a file that is none of ddla's is ignored with a reason, and replaced", "[formats]")
{
    const test::cache_folder cache;
    for (const char* text : {"", "{}", "[1, 2]", "not JSON", "\x7f\x45LF"}) {
        cache.write(text);
        check_problem(cache, "is not a list of formats");
    }
    remember_format<double>(tridiagonal(5), as(sparse_format::slices));
    CHECK(known<double>(tridiagonal(5)) == "slices");

    const std::string good = cache.text();
    cache.write(good.substr(0, good.size() / 2));
    check_problem(cache, "is not a list of formats");
    cache.write(std::string(5'000'000, ' '));
    check_problem(cache, "is too large");
}

TEST_CASE("formats that there are not are ignored with a reason", "[formats]")
{
    const test::cache_folder cache;
    remember_format<double>(tridiagonal(5), as(sparse_format::crs_t, 16));
    const std::string good = cache.text();
    const auto change = [&](const std::string& from, const std::string& to) {
        std::string text = good;
        cache.write(text.replace(text.find(from), from.size(), to));
    };
    change("\"crs_t\"", "\"zip\"");
    check_problem(cache, "'zip'");
    change("\"crs_t\"", "\"auto\"");
    check_problem(cache, "'auto'");
    change("\"crs_t\"", "\"a\\nb" + std::string(1000, 'x') + "\"");
    check_problem(cache, "the format 'a\\x0ab" + std::string(37, 'x') + "...' with");
    change("\"threads_per_row\": 16", "\"threads_per_row\": 17");
    check_problem(cache, "17 threads");
    change("\"threads_per_row\": 16", "\"threads_per_row\": 4294967312");
    check_problem(cache, "4294967312 threads");
}

TEST_CASE("what is no file, or cannot be read, is ignored with a reason", "[formats]")
{
    const test::cache_folder cache;
    std::filesystem::create_directories(cache.file());
    check_problem(cache, "not a regular file");
    CHECK_THROWS_AS(remember_format<double>(tridiagonal(5), as(sparse_format::slices)),
                    resource_error);
    std::filesystem::remove(cache.file());
    REQUIRE(::mkfifo(cache.file().c_str(), 0600) == 0);
    check_problem(cache, "not a regular file");
}

TEST_CASE("a file that may not be read is ignored with a reason", "[formats]")
{
    if (::geteuid() == 0) SKIP_CASE("permissions do not stop root");
    const test::cache_folder cache;
    cache.write("");
    ::chmod(cache.file().c_str(), 0);
    check_problem(cache, "cannot be read: Permission denied");
    ::chmod((cache.path() / "ddla").c_str(), 0);
    check_problem(cache, "cannot be read: Permission denied");
    ::chmod((cache.path() / "ddla").c_str(), 0700);
}

TEST_CASE("a folder that cannot be written is a failure to remember", "[formats]")
{
    const test::cache_folder cache;
    std::ofstream(cache.path() / "ddla") << "a file where the folder belongs";
    CHECK(known<double>(tridiagonal(5)) == "nothing");
    CHECK_THROWS_AS(remember_format<double>(tridiagonal(5), as(sparse_format::slices)),
                    resource_error);
    CHECK(!forget_formats());
}

TEST_CASE("the file is where the XDG Base Directory Specification has it", "[formats]")
{
    const test::cache_folder folder;
    const std::string home = folder.path().string();
    const test::variable own_home("HOME", home.c_str());
    CHECK(format_memory() == folder.file());
    for (const char* value : {static_cast<const char*>(nullptr), "", "relative/path"}) {
        const test::variable cache("XDG_CACHE_HOME", value);
        CHECK(format_memory() == folder.path() / ".cache" / "ddla" / "formats.json");
        remember_format<double>(tridiagonal(5), as(sparse_format::slices));
        CHECK(known<double>(tridiagonal(5)) == "slices");
        CHECK(std::filesystem::exists(format_memory()));
        for (const char* other : {static_cast<const char*>(nullptr), "", "relative"}) {
            const test::variable no_home("HOME", other);
            CHECK(format_memory() == "");
            CHECK(known<double>(tridiagonal(5)) == "nothing");
            CHECK(!forget_formats());
            CHECK_THROWS_AS(remember_format<double>(tridiagonal(5), as(sparse_format::slices)),
                            resource_error);
        }
    }
}

TEST_CASE("many who write at once leave a whole file", "[formats]")
{
    const test::cache_folder cache;
    const auto a = tridiagonal(5);
    remember_format<double>(a, as(sparse_format::slices));
    std::atomic<bool> done = false;
    std::atomic<int> torn = 0;
    std::thread reader([&] {
        while (!done)
            if (!api::entries_of(cache.text())) ++torn;
    });
    std::vector<std::thread> writers;
    for (index_t t = 0; t < 4; ++t)
        writers.emplace_back([t] {
            for (index_t i = 0; i < 20; ++i)
                remember_format<double>(tridiagonal(10 + 20 * t + i), as(sparse_format::tiles));
        });
    for (std::thread& w : writers) w.join();
    done = true;
    reader.join();
    CHECK(torn == 0);
    CHECK(recall_format<double>(a).problem == "");
    CHECK(files_in(cache.path() / "ddla") == 1);
}
