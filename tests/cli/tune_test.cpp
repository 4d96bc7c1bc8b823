// ddla tune, and what later runs make of it.
#include "catch.hpp"
#include "process.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <sys/stat.h>
#include <unistd.h>

using namespace cli_test;
using json = nlohmann::json;

namespace {

/// A matrix, and a cache of its own.
class tuned_matrix {
public:
    tuned_matrix() : before_(std::getenv("XDG_CACHE_HOME"))
    {
        ::setenv("XDG_CACHE_HOME", folder.path().c_str(), 1);
        CHECK(cli_test::run({"generate", "poisson2d", "20", "--output", file()}).exit_status == 0);
    }
    tuned_matrix(const tuned_matrix&) = delete;
    tuned_matrix& operator=(const tuned_matrix&) = delete;
    ~tuned_matrix() { ::setenv("XDG_CACHE_HOME", before_.c_str(), 1); }

    std::string file() const { return (folder / "a.mtx").string(); }
    std::filesystem::path cache() const { return folder / "ddla" / "formats.json"; }
    /// `ddla COMMAND a.mtx --place host OPTIONS... --report r.json`
    result run(const std::string& command, const arguments& options = {}) const
    {
        arguments all{command, file(), "--place", "host"};
        all.insert(all.end(), options.begin(), options.end());
        all.insert(all.end(), {"--report", (folder / "r.json").string()});
        return cli_test::run(all);
    }
    result tune(const arguments& options = {}) const
    {
        arguments all{"--seconds", "0", "--repeat", "1"};
        all.insert(all.end(), options.begin(), options.end());
        return run("tune", all);
    }
    json report() const { return json::parse(read_file(folder / "r.json")); }
    /// Remember this instead of what is the fastest.
    void remember(const std::string& format) const
    {
        CHECK(tune().exit_status == 0);
        json all = json::parse(read_file(cache()));
        all.at("entries").at(0).at("format") = format;
        all.at("entries").at(0).at("threads_per_row") = 0;
        write_cache("{\"ddla\": \"formats\", \"entries\": " + all.at("entries").dump() + "}");
    }
    void write_cache(const std::string& text) const
    {
        std::filesystem::create_directory(folder / "ddla");
        folder.write("ddla/formats.json", text);
    }

    const scratch folder;

private:
    std::string before_;
};

/// One line on the standard error output, a warning with these words.
void check_warning(const result& r, const std::string& words)
{
    INFO("stderr: " << r.err);
    CHECK(r.exit_status == 0);
    CHECK(r.err.rfind("ddla: warning: ", 0) == 0);
    CHECK(std::count(r.err.begin(), r.err.end(), '\n') == 1);
    CHECK(r.err.find(words) != std::string::npos);
}

void check_failure(const result& r, int exit_status, const std::string& words)
{
    INFO("stderr: " << r.err);
    CHECK(r.exit_status == exit_status);
    CHECK(std::count(r.err.begin(), r.err.end(), '\n') == 1);
    CHECK(r.err.rfind("ddla: ", 0) == 0);
    CHECK(r.err.find(words) != std::string::npos);
}

}  // namespace

TEST_CASE("tune measures every format, and remembers the fastest")
{
    const tuned_matrix a;
    const result r = a.tune();
    CHECK(r.exit_status == 0);
    CHECK(r.err == "");
    CHECK(r.out.rfind("a.mtx: 400 x 400, 1920 nonzeros\n", 0) == 0);
    CHECK(r.out.find("\n* ") != std::string::npos);
    CHECK(r.out.find(": the fastest of ") != std::string::npos);
    CHECK(r.out.find("Remembered in " + a.cache().string() + ".\n") != std::string::npos);

    const json p = a.report().at("products").at(0);
    CHECK(p.at("precision") == "dd");
    CHECK(p.at("place") == "host");
    CHECK(p.at("remembered") == a.cache().string());
    CHECK(p.at("copy_bytes_per_second") > 0);
    CHECK(p.at("formats").size() >= 10);
    double last = 0;
    for (const json& f : p.at("formats")) {
        if (!f.at("refused").is_null()) continue;
        CHECK(f.at("seconds") >= last);
        last = f.at("seconds");
        CHECK(f.at("hash") == p.at("formats").at(0).at("hash"));
    }
    const json entries = json::parse(read_file(a.cache())).at("entries");
    REQUIRE(entries.size() == 1);
    CHECK(entries.at(0).at("format") == p.at("formats").at(0).at("name"));
    CHECK(entries.at(0).at("place") == "host");
}

