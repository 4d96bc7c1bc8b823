// Diagrams as SVG text.
#include "svg.hpp"

#include "text_format.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ddla::validate {
namespace {

using cli::print;

constexpr double width = 720, height = 320, left = 60, right = 20, top = 20, bottom = 40;
const char* const colours[] = {"#c0392b", "#1f5fa8"};

const char* colour(std::size_t series)
{
    return colours[series % std::size(colours)];
}

std::string text_at(double x, double y, const char* anchor, const std::string& text)
{
    return print("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x, y, anchor,
                 escaped(text).c_str());
}

std::string line_between(double x1, double y1, double x2, double y2)
{
    return print("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#cccccc\"/>\n", x1,
                 y1, x2, y2);
}

std::string opening(const char* label)
{
    return print("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" "
                 "width=\"%.0f\" height=\"%.0f\" role=\"img\" aria-label=\"%s\" "
                 "font-family=\"sans-serif\" font-size=\"12\">\n",
                 width, height, width, height, label);
}

std::string legend(std::size_t series, const std::string& name)
{
    const double x = left + 20 + 200 * static_cast<double>(series);
    return print("<rect x=\"%.1f\" y=\"4\" width=\"10\" height=\"10\" fill=\"%s\"/>\n", x,
                 colour(series)) +
           text_at(x + 15, 13, "start", name);
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
    double place(double value) const
    {
        const double share = (std::log10(value) - low) / std::max(high - low, 1);
        return height - bottom - share * (height - top - bottom);
    }
};

std::string polyline(std::size_t series, const curve& c, const decades& scale, std::size_t longest)
{
    const std::size_t stride = c.values.size() / 1000 + 1;
    std::string points;
    for (std::size_t i = 0; i < c.values.size(); i += stride) {
        if (!(c.values[i] > 0) || !std::isfinite(c.values[i])) continue;
        const double x = left + (width - left - right) * static_cast<double>(i) /
                                    static_cast<double>(std::max<std::size_t>(longest - 1, 1));
        points += print("%.1f,%.1f ", x, scale.place(c.values[i]));
    }
    return print("<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" points=\"",
                 colour(series)) +
           points + "\"/>\n" + legend(series, c.name);
}

std::string decade_lines(const decades& scale)
{
    std::string text;
    const int step = (scale.high - scale.low) / 8 + 1;
    for (int e = scale.low; e <= scale.high; e += step) {
        const double share =
            static_cast<double>(e - scale.low) / std::max(scale.high - scale.low, 1);
        const double y = height - bottom - share * (height - top - bottom);
        text += line_between(left, y, width - right, y) +
                text_at(left - 6, y + 4, "end", print("1e%d", e));
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

std::string convergence_diagram(const std::vector<curve>& curves)
{
    decades scale;
    std::size_t longest = 1;
    for (const curve& c : curves) {
        longest = std::max(longest, c.values.size());
        for (const double v : c.values) scale.include(v);
    }
    if (scale.low > scale.high) scale.low = scale.high = 0;
    std::string svg = opening("relative residual over the iteration") + decade_lines(scale);
    for (std::size_t s = 0; s < curves.size(); ++s) svg += polyline(s, curves[s], scale, longest);
    svg += text_at(left, height - bottom + 18, "middle", "0") +
           text_at(width - right, height - bottom + 18, "end", std::to_string(longest - 1)) +
           text_at(width / 2, height - 6, "middle", "iteration");
    return svg + "</svg>\n";
}

std::string bar_diagram(const std::vector<bars>& series)
{
    double most = 1;
    for (const bars& b : series)
        for (const double c : b.counts) most = std::max(most, c);
    std::string svg = opening("components by their right digits");
    svg += line_between(left, height - bottom, width - right, height - bottom) +
           text_at(left - 6, top + 4, "end", print("%.0f", most)) +
           text_at(width / 2, height - 6, "middle", "right digits (number of components)");
    for (std::size_t s = 0; s < series.size(); ++s) {
        const auto groups = static_cast<double>(series[s].counts.size());
        const double group = (width - left - right) / groups;
        const double bar = 0.8 * group / static_cast<double>(series.size());
        for (std::size_t d = 0; d < series[s].counts.size(); ++d) {
            const double size = series[s].counts[d] / most * (height - top - bottom);
            const double x = left + group * static_cast<double>(d) + bar * static_cast<double>(s);
            if (size > 0)
                svg += print("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
                             "fill=\"%s\"/>\n",
                             x, height - bottom - size, bar, size, colour(s));
            if (s == 0 && d % 5 == 0)
                svg += text_at(x + group / 2, height - bottom + 18, "middle",
                               std::to_string(d) + (d + 1 == series[s].counts.size() ? "+" : ""));
        }
        svg += legend(s, series[s].name);
    }
    return svg + "</svg>\n";
}

}  // namespace ddla::validate
