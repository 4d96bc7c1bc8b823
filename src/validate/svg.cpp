// Diagrams as SVG text.
#include "svg.hpp"

#include "text_format.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ddla::validate {
namespace {

using cli::print;
using cli::scientific;

constexpr double width = 720, height = 340, left = 84, right = 38, top = 44, bottom = 64;
constexpr double plot_width = width - left - right, plot_height = height - top - bottom;
constexpr double smallest_bar = 3;
constexpr std::size_t most_points = 1000;

std::string text_at(double x, double y, const char* anchor, const std::string& text)
{
    return print("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x, y, anchor,
                 escaped(text).c_str());
}

std::string line_between(const char* kind, double x1, double y1, double x2, double y2)
{
    return print("<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", kind, x1,
                 y1, x2, y2);
}

/// A horizontal line of the grid, at this share of the height, and its label.
std::string level(double share, const std::string& label)
{
    const double y = top + (1 - share) * plot_height;
    return line_between("grid", left, y, width - right, y) + text_at(left - 8, y + 5, "end", label);
}

/// With a title and a description for those who do not see the diagram.
std::string opening(const char* id, const char* title, const std::string& description)
{
    return print("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" role=\"img\" "
                 "aria-labelledby=\"%s-title %s-words\">\n<title id=\"%s-title\">%s</title>\n"
                 "<desc id=\"%s-words\">",
                 width, height, id, id, id, title, id) +
           escaped(description) + "</desc>\n";
}

std::string axis_titles(const char* vertical, const char* horizontal)
{
    return text_at(0, 22, "start", vertical) +
           text_at(left + plot_width / 2, height - 8, "middle", horizontal);
}

/// 1, 2 or 5 times a power of ten, at least 1: at most `most` steps make `whole`.
double round_step(double whole, double most)
{
    const double power = std::pow(10, std::floor(std::log10(std::max(whole / most, 1.0))));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power * most >= whole) return factor * power;
    return 10 * power;
}

/// Exponents of 10 that all values lie between.
struct decades {
    int low = std::numeric_limits<int>::max(), high = std::numeric_limits<int>::min();

    void include(double value)
    {
        if (!(value > 0) || !std::isfinite(value)) return;
        low = std::min(low, static_cast<int>(std::floor(std::log10(value))));
        high = std::max(high, static_cast<int>(std::ceil(std::log10(value))));
    }
    double share(double exponent) const { return (exponent - low) / std::max(high - low, 1); }
    double place(double value) const { return top + (1 - share(std::log10(value))) * plot_height; }
};

bool is_drawn(double value)
{
    return value > 0 && std::isfinite(value);
}

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

std::string in_words(const curve& c)
{
    std::string text =
        c.name + print(": %zu iterations", std::max<std::size_t>(c.values.size(), 1) - 1);
    if (!c.values.empty())
        text += ", from " + scientific(c.values.front()) + " to " + scientific(c.values.back());
    return text + ". ";
}

std::string in_words(const bars& b)
{
    std::string text = b.name + ": ";
    for (std::size_t d = 0; d < b.counts.size(); ++d)
        if (b.counts[d] > 0)
            text += print("%zu%s digits in %.0f, ", d, d + 1 == b.counts.size() ? " or more" : "",
                          b.counts[d]);
    return text.substr(0, text.size() - 2) + " components. ";
}

template <class Series>
std::string all_in_words(const std::vector<Series>& all)
{
    std::string text;
    for (const Series& s : all) text += in_words(s);
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

/// The length of the UTF-8 character at the start of `text`, 0 if there is none.
std::size_t character_length(const std::string& text, std::size_t at)
{
    const auto byte = [&](std::size_t k) {
        return at + k < text.size() ? static_cast<unsigned char>(text[at + k]) : 0u;
    };
    const unsigned first = byte(0);
    const std::size_t length = first < 0x80                     ? 1
                               : first >= 0xc2 && first <= 0xdf ? 2
                               : first >= 0xe0 && first <= 0xef ? 3
                               : first >= 0xf0 && first <= 0xf4 ? 4
                                                                : 0;
    for (std::size_t k = 1; k < length; ++k)
        if ((byte(k) & 0xc0) != 0x80) return 0;
    const bool overlong = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xf0 && byte(1) < 0x90);
    const bool outside = (first == 0xed && byte(1) > 0x9f) || (first == 0xf4 && byte(1) > 0x8f) ||
                         (first == 0xef && byte(1) == 0xbf && byte(2) > 0xbd);
    return overlong || outside || (length == 1 && (first < ' ' || first == 0x7f)) ? 0 : length;
}

}  // namespace

std::string escaped(const std::string& text)
{
    std::string result;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = character_length(text, i);
        const std::string character = text.substr(i, std::max<std::size_t>(length, 1));
        result += length == 0         ? "\xef\xbf\xbd"
                  : character == "&"  ? "&amp;"
                  : character == "<"  ? "&lt;"
                  : character == ">"  ? "&gt;"
                  : character == "\"" ? "&quot;"
                  : character == "'"  ? "&#39;"
                                      : character;
        i += character.size();
    }
    return result;
}

std::string convergence_diagram(const std::vector<curve>& curves, double limit)
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
    std::string svg =
        opening("convergence", "Relative residual over the iteration", all_in_words(curves)) +
        axis_titles("relative residual", "iteration") + decade_lines(scale);
    const double step = round_step(longest, 6);
    for (double tick = 0; tick <= longest; tick += step)
        svg += text_at(left + plot_width * tick / longest, height - bottom + 24, "middle",
                       print("%.0f", tick));
    if (is_drawn(limit)) {
        const double y = scale.place(limit);
        svg += line_between("limit", left, y, width - right, y);
    }
    for (std::size_t s = 0; s < curves.size(); ++s) svg += polyline(s, curves[s], scale, longest);
    return svg + "</svg>\n";
}

std::string bar_diagram(const std::vector<bars>& series)
{
    double most = 1;
    std::size_t groups = 1;
    for (const bars& b : series) {
        groups = std::max(groups, b.counts.size());
        for (const double c : b.counts) most = std::max(most, c);
    }
    std::string svg = opening("digits", "Components by their right digits", all_in_words(series)) +
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
