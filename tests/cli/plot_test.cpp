// `ddla solve --plot`: the history as a diagram that stands by itself.
#include "catch.hpp"
#include "process.hpp"
#include "support/patterns.hpp"

#include "ddla/generate.hpp"
#include "ddla/matrix_market.hpp"

using namespace cli_test;

namespace {

std::ptrdiff_t count(const std::string& text, const std::string& what)
{
    return std::ssize(test::matches_in(text, what));
}

/// The points of the curve of a series.
std::ptrdiff_t points_of(const std::string& svg, int series)
{
    const auto curves = test::matches_in(svg, "<polyline class=\"s" + std::to_string(series) +
                                                  "\" points=\"([^\"]*)\"");
    return curves.empty() ? 0 : count(curves.front()[1], "[0-9.]+,[0-9.]+ ");
}

std::string toeplitz(const scratch& folder)
{
    const std::string file = (folder / "t&<.mtx").string();
    ddla::write_matrix(file, ddla::generate::toeplitz(100, 1.5));
    return file;
}

}  // namespace

TEST_CASE("a plot has a curve for each precision, with as many points as the history")
{
    const scratch folder;
    const std::string a = toeplitz(folder), plot = (folder / "h.svg").string();
    const std::string csv = (folder / "h.csv").string();
    const result r = run({"solve", a, "--method", "bicgstab", "--precision", "both", "--plot", plot,
                          "--history", csv});
    INFO(r.out << r.err);
    const std::string svg = read_file(plot), history = read_file(csv);
    CHECK(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
    CHECK(svg.ends_with("</svg>\n"));
    CHECK(svg.find("var(") == std::string::npos);
    CHECK(count(svg, "polyline[.]s[01] [{] stroke: #[0-9a-f]{6}; [}]") == 2);
    CHECK(points_of(svg, 0) == count(history, "\ndouble,"));
    CHECK(points_of(svg, 1) == count(history, "\ndd,"));
    CHECK(points_of(svg, 1) > 10);
    CHECK(count(svg, ">double: [a-z ]+</text>") == 1);
    CHECK(count(svg, ">double-double: converged</text>") == 1);
    CHECK(count(svg, ">t&amp;&lt;[.]mtx, BiCGStab, b = ones</text>") == 1);
    CHECK(count(svg, "class=\"limit\"") == 1);
    CHECK(count(svg, "class=\"stage\"") == 0);
}

TEST_CASE("a plot marks where stages begin")
{
    const scratch folder;
    const std::string a = toeplitz(folder), plot = (folder / "h.svg").string();
    CHECK(run({"solve", a, "--plot", plot, "--quiet"}).exit_status == 0);
    CHECK(count(read_file(plot), ">refine</text>") == 1);
    CHECK(run({"solve", a, "--most-work", "1e-7", "--plot", plot, "--quiet"}).exit_status == 0);
    const std::string svg = read_file(plot);
    CHECK(count(svg, " in double</text>") >= 1);
    CHECK(count(svg, "class=\"stage\"") == count(svg, "from iteration"));
}

TEST_CASE("a plot is written whole or not at all")
{
    const scratch folder;
    const std::string a = toeplitz(folder);
    const result full = run({"solve", a, "--plot", "/dev/full"});
    CHECK(full.exit_status == 3);
    CHECK(full.err.find("/dev/full") != std::string::npos);
    const std::string plot = (folder / "nowhere/h.svg").string();
    CHECK(run({"solve", a, "--plot", plot}).exit_status >= 2);
    CHECK(run({"solve", a, "--plot", a}).exit_status == 2);
    CHECK(folder.files() == 1);
}

TEST_CASE("a solve without a history has a plot without curves")
{
    const scratch folder;
    const std::string a = folder.write("s.mtx", "%%MatrixMarket matrix coordinate real general\n"
                                                "2 2 4\n1 1 1\n1 2 2\n2 1 2\n2 2 4\n");
    const std::string plot = (folder / "h.svg").string();
    CHECK(run({"solve", a, "--plot", plot}).exit_status == 1);
    const std::string svg = read_file(plot);
    CHECK(count(svg, ">double-double: singular</text>") == 1);
    CHECK(svg.find("nan") == std::string::npos);
}
