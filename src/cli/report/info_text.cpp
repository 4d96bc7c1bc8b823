// A matrix_info as text.
#include "info_text.hpp"

#include "cli/shell/text_format.hpp"
#include "report_json.hpp"

#include <algorithm>

namespace ddla::cli {
namespace {

/// "3 rows", "1 row"
std::string count(index_t n, const std::string& thing)
{
    return std::to_string(n) + " " + thing + (n == 1 ? "" : "s");
}

std::string share(index_t part, double whole)
{
    return whole > 0 ? print("%.3g %%", 100 * static_cast<double>(part) / whole) : "none";
}

std::string entries_text(const matrix_info& m)
{
    const double places = static_cast<double>(m.rows) * static_cast<double>(m.columns);
    std::string text = std::to_string(m.nonzeros) + " (" + share(m.nonzeros, places) + ")";
    if (m.explicit_zeros > 0) text += ", " + count(m.explicit_zeros, "explicit zero");
    return text;
}

std::string values_text(const matrix_info& m)
{
    return "|a| from " + print("%.3g to %.3g", m.smallest_magnitude, m.largest_magnitude) +
           (m.finite ? ", all finite" : ", NOT all finite");
}

/// The real form is symmetric if the complex matrix is Hermitian.
std::string symmetry_text(const matrix_info& m, bool is_complex)
{
    if (m.rows != m.columns) return "not square";
    if (m.symmetric) return is_complex ? "symmetric (A is hermitian)" : "symmetric";
    if (m.skew_symmetric)
        return is_complex ? "skew-symmetric (A is skew-hermitian)" : "skew-symmetric";
    return m.symmetric_pattern ? "of the pattern only" : "none";
}

std::string diagonal_text(const matrix_info& m)
{
    const std::string missing = m.missing_diagonal == 0
                                    ? "complete"
                                    : std::to_string(m.missing_diagonal) + " missing or zero";
    const std::string signs = m.negative_diagonal == 0
                                  ? "no negative entries"
                                  : std::to_string(m.negative_diagonal) + " negative";
    return missing + ", " + signs;
}

std::string dominance_text(const matrix_info& m)
{
    return std::to_string(m.dominant_rows) + " of " + count(m.rows, "row") + " (" +
           share(m.dominant_rows, static_cast<double>(m.rows)) + ")";
}

std::string row_lengths_text(const matrix_info& m)
{
    std::string text = print("%lld to %lld, mean %.3g", static_cast<long long>(m.shortest_row),
                             static_cast<long long>(m.longest_row), m.mean_row);
    if (m.empty_rows > 0) text += ", " + count(m.empty_rows, "empty row");
    if (m.empty_columns > 0) text += ", " + count(m.empty_columns, "empty column");
    return text;
}

std::string bar(index_t rows, index_t most)
{
    constexpr index_t longest = 40;
    const double length = static_cast<double>(rows) / static_cast<double>(most) * longest;
    return std::string(static_cast<std::size_t>(rows == 0 ? 0 : std::max(1.0, length + 0.5)), '#');
}

std::string histogram(const matrix_info& m)
{
    index_t most = 0;
    for (const row_length_bin& bin : m.row_lengths) most = std::max(most, bin.rows);
    if (most == 0) return "";
    std::string text = print("\n  %15s  %10s\n", "entries in row", "rows");
    for (const row_length_bin& bin : m.row_lengths) {
        std::string range = std::to_string(bin.from);
        if (bin.to != bin.from) range += "-" + std::to_string(bin.to);
        text += print("  %15s  %10lld  ", range.c_str(), static_cast<long long>(bin.rows)) +
                bar(bin.rows, most) + '\n';
    }
    return text;
}

/// What stands behind a field, besides the description.
void add_behind(json& object, std::string_view field, const matrix_info& m, bool is_complex,
                const read_losses& lost)
{
    if (field == "nonzeros") object["complex"] = is_complex;
    if (field == "empty_columns") object["row_lengths"] = text::array_of_fields(m.row_lengths);
    if (field != "explicit_zeros") return;
    describe(
        described<read_losses>(),
        [&](const about::field& loss, std::int64_t count) {
            if (loss.name != "rounded")  // of vectors alone
                object[loss.json_name()] = count;
        },
        lost);
}

}  // namespace

std::string info_text(const std::filesystem::path& file, const matrix_info& m, bool is_complex)
{
    const auto line = [](const char* label, const std::string& text) {
        return print("  %-12s  %s\n", label, text.c_str());
    };
    const std::string below = std::to_string(m.lower_bandwidth) + " below, ";
    const std::string form =
        print(": complex %lld x %lld; this is its real form", static_cast<long long>(m.rows / 2),
              static_cast<long long>(m.columns / 2));
    return one_line(file.filename().string()) + (is_complex ? form : "") + "\n\n" +
           line("size", std::to_string(m.rows) + " x " + std::to_string(m.columns)) +
           line("nonzeros", entries_text(m)) + line("values", values_text(m)) +
           line("symmetry", symmetry_text(m, is_complex)) + line("diagonal", diagonal_text(m)) +
           line("dominance", dominance_text(m)) +
           line("bandwidth", below + std::to_string(m.upper_bandwidth) + " above the diagonal") +
           line("row lengths", row_lengths_text(m)) + histogram(m);
}

std::string info_json(const std::filesystem::path& file, const matrix_info& m, bool is_complex,
                      const read_losses& lost)
{
    json info;
    info["file"] = file.string();
    describe(
        described<matrix_info>(),
        [&](const about::field& field, const auto& x) {
            info[field.json_name()] = json_of(field, x);
            add_behind(info, field.name, m, is_complex, lost);
        },
        m);
    return text_of(info);
}

}  // namespace ddla::cli
