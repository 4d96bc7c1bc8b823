#include "format_entries.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <charconv>
#include <cstdio>

namespace ddla::api {

namespace {

/// Written in order; read by a tree, since a list of n names takes n^2 comparisons.
using ordered_json = nlohmann::ordered_json;
using nlohmann::json;

std::string hexadecimal(std::uint64_t x)
{
    std::array<char, 17> text;
    std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(x));
    return text.data();
}

ordered_json json_of(const format_entry& e)
{
    const format_key& k = e.key;
    return {{"structure", hexadecimal(k.structure)},
            {"rows", k.rows},
            {"columns", k.columns},
            {"entries", k.entries},
            {"place", plain(k.place)},
            {"vectors", plain(k.vectors)},
            {"values", plain(k.values)},
            {"version", plain(k.version)},
            {"format", plain(e.format)},
            {"threads_per_row", e.threads_per_row},
            {"microseconds", e.microseconds}};
}

/// The text is not valid; callers need no reason.
struct malformed {};

void require(bool holds)
{
    if (!holds) throw malformed();
}

const json& field(const json& all, const char* name)
{
    require(all.is_object());
    const auto at = all.find(name);
    require(at != all.end());
    return *at;
}

std::string text(const json& all, const char* name)
{
    require(field(all, name).is_string());
    return field(all, name).get<std::string>();
}

/// Not negative.
index_t count(const json& all, const char* name)
{
    const json& x = field(all, name);
    require(x.is_number_unsigned() && x.get<std::uint64_t>() <= INT64_MAX);
    return x.get<index_t>();
}

std::uint64_t structure_in(const std::string& digits)
{
    std::uint64_t x = 0;
    const char* const end = digits.data() + digits.size();
    const auto [rest, code] = std::from_chars(digits.data(), end, x, 16);
    require(code == std::errc() && rest == end);
    return x;
}

format_entry entry_of(const json& all)
{
    format_entry e;
    e.key = {structure_in(text(all, "structure")),
             count(all, "rows"),
             count(all, "columns"),
             count(all, "entries"),
             text(all, "place"),
             text(all, "vectors"),
             text(all, "values"),
             text(all, "version")};
    e.format = text(all, "format");
    e.threads_per_row = count(all, "threads_per_row");
    require(field(all, "microseconds").is_number());
    e.microseconds = field(all, "microseconds").get<double>();
    require(e.microseconds >= 0);
    return e;
}

}  // namespace

std::string plain(std::string name)
{
    for (char& c : name)
        if (c < ' ' || c > '~' || c == '"' || c == '\\') c = '_';
    return name;
}

std::string text_of(const std::vector<format_entry>& entries)
{
    ordered_json all = ordered_json::array();
    for (const format_entry& e : entries) all.push_back(json_of(e));
    return ordered_json{{"ddla", "formats"}, {"entries", all}}.dump(1) + '\n';
}

std::optional<std::vector<format_entry>> entries_of(std::string_view file)
try {
    require(file.find('\0') == std::string_view::npos);  // which the library takes for the end
    const json all = json::parse(file, nullptr, false);
    require(text(all, "ddla") == "formats" && field(all, "entries").is_array());
    std::vector<format_entry> entries;
    for (const json& e : field(all, "entries")) entries.push_back(entry_of(e));
    return entries;
} catch (const malformed&) {
    return {};
}

}  // namespace ddla::api