TEST_CASE("tune goes through both precisions")
{
    const tuned_matrix a;
    CHECK(a.tune({"--precision", "both"}).exit_status == 0);
    const json products = a.report().at("products");
    REQUIRE(products.size() == 2);
    CHECK(products.at(0).at("precision") == "double");
    CHECK(products.at(1).at("precision") == "dd");
    CHECK(json::parse(read_file(a.cache())).at("entries").size() == 2);
    CHECK(a.tune({"--values", "dd"}).exit_status == 0);
    CHECK(json::parse(read_file(a.cache())).at("entries").size() == 3);
}

/// A solve that multiplies by A in its format.
const arguments by_iterations{"--method", "bicgstab", "--verbose"};

TEST_CASE("a later run takes the format that is remembered, and gets the same bits")
{
    const tuned_matrix a;
    CHECK(a.run("solve", by_iterations).exit_status == 0);
    const json before = a.report().at("solves").at(0);
    CHECK(before.at("format").at("name") == "csr");
    CHECK(before.at("format").at("reason").get<std::string>().rfind("nothing is remembered", 0) ==
          0);

    a.remember("tiles");
    const result r = a.run("solve", by_iterations);
    CHECK(r.exit_status == 0);
    CHECK(r.err == "");
    CHECK(r.out.find("\nFormat tiles: remembered, ") != std::string::npos);
    const json after = a.report().at("solves").at(0);
    CHECK(after.at("format").at("name") == "tiles");
    CHECK(after.at("format").at("reason").get<std::string>().rfind("remembered, ", 0) == 0);
    CHECK(after.at("solution_hash") == before.at("solution_hash"));

    CHECK(a.run("spmv").exit_status == 0);
    CHECK(a.report().at("products").at(0).at("formats").at(0).at("name") == "tiles");
    // What is remembered is about one precision, and gives way to what is asked for.
    CHECK(a.run("solve", {"--method", "bicgstab", "--precision", "double", "--max-iterations", "1"})
              .exit_status == 1);
    CHECK(a.report().at("solves").at(0).at("format").at("name") == "csr");
    CHECK(a.run("solve", {"--method", "bicgstab", "--format", "slices"}).exit_status == 0);
    CHECK(a.report().at("solves").at(0).at("format").at("name") == "slices");
    CHECK(a.report().at("solves").at(0).at("format").at("reason") == "asked for");
}

TEST_CASE("solve --format names any format, and no bit changes")
{
    const tuned_matrix a;
    CHECK(a.run("solve", {"--precision", "both"}).exit_status == 0);
    const json usual = a.report().at("solves");
    for (const char* format :
         {"csr", "crs_scalar", "crs_vector", "crs_t", "evc_hyb", "slices", "tiles", "patterns"}) {
        const result r = a.run("solve", {"--precision", "both", "--format", format});
        INFO(format << r.err);
        CHECK(r.exit_status == 0);
        const json solves = a.report().at("solves");
        for (std::size_t i = 0; i < solves.size(); ++i) {
            CHECK(solves.at(i).at("format").at("name") == format);
            CHECK(solves.at(i).at("solution_hash") == usual.at(i).at("solution_hash"));
        }
    }
}

TEST_CASE("a cache that cannot be understood is ignored with one warning")
{
    const tuned_matrix a;
    for (const char* text : {"", "{", "not JSON", "{\"entries\": []}"}) {
        a.write_cache(text);
        check_warning(a.run("solve", {"--precision", "both"}),
                      a.cache().string() + ": is not a list of formats");
        CHECK(a.report().at("solves").at(0).at("format").at("name") == "csr");
        const result quiet = a.run("solve", {"--quiet"});
        CHECK(quiet.exit_status == 0);
        CHECK(quiet.err == "");
    }
    a.remember("zip");
    check_warning(a.run("spmv"), "'zip'");
    a.write_cache("{");
    check_warning(a.tune(), "is not a list of formats");
    CHECK(a.run("solve", by_iterations).err == "");
}

