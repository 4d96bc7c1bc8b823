// Numbers and sentences for people.
#include "text_format.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdarg>
#include <cstdio>

namespace ddla::cli {

std::string print(const char* format, ...)
{
    std::va_list once, again;
    va_start(once, format);
    va_copy(again, once);
    std::string text(static_cast<std::size_t>(std::vsnprintf(nullptr, 0, format, once)), '\0');
    std::vsnprintf(text.data(), text.size() + 1, format, again);
    va_end(again);
    va_end(once);
    return text;
}

std::string scientific(double x)
{
    return std::isnan(x) ? "-" : print("%.1e", x);
}

std::string seconds(double s)
{
    return print(s < 10 ? "%.3f s" : "%.1f s", s);
}

std::string duration(double seconds)
{
    constexpr std::array units{"us", "ms", "s"};
    double size = seconds * 1e6;
    std::size_t unit = 0;
    for (; size >= 999.5 && unit + 1 < units.size(); ++unit) size /= 1000;
    return print(size < 9.995   ? "%.2f %s"
                 : size < 99.95 ? "%.1f %s"
                                : "%.0f %s",
                 size, units[unit]);
}

std::string matrix_line(const reported_matrix& m)
{
    const auto shape = [](index_t rows, index_t columns) {
        return std::to_string(rows) + " x " + std::to_string(columns);
    };
    const std::string text =
        (m.is_complex ? "complex " + shape(m.rows / 2, m.columns / 2) + ", as real " : "") +
        shape(m.rows, m.columns) + ", " + std::to_string(m.nonzeros) + " nonzeros";
    return one_line(std::filesystem::path(m.file).filename().string() + ": " + text) + '\n';
}

std::string hash_text(std::uint64_t hash)
{
    return print("%016llx", static_cast<unsigned long long>(hash));
}

std::string memory(std::size_t bytes)
{
    if (bytes < 1024) return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
    constexpr std::array units{"KiB", "MiB", "GiB"};
    double size = static_cast<double>(bytes) / 1024;
    std::size_t unit = 0;
    // What would be printed as 1024.0 is 1.0 of the next unit.
    for (; size >= 1023.95 && unit + 1 < units.size(); ++unit) size /= 1024;
    return print("%.1f %s", size, units[unit]);
}

std::string shortest(double x)
{
    std::array<char, 32> text;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), x).ptr;
    return {text.data(), end};
}

std::string one_line(std::string text)
{
    const auto is_control = [](char c) { return (c >= 0 && c < ' ') || c == '\x7f'; };
    std::replace_if(text.begin(), text.end(), is_control, ' ');
    return text;
}

std::string wrapped(std::string_view text, std::size_t width)
{
    std::string lines;
    while (text.size() > width) {
        const std::size_t space = text.rfind(' ', width);
        if (space == std::string_view::npos) break;
        lines.append(text.substr(0, space)).push_back('\n');
        text.remove_prefix(space + 1);
    }
    return lines.append(text);
}

}  // namespace ddla::cli
