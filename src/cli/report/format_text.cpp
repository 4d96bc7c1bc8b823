// Formats of matrices for people.
#include "format_text.hpp"

#include "cli/shell/text_format.hpp"

#include <array>

namespace ddla::cli {
namespace {

constexpr std::size_t indent_of_refusal = 18;

std::string line(char mark, const std::string& format, const std::array<std::string, 6>& cells)
{
    std::string text = print("%c %-15s", mark, format.c_str());
    constexpr std::array widths{10, 9, 9, 6, 8, 11};
    for (std::size_t i = 0; i < cells.size(); ++i)
        text += print(" %*s", widths[i], cells[i].c_str());
    return text + '\n';
}

/// The reason why it was not measured, after its name.
std::string refused_line(const measured_format& m)
{
    std::string text = print("  %-15s ", format_name(m).c_str());
    for (const char c :
         wrapped("refused: " + one_line(m.refused), text_width - indent_of_refusal)) {
        text += c;
        if (c == '\n') text += std::string(indent_of_refusal, ' ');
    }
    return text + '\n';
}

std::string measured_line(const measured_format& m, index_t entries, double bandwidth, char mark)
{
    return line(mark, format_name(m),
                {memory(m.bytes), duration(m.seconds_at(bandwidth)), duration(m.seconds),
                 print("%.0f %%", 100 * m.share_of(bandwidth)),
                 print("%.2f", m.report.padding(entries)),
                 print("%.1f", m.conversion_in_products())});
}

std::string name_with(sparse_format format, int threads_per_row)
{
    std::string name(to_string(format));
    if (threads_per_row > 0) name += " T=" + std::to_string(threads_per_row);
    return name;
}

}  // namespace

std::string format_name(const format_report& r)
{
    return name_with(r.format, r.threads_per_row);
}

std::string format_name(const measured_format& m)
{
    if (m.was_measured()) return format_name(m.report);
    return name_with(m.options.format, m.options.threads_per_row);
}

std::string format_table(const std::vector<measured_format>& formats, index_t entries,
                         double bandwidth, bool first_is_best)
{
    std::string text =
        line(' ', "format", {"bytes", "at copy", "measured", "share", "padding", "conversion"});
    for (const measured_format& m : formats) {
        const char mark = first_is_best && &m == formats.data() ? '*' : ' ';
        text += m.was_measured() ? measured_line(m, entries, bandwidth, mark) : refused_line(m);
    }
    return text;
}

}  // namespace ddla::cli
