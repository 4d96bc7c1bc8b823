// ddla-validate as users run it: reports, counts, exit status.
#include "catch.hpp"
#include "process.hpp"
#include "support/json.hpp"
#include "support/patterns.hpp"

#include "ddla/blas.hpp"
#include "ddla/generate.hpp"
#include "ddla/matrix_market.hpp"

#include <cctype>
#include <csignal>

using namespace cli_test;
using json = nlohmann::json;

namespace {

const std::string bus = DDLA_EXAMPLES "/494_bus.mtx";

/// A grid, b of which the solution is x_i = i, but 0 where i is a multiple of 7; exact in double.
struct known_system {
    std::string a, b, x;
    ddla::vector<double> solution = ddla::vector<double>(60);

    explicit known_system(const scratch& folder)
        : a((folder / "a.mtx").string()), b((folder / "b.mtx").string()),
          x((folder / "x.mtx").string())
    {
        const auto grid = ddla::generate::poisson2d(6, 10);
        for (ddla::index_t i = 0; i < 60; ++i) solution[i] = i % 7 == 0 ? 0 : double(i);
        ddla::vector<double> product(60);
        ddla::spmv(1.0, grid, solution, 0.0, product);
        ddla::write_matrix(a, grid);
        ddla::write_vector(b, product);
        ddla::write_vector(x, solution);
    }
    void change(ddla::index_t i, double value)
    {
        solution[i] = value;
        ddla::write_vector(x, solution);
    }
    json report(const scratch& folder, int exit_status, const arguments& more = {}) const
    {
        const std::string file = (folder / "r.json").string();
        arguments all{a, "--rhs", b, "--solution", x, "--report", file};
        all.insert(all.end(), more.begin(), more.end());
        const result r = run(all);
        INFO(r.out << r.err);
        CHECK(r.exit_status == exit_status);
        CHECK(r.err == "");
        return json::parse(read_file(file));
    }
};

bool has_python()
{
    return run_program("/bin/sh", {"-c", "command -v python3"}).exit_status == 0;
}

/// Minutes of work at 128 bits, a second in double.
std::string heavy(const scratch& folder)
{
    const std::string file = (folder / "heavy.mtx").string();
    ddla::write_matrix(file, ddla::generate::random(1500, 9, 0.5, 1));
    return file;
}

}  // namespace

TEST_CASE("both precisions are solved and judged")
{
    const scratch folder;
    const std::string file = (folder / "r.json").string();
    const result r = run({bus, "--method", "bicgstab", "--report", file});
    CHECK(r.exit_status == 0);
    CHECK(r.err == "");
    CHECK(r.out.find("494_bus.mtx: 494 x 494, 1666 nonzeros") == 0);
    CHECK(r.out.find("PASS: double-double has ") != std::string::npos);
    for (std::size_t begin = 0, end; (end = r.out.find('\n', begin)) != std::string::npos;
         begin = end + 1)
        CHECK(end - begin <= 80);

    const json report = json::parse(read_file(file));
    CHECK(report.at("matrix").at("rows") == 494);
    CHECK(report.at("passed") == true);
    CHECK(report.at("interrupted") == false);
    const json& reference = report.at("reference");
    CHECK(reference.at("label") == "agreed");
    CHECK(reference.at("agreed_digits") >= 40);
    CHECK(reference.at("rcond").get<double>() == Approx(1 / 3.89e6).epsilon(0.01));
    REQUIRE(report.at("solutions").size() == 2);
    for (const json& s : report.at("solutions")) {
        int count = 0;
        for (const json& bar : s.at("digits").at("histogram")) count += bar.get<int>();
        CHECK(count == 494);
        CHECK(s.at("digits").at("worst") <= s.at("digits").at("median"));
        CHECK(s.at("digits").at("worst_components").size() == 5);
        CHECK(s.at("forward_error") <= s.at("ferr_bound"));
        CHECK(s.at("omega1") <= s.at("berr"));
        for (const char* key : {"eta", "omega2"}) CHECK(s.at(key).is_number());
    }
    // README: the error of BiCGStab in double is 1.1e-12.
    const json& fp64 = report.at("solutions").at(0);
    CHECK(fp64.at("title") == "double");
    CHECK(fp64.at("forward_error").get<double>() == Approx(1.1e-12).epsilon(0.05));
    CHECK(fp64.at("solve").at("status") == "stagnated");
}

