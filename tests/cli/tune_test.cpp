// ddla tune, and what other commands make of the options that it tells.
#include "catch.hpp"
#include "process.hpp"
#include "support/json.hpp"

#include <algorithm>
#include <csignal>
#include <sstream>

using namespace cli_test;
using json = nlohmann::json;

namespace {

/// A matrix in a folder.
class tuned_matrix {
public:
    tuned_matrix()
    {
        CHECK(cli_test::run({"generate", "poisson2d", "20", "--output", file()}).exit_status == 0);
    }

    std::string file() const { return (folder / "a.mtx").string(); }
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
    const scratch folder;
};

arguments words_of(const std::string& line)
{
    std::istringstream words(line);
    arguments all;
    for (std::string word; words >> word;) all.push_back(word);
    return all;
}

}  // namespace

TEST_CASE("tune measures every format, and ends with the options of the fastest")
{
    const tuned_matrix a;
    const result r = a.tune();
    CHECK(r.exit_status == 0);
    CHECK(r.err == "");
    CHECK(r.out.rfind("a.mtx: 400 x 400, 1920 nonzeros\n", 0) == 0);
    CHECK(r.out.find("\n* ") != std::string::npos);
    CHECK(r.out.find(": the fastest of ") != std::string::npos);

    const json p = a.report().at("products").at(0);
    CHECK(p.at("precision") == "dd");
    CHECK(p.at("place") == "host");
    const std::string name = p.at("formats").at(0).at("name");
    CHECK(p.at("options") == "--format " + name + " --place host --precision dd");
    const std::string last_line =
        "\nTo use it: --format " + name + " --place host --precision dd\n";
    CHECK(r.out.substr(r.out.size() - last_line.size()) == last_line);
    CHECK(p.at("copy_bytes_per_second") > 0);
    CHECK(p.at("formats").size() >= 10);
    double last = 0;
    for (const json& f : p.at("formats")) {
        if (!f.at("refused").is_null()) continue;
        CHECK(f.at("seconds") >= last);
        last = f.at("seconds");
        CHECK(f.at("hash") == p.at("formats").at(0).at("hash"));
    }
}

TEST_CASE("tune goes through both precisions")
{
    const tuned_matrix a;
    CHECK(a.tune({"--precision", "both"}).exit_status == 0);
    const json products = a.report().at("products");
    REQUIRE(products.size() == 2);
    CHECK(products.at(0).at("precision") == "double");
    CHECK(products.at(1).at("precision") == "dd");
    const auto ends_with = [](const json& options, const std::string& end) {
        const auto text = options.get<std::string>();
        return text.size() > end.size() && text.substr(text.size() - end.size()) == end;
    };
    CHECK(ends_with(products.at(0).at("options"), " --place host --precision double"));
    CHECK(ends_with(products.at(1).at("options"), " --place host --precision dd"));
    CHECK(a.tune({"--values", "dd"}).exit_status == 0);
    CHECK(ends_with(a.report().at("products").at(0).at("options"), " --precision dd --values dd"));
}

/// A solve that multiplies by A in its format.
const arguments by_iterations{"--method", "bicgstab", "--verbose"};

TEST_CASE("solve and spmv take the options that tune tells, with the same bits")
{
    const tuned_matrix a;
    CHECK(a.run("solve", by_iterations).exit_status == 0);
    const json usual = a.report().at("solves").at(0);
    CHECK(usual.at("format").at("name") == "csr");
    CHECK(usual.at("format").at("reason") == "the host is fastest with compressed rows");

    for (const std::string values : {"double", "dd"}) {
        CHECK(a.tune({"--values", values}).exit_status == 0);
        const json tuned = a.report().at("products").at(0);
        const std::string name = tuned.at("formats").at(0).at("name");
        const arguments told = words_of(tuned.at("options"));
        arguments options = by_iterations;
        options.insert(options.end(), told.begin(), told.end());
        // --place stands in the options, so it is not given twice.
        const auto run_told = [&](const std::string& command, const arguments& with) {
            arguments all{command, a.file(), "--report", (a.folder / "r.json").string()};
            all.insert(all.end(), with.begin(), with.end());
            return run(all);
        };
        const result r = run_told("solve", options);
        INFO(r.err);
        CHECK(r.exit_status == 0);
        CHECK(r.out.find("\nFormat " + name) != std::string::npos);
        const json solve = a.report().at("solves").at(0);
        CHECK(solve.at("format").at("name") == name);
        CHECK(solve.at("solution_hash") == usual.at("solution_hash"));
        CHECK(run_told("spmv", told).exit_status == 0);
        CHECK(a.report().at("products").at(0).at("formats").at(0).at("name") == name);
        CHECK(a.report().at("products").at(0).at("options").is_null());
    }
}

TEST_CASE("nothing is kept between runs")
{
    const tuned_matrix a;
    const arguments home{"HOME=" + a.folder.path().string(),
                         "XDG_CACHE_HOME=" + a.folder.path().string(),
                         DDLA_COMMAND,
                         "tune",
                         a.file(),
                         "--place",
                         "host",
                         "--seconds",
                         "0",
                         "--repeat",
                         "1"};
    CHECK(run_program("env", home).exit_status == 0);
    CHECK(std::distance(std::filesystem::directory_iterator(a.folder.path()),
                        std::filesystem::directory_iterator()) == 1);
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

TEST_CASE("tune --quiet prints nothing, and still reports")
{
    const tuned_matrix a;
    const result r = a.tune({"--quiet"});
    CHECK(r.exit_status == 0);
    CHECK(r.out == "");
    CHECK(r.err == "");
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
        const json written = json::parse(read_file(report));
        CHECK(written.at("interrupted") == true);
        for (const json& p : written.at("products")) CHECK(p.at("options").is_null());
        CHECK(r.out.find("To use it") == std::string::npos);
    }
    // In a pipe there is no progress.
    CHECK(a.run("tune", {"--seconds", "0.05"}).err == "");
}