TEST_CASE("a cache that cannot be written is a failure, after the report")
{
    const tuned_matrix a;
    a.folder.write("ddla", "a file where the folder belongs");
    result r = a.tune();
    check_failure(r, 3, (a.folder / "ddla").string());
    CHECK(r.out.find("the fastest of ") != std::string::npos);
    CHECK(a.report().at("products").at(0).at("remembered").is_null());
    CHECK(a.run("solve", by_iterations).exit_status == 0);

    const arguments nowhere{"-u",     "XDG_CACHE_HOME", "-u",   "HOME",      DDLA_COMMAND, "tune",
                            a.file(), "--place",        "host", "--seconds", "0"};
    check_failure(run_program("env", nowhere), 3, "neither XDG_CACHE_HOME nor HOME");
}

TEST_CASE("a folder that may not be written to is a failure")
{
    if (::geteuid() == 0) SKIP_CASE("permissions do not stop root");
    const tuned_matrix a;
    std::filesystem::create_directory(a.folder / "ddla");
    ::chmod((a.folder / "ddla").c_str(), 0500);
    check_failure(a.tune(), 3, a.cache().string() + ": cannot be written");
    ::chmod((a.folder / "ddla").c_str(), 0700);
}

TEST_CASE("tune --forget removes what is remembered")
{
    const tuned_matrix a;
    CHECK(run({"tune", "--forget"}).out == "Nothing was remembered.\n");
    CHECK(a.tune().exit_status == 0);
    const result r = run({"tune", "--forget"});
    CHECK(r.exit_status == 0);
    CHECK(r.out == "Removed " + a.cache().string() + ".\n");
    CHECK(!std::filesystem::exists(a.cache()));
    CHECK(run({"tune", "--forget", "--quiet"}).out == "");
    check_failure(run({"tune", a.file(), "--forget"}), 2, "--forget");
    std::filesystem::create_directory(a.cache());
    check_failure(run({"tune", "--forget"}), 3, a.cache().string());
}

TEST_CASE("two that tune at once leave a whole file")
{
    const tuned_matrix a;
    const std::string b = (a.folder / "b.mtx").string();
    CHECK(run({"generate", "toeplitz", "300", "--output", b}).exit_status == 0);
    for (int round = 0; round < 3; ++round) {
        background one({"tune", a.file(), "--seconds", "0", "--place", "host"});
        background two({"tune", b, "--seconds", "0", "--place", "host"});
        CHECK(one.wait().exit_status == 0);
        CHECK(two.wait().exit_status == 0);
        const std::size_t entries = json::parse(read_file(a.cache())).at("entries").size();
        CHECK((entries == 1 || entries == 2));
    }
    CHECK(a.run("solve", by_iterations).err == "");
}

TEST_CASE("tune --quiet prints nothing, and still remembers")
{
    const tuned_matrix a;
    const result r = a.tune({"--quiet"});
    CHECK(r.exit_status == 0);
    CHECK(r.out == "");
    CHECK(r.err == "");
    CHECK(std::filesystem::exists(a.cache()));
    CHECK(a.report().at("products").size() == 1);
}

TEST_CASE("on a terminal tune shows how it gets on, and Ctrl-C ends it")
{
    const tuned_matrix a;
    const std::string report = (a.folder / "r.json").string();
    for (const char* command : {"tune", "spmv"}) {
        arguments options{command,     a.file(), "--place",  "host",
                          "--seconds", "0.5",    "--report", report};
        if (options[0] == "spmv") options.push_back("--all-formats");
        background work(options, true);
        CHECK(work.waits_for("double-double: format "));
        work.signal(SIGINT);
        const result r = work.wait();
        CHECK(r.exit_status == 1);
        CHECK(r.out.find("Interrupted") != std::string::npos);
        CHECK(r.err.substr(r.err.rfind('\r')) == "\r\x1b[K");
        CHECK(json::parse(read_file(report)).at("interrupted") == true);
        CHECK(!std::filesystem::exists(a.cache()));
    }
    // In a pipe there is no progress.
    CHECK(a.run("tune", {"--seconds", "0.05"}).err == "");
}