TEST_CASE("of both precisions double-double decides")
{
    // Double has 12 digits, double-double 20.
    const arguments all{bus, "--method", "bicgstab", "--tol", "1e-20", "--digits", "15"};
    CHECK(run(all).exit_status == 0);
    arguments in_double = all;
    in_double.insert(in_double.end(), {"--precision", "double"});
    const result one = run(in_double);
    CHECK(one.exit_status == 1);
    CHECK(one.out.find("FAIL: double has 1") != std::string::npos);
}

TEST_CASE("a wrong digit in one component is found and counted")
{
    const scratch folder;
    known_system s(folder);
    const json right = s.report(folder, 0, {"--digits", "40"});
    CHECK(right["solutions"][0]["digits"]["histogram"][40] == 60);
    CHECK(right["solutions"][0]["digits"]["tiny_components"] == 9);

    s.change(12, 12 * (1 + 3e-8));  // 7.52 digits
    const json one = s.report(folder, 0, {"--digits", "7"})["solutions"][0]["digits"];
    CHECK(one["worst"].get<double>() == Approx(-std::log10(3e-8)).epsilon(1e-6));
    CHECK(one["histogram"][7] == 1);
    CHECK(one["histogram"][40] == 59);
    REQUIRE(one["worst_components"].size() == 1);
    CHECK(one["worst_components"][0]["index"] == 13);
    s.report(folder, 1, {"--digits", "8"});
    // 12 * 3e-8 / 59
    s.report(folder, 0, {"--digits", "8", "--normwise"});
    s.report(folder, 1, {"--digits", "9", "--normwise"});
    const result text = run({s.a, "--rhs", s.b, "--solution", s.x, "--digits", "8"});
    CHECK(text.exit_status == 1);
    CHECK(text.out.find("FAIL: x.mtx has 7.5 right digits in each component, 8 were asked for.") !=
          std::string::npos);
    CHECK(test::has_match(text.out, "\n  13  +digits  7[.]5 "));
}

TEST_CASE("a zero component that is not zero in x is wrong")
{
    const scratch folder;
    known_system s(folder);
    s.change(14, 1e-300);
    const std::string page = (folder / "r.html").string();
    const json d = s.report(folder, 1, {"--html", page})["solutions"][0]["digits"];
    CHECK(read_file(page).find("<p>Of the reference 9 components are 0 or below 2.2e-308; of these "
                               "1 have no right digit in x.mtx.</p>") != std::string::npos);
    CHECK(d["wrong_tiny_components"] == 1);
    CHECK(d["histogram"][0] == 1);
    CHECK(d["worst_components"].at(0).at("index") == 15);
    s.report(folder, 0, {"--normwise"});
    s.change(14, 1e-310);
    s.report(folder, 1, {"--digits", "1"});
    s.change(14, 0);
    s.report(folder, 0, {"--digits", "40"});
}

TEST_CASE("one precision, and right-hand sides by word")
{
    const scratch folder;
    const std::string file = (folder / "r.json").string();
    const known_system s(folder);
    const arguments base{s.a, "--quiet", "--report", file};
    const auto report = [&](const arguments& more, int exit_status) {
        arguments all = base;
        all.insert(all.end(), more.begin(), more.end());
        const result r = run(all);
        INFO(r.err);
        CHECK(r.exit_status == exit_status);
        CHECK(r.out == "");
        return json::parse(read_file(file));
    };
    const json one = report({"--precision", "double", "--rhs", "A*ones", "--digits", "10"}, 0);
    REQUIRE(one["solutions"].size() == 1);
    CHECK(one["solutions"][0]["title"] == "double");
    CHECK(one["right_hand_side"] == "A*ones");
    CHECK(report({"--precision", "dd", "--tol", "1e-30", "--digits", "27"},
                 0)["solutions"][0]["title"] == "double-double");
    CHECK(report({"--method", "bicgstab", "--max-iterations", "1"}, 1)["passed"] == false);
    report({"--method", "cg", "--precond", "jacobi", "--guess", s.x}, 0);
}

