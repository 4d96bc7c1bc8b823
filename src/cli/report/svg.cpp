// Parts of diagrams as SVG text.
#include "svg.hpp"

#include "cli/shell/text_format.hpp"

#include <algorithm>
#include <cmath>

namespace ddla::cli::svg {
namespace {

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

std::string level(double share, const std::string& label)
{
    const double y = top + (1 - share) * plot_height;
    return line_between("grid", left, y, width - right, y) + text_at(left - 8, y + 5, "end", label);
}

std::string opening(const char* id, const std::string& title, const std::string& description,
                    double above)
{
    return print("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 %.0f %.0f %.0f\" "
                 "role=\"img\" "
                 "aria-labelledby=\"%s-title %s-words\">\n<title id=\"%s-title\">%s</title>\n"
                 "<desc id=\"%s-words\">",
                 -above, width, height + above, id, id, id, escaped(title).c_str(), id) +
           escaped(description) + "</desc>\n";
}

std::string axis_titles(const char* vertical, const char* horizontal)
{
    return text_at(0, 22, "start", vertical) +
           text_at(left + plot_width / 2, height - 8, "middle", horizontal);
}

double round_step(double whole, double most)
{
    const double power = std::pow(10, std::floor(std::log10(std::max(whole / most, 1.0))));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power * most >= whole) return factor * power;
    return 10 * power;
}

const char* const colours =
    ":root { color-scheme: light dark; --page: #ffffff; --text: #222222; --line: #cccccc; "
    "--s0: #b5382a; --s1: #1f5fa8; --pass: #1c7038; --fail: #b5382a; }\n"
    "@media (prefers-color-scheme: dark) { :root { --page: #16181b; --text: #dddddd; "
    "--line: #4a4e54; --s0: #f0806f; --s1: #7db4f0; --pass: #6fcf8b; --fail: #f0806f; } }\n";

const char* const style = "svg text { fill: var(--text); }\n"
                          "svg .grid { stroke: var(--line); }\n"
                          "svg .limit { stroke: var(--text); stroke-dasharray: 6 4; }\n"
                          "rect.s0 { fill: var(--s0); }\n"
                          "rect.s1 { fill: var(--s1); }\n"
                          "polyline { fill: none; stroke-width: 1.5; }\n"
                          "polyline.s0 { stroke: var(--s0); }\n"
                          "polyline.s1 { stroke: var(--s1); }\n"
                          "svg .stage { stroke: var(--text); stroke-dasharray: 1 4; }\n"
                          "svg text.s0 { fill: var(--s0); }\n"
                          "svg text.s1 { fill: var(--s1); }\n";

std::string with_light_colours(std::string css)
{
    const std::string palette = colours, opening = "var(";
    for (std::size_t at; (at = css.find(opening)) != std::string::npos;) {
        const std::size_t begin = at + opening.size(), end = css.find(')', begin);
        const std::string name = css.substr(begin, end - begin) + ": ";
        css.replace(at, end + 1 - at, palette.substr(palette.find(name) + name.size(), 7));
    }
    return css;
}

}  // namespace ddla::cli::svg
