// Components over their right digits, as SVG text.
#include "bar_diagram.hpp"

#include "cli/report/svg.hpp"
#include "cli/shell/text_format.hpp"

#include <algorithm>

namespace ddla::validate {
namespace {

using namespace cli::svg;
using cli::print;

constexpr double smallest_bar = 3;

std::string in_words(const bars& b)
{
    std::string text = b.name + ": ";
    for (std::size_t d = 0; d < b.counts.size(); ++d)
        if (b.counts[d] > 0)
            text += print("%zu%s digits in %.0f, ", d, d + 1 == b.counts.size() ? " or more" : "",
                          b.counts[d]);
    return text.substr(0, text.size() - 2) + " components. ";
}

std::string in_words(const std::vector<bars>& all)
{
    std::string text;
    for (const bars& b : all) text += in_words(b);
    return text;
}

/// The bars of one series among `of`.
std::string bars_of(std::size_t series, std::size_t of, const bars& b, double most)
{
    std::string text;
    const double group = plot_width / static_cast<double>(b.counts.size());
    const double bar = 0.8 * group / static_cast<double>(of);
    for (std::size_t d = 0; d < b.counts.size(); ++d) {
        if (b.counts[d] <= 0) continue;
        const double size = std::max(b.counts[d] / most * plot_height, smallest_bar);
        const double x =
            left + group * (static_cast<double>(d) + 0.1) + bar * static_cast<double>(series);
        text += print("<rect class=\"s%zu\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\">"
                      "<title>%s: %zu%s digits, %.0f components</title></rect>\n",
                      series % 2, x, top + plot_height - size, bar, size, escaped(b.name).c_str(),
                      d, d + 1 == b.counts.size() ? " or more" : "", b.counts[d]);
    }
    return text;
}

}  // namespace

std::string bar_diagram(const std::vector<bars>& series)
{
    double most = 1;
    std::size_t groups = 1;
    for (const bars& b : series) {
        groups = std::max(groups, b.counts.size());
        for (const double c : b.counts) most = std::max(most, c);
    }
    std::string svg = opening("digits", "Components by their right digits", in_words(series)) +
                      axis_titles("components", "right digits");
    const double step = round_step(most, 5);
    for (double tick = 0; tick <= most; tick += step)
        svg += level(tick / most, print("%.0f", tick));
    for (std::size_t d = 0; d < groups; d += 5)
        svg += text_at(
            left + plot_width * (static_cast<double>(d) + 0.5) / static_cast<double>(groups),
            height - bottom + 24, "middle", std::to_string(d) + (d + 1 == groups ? "+" : ""));
    for (std::size_t s = 0; s < series.size(); ++s)
        svg += bars_of(s, series.size(), series[s], most);
    return svg + "</svg>\n";
}

std::string colour_key(const std::vector<std::string>& names)
{
    std::string text;
    for (std::size_t s = 0; s < names.size(); ++s)
        text += print("<span class=\"key s%zu\"></span>", s % 2) + escaped(names[s]) + " ";
    return text;
}

}  // namespace ddla::validate
