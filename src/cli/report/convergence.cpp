// The residual over the iteration, as SVG text.
#include "convergence.hpp"

#include "cli/shell/text_format.hpp"
#include "svg.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ddla::cli {
namespace {

using namespace svg;

constexpr std::size_t most_points = 1000;

bool is_drawn(double value)
{
    return value > 0 && std::isfinite(value);
}

/// Exponents of 10 that all values lie between.
struct decades {
    int low = std::numeric_limits<int>::max(), high = std::numeric_limits<int>::min();

    void include(double value)
    {
        if (!is_drawn(value)) return;
        low = std::min(low, static_cast<int>(std::floor(std::log10(value))));
        high = std::max(high, static_cast<int>(std::ceil(std::log10(value))));
    }
    double share(double exponent) const { return (exponent - low) / std::max(high - low, 1); }
    double place(double value) const { return top + (1 - share(std::log10(value))) * plot_height; }
};

/// Of each stretch of a long curve the smallest and the largest value, in their order.
std::vector<std::size_t> drawn_points(const std::vector<double>& values)
{
    const std::size_t stretch =
        values.size() <= most_points ? 1 : values.size() * 2 / most_points + 1;
    std::vector<std::size_t> points;
    for (std::size_t begin = 0; begin < values.size(); begin += stretch) {
        std::size_t low = values.size(), high = low;
        for (std::size_t i = begin; i < std::min(begin + stretch, values.size()); ++i) {
            if (!is_drawn(values[i])) continue;
            if (low == values.size() || values[i] < values[low]) low = i;
            if (high == values.size() || values[i] > values[high]) high = i;
        }
        if (low == values.size()) continue;
        points.push_back(std::min(low, high));
        if (low != high) points.push_back(std::max(low, high));
    }
    return points;
}

std::string polyline(std::size_t series, const curve& c, const decades& scale, double longest)
{
    std::string points;
    for (const std::size_t i : drawn_points(c.values))
        points += print("%.1f,%.1f ", left + plot_width * static_cast<double>(i) / longest,
                        scale.place(c.values[i]));
    return print("<polyline class=\"s%zu\" points=\"", series % 2) + points + "\"/>\n";
}

std::string decade_lines(const decades& scale)
{
    std::string text;
    const int step = (scale.high - scale.low) / 8 + 1;
    for (int e = scale.low; e <= scale.high; e += step)
        text += level(scale.share(e), print("1e%d", e));
    return text;
}

/// Where stages begin: lines, and their names beside them where there is room.  Those of the first
/// series hang from the top, those of the second stand on the bottom.
std::string stage_marks(std::size_t series, const curve& c, double longest)
{
    constexpr double room = 16;
    const double y = series % 2 == 0 ? top + 4 : top + plot_height - 4;
    const char* const anchor = series % 2 == 0 ? "end" : "start";
    std::string text;
    double last = -room;
    for (const curve::stage& s : c.stages) {
        const double x = left + plot_width * static_cast<double>(s.begin) / longest;
        text += line_between("stage", x, top, x, top + plot_height);
        if (x - last < room) continue;
        last = x;
        text += print("<text class=\"s%zu\" text-anchor=\"%s\" transform=\"translate(%.1f %.1f) "
                      "rotate(-90)\">",
                      series % 2, anchor, x + 13, y) +
                escaped(s.name) + "</text>\n";
    }
    return text;
}

std::string in_words(const curve& c)
{
    std::string text =
        c.name + print(": %zu iterations", std::max<std::size_t>(c.values.size(), 1) - 1);
    if (!c.values.empty())
        text += ", from " + scientific(c.values.front()) + " to " + scientific(c.values.back());
    for (const curve::stage& s : c.stages)
        text += "; " + s.name + " from iteration " + std::to_string(s.begin);
    return text + ". ";
}

std::string in_words(const std::vector<curve>& all)
{
    std::string text;
    for (const curve& c : all) text += in_words(c);
    return text;
}

/// All but opening and end.
std::string drawing(const std::vector<curve>& curves, double limit)
{
    decades scale;
    scale.include(limit);
    std::size_t most = 2;
    for (const curve& c : curves) {
        most = std::max(most, c.values.size());
        for (const double v : c.values) scale.include(v);
    }
    if (scale.low > scale.high) scale.low = scale.high = 0;
    const auto longest = static_cast<double>(most - 1);
    std::string svg = axis_titles("relative residual", "iteration") + decade_lines(scale);
    const double step = round_step(longest, 6);
    for (double tick = 0; tick <= longest; tick += step)
        svg += text_at(left + plot_width * tick / longest, height - bottom + 24, "middle",
                       print("%.0f", tick));
    if (is_drawn(limit)) {
        const double y = scale.place(limit);
        svg += line_between("limit", left, y, width - right, y);
    }
    for (std::size_t s = 0; s < curves.size(); ++s) {
        svg += stage_marks(s, curves[s], longest);
        svg += polyline(s, curves[s], scale, longest);
    }
    return svg;
}

/// The names of the curves in their colours, above the plot.
std::string legend(const std::vector<curve>& curves)
{
    std::string text;
    for (std::size_t s = 0; s < curves.size(); ++s) {
        const double x = left + 90 + 260 * static_cast<double>(s);
        text += print("<rect class=\"s%zu\" x=\"%.1f\" y=\"11\" width=\"12\" height=\"12\"/>\n",
                      s % 2, x) +
                text_at(x + 20, 22, "start", curves[s].name);
    }
    return text;
}

}  // namespace

std::string convergence_diagram(const std::vector<curve>& curves, double limit)
{
    return opening("convergence", "Relative residual over the iteration", in_words(curves)) +
           drawing(curves, limit) + "</svg>\n";
}

std::string convergence_file(const std::string& title, const std::vector<curve>& curves,
                             double limit)
{
    constexpr double above = 28;
    return opening("convergence", title, in_words(curves), above) + "<style>\n" +
           with_light_colours(style) +
           "svg { font: 13px sans-serif; }\n.paper { fill: white; }\n</style>\n" +
           print("<rect class=\"paper\" x=\"0\" y=\"%.0f\" width=\"%.0f\" height=\"%.0f\"/>\n",
                 -above, width, height + above) +
           text_at(left, 16 - above, "start", title) + legend(curves) + drawing(curves, limit) +
           "</svg>\n";
}

}  // namespace ddla::cli
