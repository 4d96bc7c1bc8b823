// The diagrams of the page: nothing of the data is lost, and words say what they show.
#include "bar_diagram.hpp"
#include "catch.hpp"
#include "cli/report/convergence.hpp"
#include "support/patterns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace ddla::cli;
using namespace ddla::validate;

namespace {

/// How often `what` is in `text`.
std::ptrdiff_t count(const std::string& text, const std::string& what)
{
    return std::ssize(test::matches_in(text, what));
}

/// The y of all points of the only curve.
std::vector<double> heights(const std::string& svg)
{
    std::vector<double> all;
    for (const auto& point : test::matches_in(svg, "[0-9.]+,([0-9.]+) "))
        all.push_back(std::stod(point[1]));
    return all;
}

}  // namespace

TEST_CASE("a long curve keeps its peaks and its end")
{
    std::vector<double> values(100'000, 1e-3);
    values[12'345] = 10;    // the top of the diagram, y = 44
    values[54'321] = 1e-9;  // the bottom, y = 276
    values.back() = 1e-6;   // in the middle
    const std::vector<double> y = heights(convergence_diagram({{"double", values}}, 0));
    CHECK(y.size() <= 1000);
    CHECK(*std::min_element(y.begin(), y.end()) == 44);
    CHECK(*std::max_element(y.begin(), y.end()) == 276);
    CHECK(y.back() == Approx(44 + 232 * 0.7).margin(0.1));
}

TEST_CASE("values that are not above zero have no point, and the tolerance has its line")
{
    const double inf = std::numeric_limits<double>::infinity();
    const std::string svg = convergence_diagram({{"a", {1, 0, -1, inf, std::nan(""), 0.1}}}, 1e-2);
    CHECK(heights(svg).size() == 2);
    CHECK(count(svg, "class=\"limit\"") == 1);
    CHECK(count(svg, ">1e-2<") == 1);
    CHECK(svg.find("inf,") == std::string::npos);
    for (const auto& values : {std::vector<double>{}, std::vector<double>{0}}) {
        const std::string none = convergence_diagram({{"a", values}}, 0);
        CHECK(heights(none).empty());
        CHECK(count(none, "class=\"limit\"") == 0);
        CHECK(count(none, "nan|inf") == 0);
    }
}

TEST_CASE("one wrong component among a million is seen, and told in words")
{
    std::vector<double> counts(41);
    counts[0] = 1;
    counts[12] = 1e6;
    counts[40] = 2;
    const std::string svg = bar_diagram({{"x & y", counts}});
    CHECK(count(svg, "<rect ") == 3);
    for (const auto& bar : test::matches_in(svg, "<rect [^>]*height=\"([0-9.]+)\""))
        CHECK(std::stod(bar[1]) >= 3);
    CHECK(count(svg,
                "<desc [^>]*>x &amp; y: 0 digits in 1, 12 digits in 1000000, 40 or more digits "
                "in 2 components[.] </desc>") == 1);
    CHECK(count(svg, ">right digits</text>") == 1);
    CHECK(count(svg, ">components</text>") == 1);
    CHECK(count(svg, ">40[+]</text>") == 1);
}