TEST_CASE("beside --solution every option of a solve is refused", "[repeats]")
{
    const scratch folder;
    const known_system s(folder);
    std::string left;  // options of the help that --solution goes with
    const std::string help = run({"--help"}).out;
    for (const auto& option : test::matches_in(help, "\n  (?:-h,)?(--[a-z-]+) ?([^\\s|]*)")) {
        const std::string &name = option[1], &label = option[2];
        if (name == "--help" || name == "--version" || name == "--solution") continue;
        arguments line{s.a, "--rhs", s.b, "--solution", s.x, name};
        if (!label.empty()) line.push_back(std::isupper(label[0]) ? "256" : label);
        if (name == "--rhs") line = {s.a, "--solution", s.x, "--rhs", s.b};
        if (name == "--method") line.back() = "cg";
        if (name == "--tol" || name == "--drop") line.back() = "0.5";
        if (name == "--l" || name == "--s") line.back() = "2";
        if (name == "--report" || name == "--html") line.back() = (folder / "r").string();
        if (name == "--digits") line.back() = "6";
        const result r = run(line);
        INFO(name << ": " << r.err);
        const bool refuses = r.exit_status == 2 && r.err.find("excludes") != std::string::npos;
        if (!refuses) left += name + " ";
    }
    CHECK(left == "--rhs --threads --digits --normwise --report --html --quiet --max-memory "
                  "--max-seconds --max-bits ");
}

TEST_CASE("the page is well-formed, has both diagrams, and names are escaped")
{
    if (!has_python()) SKIP_CASE("python3 is not installed");
    const scratch folder;
    const std::string name = "a <b> & \"c\" \xff.mtx";
    std::filesystem::copy_file(bus, folder / name);
    const std::string page = (folder / "r.html").string();
    CHECK(run({(folder / name).string(), "--html", page}).exit_status == 0);
    const std::string html = read_file(page);
    CHECK(html.find("<title>ddla-validate: a &lt;b&gt; &amp; &quot;c&quot; \xef\xbf\xbd.mtx<") !=
          std::string::npos);
    CHECK(html.find("name=\"viewport\"") != std::string::npos);
    CHECK(html.find("class=\"verdict pass\"") != std::string::npos);
    // No other file: neither scripts nor links; the only address is the name space of SVG.
    for (const char* outside : {"<script", "href", "src=", "url(", "@import"})
        CHECK(html.find(outside) == std::string::npos);
    const std::string script =
        "import sys, xml.etree.ElementTree as e\n"
        "text = open(sys.argv[1], encoding='utf-8').read()\n"
        "first, rest = text.split('\\n', 1)\n"
        "assert first == '<!DOCTYPE html>', first\n"
        "root = e.fromstring(rest)\n"
        "svg = '{http://www.w3.org/2000/svg}'\n"
        "ids = {x.get('id') for x in root.iter() if x.text and x.text.strip()}\n"
        "for s in root.iter(svg + 'svg'):\n"
        "    assert set(s.get('aria-labelledby').split()) <= ids, ids\n"
        "print(root.tag, len(list(root.iter(svg + 'svg'))), len(list(root.iter(svg + "
        "'polyline'))), len(list(root.iter('table'))))\n";
    const result parsed = run_program("python3", {"-c", script, page});
    CHECK(parsed.err == "");
    CHECK(parsed.out == "html 2 2 3\n");
}

TEST_CASE("an interrupt ends the reference with a report, and the line is gone")
{
    for (const int number : {SIGINT, SIGTERM}) {
        const scratch folder;
        const std::string file = (folder / "r.json").string();
        background work({heavy(folder), "--method", "bicgstab", "--max-seconds", "1e9", "--report",
                         file, "--html", (folder / "r.html").string()},
                        true);
        CHECK(work.waits_for("reference, 128 bits: column "));
        work.signal(number);
        const result r = work.wait();
        CHECK(r.exit_status == 1);
        CHECK(r.out.find("INTERRUPTED: ") != std::string::npos);
        CHECK(r.err.substr(r.err.rfind('\r')) == "\r\x1b[K");
        const json report = json::parse(read_file(file));
        CHECK(report["interrupted"] == true);
        CHECK(report["passed"] == false);
        CHECK(report["reference"].is_null());
        CHECK(report["solutions"].size() == 2);
        CHECK(folder.files() == 3);
    }
}

TEST_CASE("an interrupt of the first solve leaves the rest out")
{
    const scratch folder;
    const std::string a = (folder / "a.mtx").string(), file = (folder / "r.json").string();
    ddla::write_matrix(a, ddla::generate::toeplitz(2000, 2.5));
    background work({a, "--method", "bicgstab", "--tol", "1e-300", "--max-iterations", "1000000000",
                     "--report", file},
                    true);
    CHECK(work.waits_for("double: iteration "));
    work.signal(SIGINT);
    CHECK(work.wait().exit_status == 1);
    const json report = json::parse(read_file(file));
    CHECK(report["interrupted"] == true);
    CHECK(report["solutions"].size() == 1);
}
